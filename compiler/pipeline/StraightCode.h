// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <string_view>

/// What the PTX of a kernel says about how its threads spend their time.
namespace tilescope::compiler {

/// Whether threads run once from top to bottom, without waiting for each other.
bool isStraight(std::string_view ptx);

/// Instructions that a thread issues for each byte that it moves to or from global memory, each
/// line of `ptx` counted once. A product of integers counts as two: multiprocessors issue it at
/// half the rate (CUDA C++ Programming Guide, "Arithmetic Instructions"). Infinity: the code moves
/// no bytes.
double issuesPerByte(std::string_view ptx);

} // namespace tilescope::compiler
