// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <functional>
#include <string>

namespace tilescope::profiler {

/// The duties of a command-line program's `main`. Standard streams that are closed lead nowhere, so
/// that no other file gets their numbers; what `body` throws, and output that could not be written
/// (a full disk), end in a message and in exit status 3. Else the status is `body`'s.
int runProgram(const std::string &name, const std::function<int()> &body);

} // namespace tilescope::profiler
