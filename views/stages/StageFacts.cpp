// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/stages/StageFacts.h"

#include "compiler/support/BytesText.h"

#include <QCoreApplication>

#include <algorithm>

namespace tilescope::views {

using compiler::CompileResult;
using compiler::Stage;
using compiler::StageId;

static QString tr(const char *text) { return QCoreApplication::translate("StageFacts", text); }

QString durationText(int64_t nanoseconds) {
  const double ms = static_cast<double>(nanoseconds) / 1e6;
  if (ms >= 1000)
    return QStringLiteral("%1 s").arg(ms / 1000, 0, 'f', 2);
  return QStringLiteral("%1 ms").arg(ms, 0, 'f', ms < 1 ? 2 : ms < 10 ? 1 : 0);
}

QString sizeText(int64_t bytes) {
  return QString::fromStdString(bytesText(static_cast<uint64_t>(std::max<int64_t>(0, bytes))));
}

static void addCount(QStringList &facts, int count, const char *one, const char *many) {
  if (count > 0)
    facts << QStringLiteral("%1 %2").arg(count).arg(count == 1 ? tr(one) : tr(many));
}

QStringList stageFacts(const CompileResult &result, StageId id) {
  const Stage *stage = result.stage(id);
  if (!stage || !stage->ok)
    return {};
  // The status bar has another time: until the stage was on the screen.
  QStringList facts{tr("made in %1").arg(durationText(stage->durationNs))};
  if (stage->cached)
    facts.back() += QStringLiteral(" ") + tr("(cached)");
  if (id == StageId::Cubin)
    facts << sizeText(static_cast<int64_t>(stage->text.size()));
  else
    addCount(facts, static_cast<int>(std::count(stage->text.begin(), stage->text.end(), '\n')),
             "line", "lines");
  return facts;
}

QStringList machineFacts(const CompileResult &result, StageId id) {
  QStringList facts;
  if (id != StageId::Sass && id != StageId::Cubin)
    return facts;
  if (result.resources.registers >= 0)
    addCount(facts, static_cast<int>(result.resources.registers), "register", "registers");
  if (result.resources.spillBytes > 0)
    facts << tr("%1 spilled").arg(sizeText(result.resources.spillBytes));
  return facts;
}

bool isMachineLack(const compiler::Diagnostic &diagnostic) {
  return diagnostic.kind == compiler::DiagnosticKind::ToolMissing &&
         diagnostic.severity == compiler::Severity::Note;
}

static std::optional<StageId> failedStage(const CompileResult &result) {
  for (const Stage &stage : result.stages)
    if (!stage.ok)
      return stage.id;
  return std::nullopt;
}

static QString failureText(StageId failed) {
  if (failed == StageId::Ast)
    return tr("syntax error");
  if (failed == StageId::Ttir)
    return tr("the kernel does not compile");
  const std::string_view title = compiler::stageTitle(failed);
  return tr("%1 failed").arg(QString::fromUtf8(title.data(), static_cast<qsizetype>(title.size())));
}

/// Why the compiler stopped in the middle of a stage, which says nothing of the text; empty where it did not.
static QString interruptionText(const CompileResult &result) {
  for (const compiler::Diagnostic &each : result.diagnostics)
    switch (each.kind) {
    case compiler::DiagnosticKind::StageTimedOut:
      return tr("the compile took too long");
    case compiler::DiagnosticKind::StageOutOfMemory:
      return tr("the compiler ran out of memory");
    case compiler::DiagnosticKind::StageCrashed:
      return tr("the compiler crashed");
    default:
      break;
    }
  return {};
}

QString whyFailed(const CompileResult &result) {
  using compiler::Diagnostic;
  if (QString why = interruptionText(result); !why.isEmpty())
    return why;
  const auto isError = [](const Diagnostic &each) {
    return each.severity == compiler::Severity::Error;
  };
  const auto isOfLaunch = [&](const Diagnostic &each) {
    return isError(each) && each.kind == compiler::DiagnosticKind::LaunchBlockInvalid;
  };
  if (!result.launch.ok || std::ranges::any_of(result.diagnostics, isOfLaunch))
    return tr("the launch block has an error");
  if (const std::optional<StageId> failed = failedStage(result))
    return failureText(*failed);
  return !result.ok && std::ranges::any_of(result.diagnostics, isError) ? tr("the compile failed")
                                                                        : QString();
}

} // namespace tilescope::views
