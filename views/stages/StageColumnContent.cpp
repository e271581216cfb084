// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// What a StageColumn shows: a stage, the IR behind a pass, or in what it differs from another one.
#include "views/stages/ColumnHeader.h"
#include "views/stages/HeatAside.h"
#include "views/stages/SassAside.h"
#include "views/stages/StageColumn.h"
#include "views/stages/StageCosts.h"
#include "views/stages/StageFacts.h"

#include <QLabel>

#include <utility>

namespace tilescope::views {

using compiler::CompileResult;
using compiler::PassRecord;
using compiler::Stage;
using compiler::StageId;
using With = Comparison::With;

static QString titleOf(StageId stage) {
  const std::string_view title = compiler::stageTitle(stage);
  return QString::fromUtf8(title.data(), static_cast<qsizetype>(title.size()));
}

/// What the window calls the text of a result's document; empty: it is not there.
static std::string_view documentText(const CompileResult &result) {
  return result.files.empty() ? std::string_view() : std::string_view(result.files.front().text);
}

void StageColumn::showChoice() {
  m_isRevealDue = true;
  showContent();
}

/// What a pointer rests on meanwhile is not what the user is at.
void StageColumn::revealChosen() {
  if (!isVisible() || m_view->document().numLines() == 0 || !std::exchange(m_isRevealDue, false))
    return;
  relate(m_focus->selected());
  m_view->revealRelated();
  if (!m_focus->hovered().empty())
    relate(m_focus->hovered());
}

void StageColumn::showContent() {
  if (!m_shown)
    return;
  m_view->setStale(isStale());
  listPasses();
  switch (comparison().with) {
  case With::Nothing:
    if (const auto shown = columnText(*m_shown->result(), m_stage, shownPass())) {
      showText(*shown);
      return revealChosen();
    }
    return showMissing(missingPass());
  case With::PreviousPass:
    return showPassDiff();
  case With::Baseline:
    return showDiffWith(m_baseline.get(), tr("there is no baseline yet"), tr("since the baseline"));
  case With::Other:
    // It may be of an earlier text.
    return showDiffWith(m_other.get(), m_whyNoOther,
                        tr("against %1 %2").arg(comparison().title, m_whyNoOther).trimmed());
  }
}

/// What is shown beside machine code whose cubin is known.
static std::unique_ptr<CodeAside> asideOf(const CompileResult &result, StageId stage) {
  const Stage *cubin = result.stage(StageId::Cubin);
  if (stage != StageId::Sass || !cubin || cubin->text.empty())
    return nullptr;
  auto aside = std::make_unique<SassAside>(result.stage(stage)->text, cubin->text);
  return aside->isKnown() ? std::move(aside) : nullptr;
}

void StageColumn::showText(const ColumnText &shown) {
  const bool isSameText = m_lines.empty() && m_view->document().text() == shown.text;
  // The same machine code as before has its columns.
  const bool isSame = m_view->aside() && isSameText;
  if (!isSameText || m_costs.isEmpty())
    m_costs = costFacts(countCosts(m_stage, shown.text));
  m_lines.clear();
  m_said.clear();
  m_map = *shown.map;
  m_view->setText(std::string(shown.text), shown.language);
  // Lines of the same text may have come from others.
  if (!isSame || (m_heat && m_stage != StageId::Sass))
    showAside();
  const auto numLines = static_cast<size_t>(m_view->document().numLines());
  m_view->setTints(m_focus->tints().of(sourceLinesOf(m_map, numLines)));
  relate(m_focus->hovered().empty() ? m_focus->selected() : m_focus->hovered());
  updateHeader();
  Q_EMIT rowsChanged();
}

/// What is beside the text: the columns of machine code, and heat in front of them.
void StageColumn::showAside() {
  std::unique_ptr<CodeAside> aside = asideOf(*m_shown->result(), m_stage);
  if (m_heat)
    if (auto marks = heatMarks(*m_heat, m_stage, m_view->document().text(), m_map); !marks.empty())
      aside = std::make_unique<HeatAside>(std::move(marks), std::move(aside));
  m_view->setAside(std::move(aside));
}

void StageColumn::setHeat(SampleHeatPointer heat) {
  if (heat == m_heat)
    return;
  m_heat = std::move(heat);
  if (m_shown && m_lines.empty())
    showAside();
}

void StageColumn::showMissing(const QString &why) {
  if (const auto whole = columnText(*m_shown->result(), m_stage, std::nullopt))
    showText(*whole);
  say(why);
}

/// In place of the facts, until something else is shown.
void StageColumn::say(const QString &what) {
  m_said = what;
  m_header->setFacts(what);
}

/// Why there is no IR behind the chosen pass.
QString StageColumn::missingPass() const {
  const CompileResult &result = *m_shown->result();
  if (!shownPass())
    return tr("not compiled yet");
  const std::optional<size_t> index = findPass(result, *shownPass());
  if (!index)
    return tr("this compile runs no %1").arg(passTitle(*shownPass()));
  return result.passes[*index].failed ? tr("%1 failed").arg(passTitle(*shownPass()))
                                      : tr("the passes are being recorded…");
}

void StageColumn::showPassDiff() {
  const PassStep step = passStep(*m_shown->result(), m_stage, shownPass());
  if (step.before && step.after)
    return showDiff(*step.before, *step.after, tr("by %1").arg(shortPassName(step.pass->name)));
  if (!step.pass)
    return showMissing(!step.isRecorded ? tr("the passes are being recorded…")
                       : shownPass()    ? missingPass()
                                        : tr("no pass of this stage changed anything"));
  if (!step.after)
    return showMissing(!step.isRecorded
                           ? tr("the passes are being recorded…")
                           : tr("the IR around %1, the last pass that changed something, is not "
                                "recorded")
                                 .arg(shortPassName(step.pass->name)));
  showText(*step.after);
  revealChosen();
  say(tr("%1 translated the code: nothing before it is in this form")
          .arg(shortPassName(step.pass->name)));
}

void StageColumn::showDiffWith(const CompileResult *other, const QString &lacking,
                               const QString &label) {
  const auto after = columnText(*m_shown->result(), m_stage, shownPass());
  if (!after)
    return showMissing(missingPass());
  const auto before = other ? columnText(*other, m_stage, shownPass()) : std::nullopt;
  if (before) {
    // Its lines point into the text of its time.
    const compiler::SourceMap moved =
        movedSources(*before->map, documentText(*other), documentText(*m_shown->result()));
    return showDiff({before->text, &moved, before->language}, *after, label);
  }
  showText(*after);
  const QString what =
      shownPass() ? tr("IR after %1").arg(passTitle(*shownPass())) : titleOf(m_stage);
  say(!other ? lacking
      : comparison().with == With::Baseline
          ? tr("the baseline has no %1 to compare with").arg(what)
          : tr("%1 has no %2 to compare with").arg(comparison().title, what));
}

void StageColumn::showDiff(const ColumnText &before, const ColumnText &after,
                           const QString &label) {
  UnifiedDiff diff = unifiedIrDiff(before.text, after.text);
  m_map = diffSources(diff.lines, *before.map, *after.map);
  m_lines = diff.lines;
  m_costs.clear();
  m_said.clear();
  m_view->setText(std::move(diff.text), after.language);
  // Some tints look like those of lines that were removed or added.
  m_view->setTints({});
  m_view->setDiff(std::move(diff.lines));
  relate(m_focus->selected());
  revealChosen();
  updateHeader();
  Q_EMIT rowsChanged();
  const QString change =
      diff.numAdded + diff.numRemoved == 0
          ? tr("no changes %1").arg(label)
          : tr("+%1 \u2212%2 lines %3").arg(diff.numAdded).arg(diff.numRemoved).arg(label);
  const bool isNamed = !shownPass() || comparison().with == With::PreviousPass;
  say(isNamed ? change : tr("after %1: %2").arg(passTitle(*shownPass()), change));
}

/// Those that changed something; of a compile that did not look, all.
void StageColumn::listPasses() {
  std::vector<PassKey> changed, all;
  const CompileResult *result = m_shown ? m_shown->result().get() : nullptr;
  for (size_t i = 0; result && i < result->passes.size(); ++i) {
    const PassRecord &record = result->passes[i];
    if (record.stage != m_stage || record.failed)
      continue;
    all.push_back(passKey(*result, i));
    // A pass that is shown stands at its place, also where it changed nothing.
    if (record.changed || all.back() == shownPass())
      changed.push_back(all.back());
  }
  m_header->setPasses(changed.empty() ? all : changed, shownPass());
}

void StageColumn::updateHeader() {
  QStringList facts;
  if (m_shown) {
    const CompileResult &result = *m_shown->result();
    // First what it costs: a narrow row shows no more.
    if (shownPass())
      facts << tr("after %1").arg(passTitle(*shownPass()));
    else
      facts << machineFacts(result, m_stage);
    facts << m_costs;
    if (!result.target.empty())
      facts << QString::fromStdString(result.target);
    if (!shownPass())
      facts << stageFacts(result, m_stage);
    const double mapped = shownPass() ? 0 : m_shown->mappedShare(m_stage);
    if (mapped > 0)
      facts << tr("%1 % mapped").arg(qRound(mapped * 100));
  }
  m_header->setFacts(m_shown && !m_said.isEmpty() ? m_said
                     : !facts.isEmpty()           ? facts.join(QStringLiteral("  ·  "))
                     : m_isBeforeEntry            ? tr("none: the document starts at a later stage")
                     : m_outdated                 ? tr("compiling…")
                     : !m_lack.isEmpty()          ? tr("not available on this machine")
                                                  : tr("not compiled yet"));
  // Its height takes a layout of its text: every stage of a compile brings the same one again.
  const QString note = noteText();
  if (note == m_note->text() && m_note->isHidden() == note.isEmpty())
    return;
  m_note->setText(note);
  m_note->setVisible(!note.isEmpty());
  placeNote();
}

QString StageColumn::noteText() const {
  // Why an earlier text failed is not said of this one.
  if (m_outdated)
    return m_shown
               ? tr("Stale: this shows %1; the newest text is being compiled.").arg(m_outdatedText)
               : QString();
  if (!m_stale || m_isBeforeEntry)
    return {};
  if (!m_lack.isEmpty())
    return m_lack;
  if (m_failure.isEmpty())
    return {};
  return m_shown ? tr("Stale: %1. This is the last good %2.").arg(m_failure, titleOf(m_stage))
                 : tr("Nothing yet: %1. Problems says why; %2 appears here as soon as the kernel "
                      "compiles.")
                       .arg(m_failure, titleOf(m_stage));
}

} // namespace tilescope::views
