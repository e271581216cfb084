// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/StepState.h"

#include <QString>
#include <QStringList>

#include <span>

namespace tilescope::views {

/// `program 3`, or `program (3, 0, 1)`.
QString programText(const compiler::StepState &state);
/// Where a program has stopped: program, line, function, operation, and how far it is.
/// `files`: names of the files that places are in, the document first.
QString positionText(const compiler::StepState &state, bool namesOperation,
                     const QStringList &files = {});
/// `scaled, line 15`; of another file than the document `scaled, helpers.py line 15`.
QString frameText(const compiler::StepFrame &frame, const QStringList &files = {});

/// A condition that breakpoints are often given, with the words for it. `%1` stands for a name.
struct ConditionPreset {
  const char *title;
  const char *condition;
  /// Numbers of other types are never so.
  bool isOfFloats = false;
};
std::span<const ConditionPreset> conditionPresets();

} // namespace tilescope::views
