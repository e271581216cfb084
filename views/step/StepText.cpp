// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/step/StepText.h"

#include "views/common/CountedText.h"

#include <QCoreApplication>
#include <QLocale>

#include <array>

namespace tilescope::views {

static QString tr(const char *text) { return QCoreApplication::translate("StepText", text); }

QString programText(const compiler::StepState &state) {
  return QString::fromStdString(
      compiler::programText(state.program, {state.grid[0], state.grid[1], state.grid[2]}));
}

QString frameText(const compiler::StepFrame &frame, const QStringList &files) {
  const QString function = QString::fromStdString(frame.function);
  const QString line = QString::number(frame.range.begin.line + 1);
  const bool isOther = frame.range.file > 0 && frame.range.file < files.size();
  return isOther ? tr("%1, %2 line %3").arg(function, files[frame.range.file], line)
                 : tr("%1, line %2").arg(function, line);
}

QString positionText(const compiler::StepState &state, bool namesOperation,
                     const QStringList &files) {
  QString program = programText(state);
  program[0] = program[0].toUpper();
  const QString count = QLocale(QLocale::English).toString(qulonglong{state.ownTime});
  if (state.isAtEnd)
    return tr("%1 has ended after %2").arg(program, countedText(count, tr("operation")));
  QStringList parts{program};
  if (!state.frames.empty())
    parts << frameText(state.frames.front(), files);
  if (namesOperation && !state.operation.empty())
    parts << tr("next: %1").arg(QString::fromStdString(state.operation));
  parts << tr("%1 done").arg(countedText(count, tr("operation")));
  return parts.join(QStringLiteral(" · "));
}

std::span<const ConditionPreset> conditionPresets() {
  static constexpr auto kPresets = std::to_array<ConditionPreset>({
      {QT_TRANSLATE_NOOP("StepText", "Any element of %1 is NaN"), "any(isnan(%1))", true},
      {QT_TRANSLATE_NOOP("StepText", "Any element of %1 is infinite"), "any(isinf(%1))", true},
      {QT_TRANSLATE_NOOP("StepText", "%1 is false everywhere"), "not any(%1)"},
      {QT_TRANSLATE_NOOP("StepText", "%1 is false somewhere"), "not all(%1)"},
      {QT_TRANSLATE_NOOP("StepText", "%1 is larger than a number"), "%1 > 0"},
  });
  return kPresets;
}

} // namespace tilescope::views
