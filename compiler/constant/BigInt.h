// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <boost/multiprecision/cpp_int.hpp>

namespace tilescope::compiler::constant {

/// Only for the sources of this folder: keeps Boost out of the headers that others include.
struct BigInt {
  boost::multiprecision::cpp_int value;
};

} // namespace tilescope::compiler::constant
