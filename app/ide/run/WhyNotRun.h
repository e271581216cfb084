// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/commands/RunPlace.h"
#include "app/document/KernelDocument.h"

#include <QString>

namespace tilescope::app {

class CompileController;

/// Why a document cannot run at a place; empty: it can.
QString whyNotAt(const KernelDocument &document, const RunPlace &place);

/// Why what a document says now cannot run at a place, with what its compile has found; empty: it
/// can. Syntax errors are listed by themselves.
QString whyNotRun(const KernelDocument &document, const RunPlace &place,
                  const CompileController &compile);

/// Whether what compiles has no launch block and may get one of guesses, in place of `whyNotRun`.
bool lacksLaunchOnly(const KernelDocument &document, const RunPlace &place,
                     const CompileController &compile);

} // namespace tilescope::app
