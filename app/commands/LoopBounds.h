// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Loops that leave out turns at their beginning or at their end:
//
//     for k in range(0, n - BLOCK, BLOCK)      the last block
//     for k in range(0, n // BLOCK)            what is no whole block
//     for k in range(1, W)                     the first element of a window
#pragma once

#include "app/commands/KernelText.h"
#include "compiler/artifacts/Diagnostic.h"

namespace tilescope::app {

/// Adds to the mismatch of an output which loops may leave out turns, each with a fix: it is so only where that helps.
void explainLoopBounds(const KernelText &kernel, compiler::Diagnostic &diagnostic);

} // namespace tilescope::app
