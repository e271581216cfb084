// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <functional>

namespace tilescope::app {

/// Runs `work` in its own thread, with a stack of a size that this program chooses, and waits
/// for it to end.
///
/// Parsers, printers, verifiers and many passes of MLIR and LLVM call themselves once per level of
/// what they look at. How deep text nests is bounded before it is read
/// (`compiler/pipeline/NestingLimit.h`), but chains that no bracket shows (locations that name
/// each other, a sum of many terms, metadata) are as long as the document. The stack that a process
/// begins with is a setting of the user's shell; this one is the same everywhere. Only what is
/// used of it takes memory.
void runWithLargeStack(const std::function<void()> &work);

} // namespace tilescope::app
