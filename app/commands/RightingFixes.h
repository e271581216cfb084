// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Of several fixes, those with which all outputs are as expected:
//
//     y = tl.store(y_ptr + r[:, None] * H + c[None, :], x)     `W` for `H` is right, and a mask only hides that
#pragma once

#include "app/commands/MendedRun.h"

namespace tilescope::app {

/// Whether a fix is of another file, or a new guess of what was guessed: the finding says itself that it may be the guess's.
bool isLeftAlone(const compiler::DiagnosticFix &fix);

/// Takes out of a finding's fixes what only mends it beside a fix in `righting`, with which outputs that differ are right: it
/// would hide why they do.
void preferRighting(const Fixes &righting, compiler::Diagnostic &finding);

/// Gives an access outside that has no fix of `righting` those within its own address, in place of a mask.
void rightAddress(const Fixes &righting, compiler::Diagnostic &finding);

} // namespace tilescope::app
