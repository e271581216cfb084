// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/worker/CountedLaunch.h"
#include "compiler/hints/FoundHint.h"

#include <optional>

namespace tilescope::app {

/// A change with the text and the launch that it leads to.
struct TriedChange {
  compiler::DiagnosticFix edit;
  compiler::CompileRequest request;
};

/// Makes the change that a hint proposes; nothing where the text does not show how.
std::optional<TriedChange> makeChange(const CountTask &task, const compiler::FoundHint &hint);

} // namespace tilescope::app
