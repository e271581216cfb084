// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/support/Result.h"

#include <string>
#include <string_view>

namespace tilescope::profiler {

Result<std::string> readFile(const std::string &path);
/// Replaces the file; a failure leaves no half-written one behind.
Status writeFile(const std::string &path, std::string_view bytes);

} // namespace tilescope::profiler
