// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/compile/PassFollower.h"

#include "app/ide/compile/IrBehindPass.h"
#include "views/stages/StageCosts.h"
#include "views/stages/StageFacts.h"

namespace tilescope::app {

using compiler::CompileResult;
using compiler::PassRecord;
using compiler::Resources;
using compiler::StageId;

static const char *const kKey = "pass";

PassFollower::PassFollower(SideCompiles *side, CompileController *compile, QObject *parent)
    : QObject(parent), m_side(side), m_compile(compile) {
  connect(m_compile, &CompileController::resultChanged, this,
          [this](const CorrelationPointer &, bool done) {
            if (done && m_pass)
              update(false);
          });
}

void PassFollower::follow(const std::optional<views::PassKey> &pass) {
  if (pass == m_pass)
    return;
  m_pass = pass;
  m_side->drop(kKey);
  update(true);
}

const PassRecord *PassFollower::laidOutIr() const {
  const CorrelationPointer &latest = m_compile->latest();
  if (!m_pass || !latest || m_pass->stage != StageId::Ttgir)
    return nullptr;
  const CompileResult &result = *latest->result();
  const std::optional<size_t> index = views::findPass(result, *m_pass);
  if (!index || result.passes[*index].failed ||
      (result.passes[*index].changed && result.passes[*index].ir.empty()))
    return nullptr;
  const PassRecord *record = views::recordedUpTo(result, *index);
  return record && record->stage == StageId::Ttgir ? record : nullptr;
}

/// Why there is nothing to compile on from.
static QString whyNothing(const views::PassKey &pass) {
  if (pass.stage < StageId::Ttgir)
    return PassFollower::tr("Before TTGIR, nothing has a layout yet: layouts, shared memory and "
                            "registers are those of the end.");
  if (pass.stage > StageId::Ttgir)
    return PassFollower::tr("After TTGIR, layouts and shared memory no longer change.");
  return PassFollower::tr("The passes are being recorded…");
}

void PassFollower::update(bool isHurried) {
  const PassRecord *record = laidOutIr();
  Q_EMIT said(!m_pass   ? QString()
              : !record ? whyNothing(*m_pass)
                        : tr("Compiling on from %1…").arg(views::passTitle(*m_pass)));
  if (!record)
    return Q_EMIT found(nullptr);
  compiler::WantedParts wanted{0, false, false, true, false};
  wanted.stages = 1U << static_cast<int>(StageId::Ttgir);
  const ResultPointer document = m_compile->latest()->result();
  compiler::CompileRequest request = m_compile->request();
  request.selection = document->launch.selection;
  m_side->ask(kKey, requestBehind(request, *record), wanted, isHurried,
              [this, document](const CorrelationPointer &onward) { take(onward, document); });
}

/// `40 registers, 2 KiB of shared memory, 1 layout conversion`.
static QString needText(const Resources &resources, std::string_view ttgir) {
  QStringList parts;
  if (resources.registers >= 0)
    parts << PassFollower::tr("%1 registers").arg(resources.registers);
  if (resources.spillBytes > 0)
    parts << PassFollower::tr("%1 spilled").arg(views::sizeText(resources.spillBytes));
  if (resources.sharedBytes >= 0)
    parts << PassFollower::tr("%1 of shared memory").arg(views::sizeText(resources.sharedBytes));
  const int conversions = views::countCosts(StageId::Ttgir, ttgir).conversions;
  parts << (conversions == 1 ? PassFollower::tr("1 layout conversion")
                             : PassFollower::tr("%1 layout conversions").arg(conversions));
  return parts.join(QStringLiteral(", "));
}

static std::string_view ttgirOf(const CompileResult &result) {
  const compiler::Stage *stage = result.stage(StageId::Ttgir);
  return stage ? std::string_view(stage->text) : std::string_view();
}

static QString whyFailed(const CompileResult &onward) {
  for (const compiler::Diagnostic &diagnostic : onward.diagnostics)
    if (diagnostic.severity == compiler::Severity::Error)
      return QString::fromStdString(diagnostic.message);
  return PassFollower::tr("the compile did not end");
}

void PassFollower::take(const CorrelationPointer &onward, const ResultPointer &document) {
  const PassRecord *record = laidOutIr();
  if (!record || m_compile->latest()->result() != document)
    return;
  const CompileResult &made = *onward->result();
  const ResultPointer behind = resultBehind(*document, *record, made);
  if (behind->layouts.empty()) {
    Q_EMIT said(tr("From here it does not compile on: %1.").arg(whyFailed(made)));
    return Q_EMIT found(nullptr);
  }
  const QString end = tr("At the end: %1.").arg(needText(document->resources, ttgirOf(*document)));
  const QString here =
      made.ok ? tr("If the passes to TTGIR ended here: %1.")
                    .arg(needText(made.resources, ttgirOf(*behind)))
              : tr("From here it does not compile to machine code: %1.").arg(whyFailed(made));
  Q_EMIT said(here + u' ' + end);
  Q_EMIT found(behind);
}

} // namespace tilescope::app
