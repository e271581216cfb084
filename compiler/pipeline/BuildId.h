// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <string>

namespace tilescope::compiler {

/// What the linker wrote into this program to tell it from others, such as one of another version; empty: nothing.
std::string buildId();

} // namespace tilescope::compiler
