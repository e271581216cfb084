// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/stages/StageColumn.h"

#include "views/common/FindBar.h"
#include "views/common/Theme.h"
#include "views/stages/ColumnHeader.h"
#include "views/stages/StageFacts.h"

#include <QLabel>
#include <QVBoxLayout>

namespace tilescope::views {

using compiler::CompileResult;
using compiler::Stage;
using compiler::StageId;
using With = Comparison::With;

StageColumn::StageColumn(StageId stage, FocusState *focus, QWidget *parent)
    : QWidget(parent), m_stage(stage), m_focus(focus), m_header(new ColumnHeader(stage, this)),
      m_view(new CodeView(this)), m_note(new QLabel(m_view)), m_findBar(new FindBar(this)) {
  m_note->setWordWrap(true);
  m_note->setProperty("tone", QStringLiteral("warning"));
  m_note->setProperty("panel", true);
  m_note->setMargin(6);
  m_note->setAttribute(Qt::WA_TransparentForMouseEvents);
  m_note->hide();
  // The text has its new size only behind the view's own event.
  m_view->viewport()->installEventFilter(this);
  const std::string_view title = compiler::stageTitle(stage);
  m_view->setAccessibleName(QString::fromUtf8(title.data(), static_cast<qsizetype>(title.size())));
  setFocusProxy(m_view);
  auto *layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(m_header);
  layout->addWidget(m_view, 1);
  layout->addWidget(m_findBar);
  connectState();
  updateHeader();
}

void StageColumn::connectState() {
  connect(m_header, &ColumnHeader::passChosen, this, &StageColumn::setPass);
  connect(m_header, &ColumnHeader::left, m_view, [this] { m_view->setFocus(); });
  connect(m_header, &ColumnHeader::comparisonChosen, this, [this](const Comparison &) {
    m_other.reset();
    m_whyNoOther.clear();
    askForPasses();
    Q_EMIT choiceChanged();
    showChoice();
  });
  connect(m_view, &CodeView::lineHovered, this, &StageColumn::hoverLine);
  connect(m_view, &CodeView::typedInto, this, &StageColumn::typedInto);
  connect(m_view, &CodeView::lineActivated, this, &StageColumn::activateLine);
  connect(m_findBar, &FindBar::findRequested, this, &StageColumn::search);
  connect(m_findBar, &FindBar::closed, m_view, &CodeView::clearFind);
  connect(m_findBar, &FindBar::closed, m_view, [this] { m_view->setFocus(); });
  connect(m_focus, &FocusState::hoveredChanged, this,
          [this](const Focus &f, const QObject *author) {
            followFocus(f.empty() ? m_focus->selected() : f, author, false);
          });
  connect(m_focus, &FocusState::selectedChanged, this,
          [this](const Focus &f, const QObject *author) { followFocus(f, author, true); });
}

/// What the machine lacks to make stages after PTX; empty when it lacks nothing.
static QString machineLack(const CompileResult &result) {
  for (const compiler::Diagnostic &diagnostic : result.diagnostics)
    if (isMachineLack(diagnostic)) {
      QStringList words{QString::fromStdString(diagnostic.message)};
      for (const std::string &note : diagnostic.notes)
        words << QString::fromStdString(note);
      return words.join(QStringLiteral(": "));
    }
  return {};
}

void StageColumn::setResult(const std::shared_ptr<const Correlation> &correlation) {
  const CompileResult &result = *correlation->result();
  const Stage *stage = result.stage(m_stage);
  m_stale = !stage || !stage->ok;
  m_outdated = false;
  m_failure = m_stale ? whyFailed(result) : QString();
  m_lack = m_stale && m_failure.isEmpty() ? machineLack(result) : QString();
  m_isBeforeEntry = !result.stages.empty() && m_stage < result.stages.front().id;
  if (!m_stale) {
    m_shown = correlation;
    if (result.ok)
      m_whole = correlation;
    showContent();
    return;
  }
  // A compile that an edit cut short has replaced some columns, but not all.
  if (m_whole && m_whole != m_shown) {
    m_shown = m_whole;
    showContent();
  }
  if (m_isBeforeEntry) {
    m_shown.reset();
    m_whole.reset();
    chooseNothing();
  }
  m_view->setStale(m_shown != nullptr);
  updateHeader();
}

void StageColumn::restore(const std::shared_ptr<const Correlation> &kept) {
  clear();
  const Stage *stage = kept ? kept->result()->stage(m_stage) : nullptr;
  if (stage && stage->ok && !stage->text.empty()) {
    m_shown = m_whole = kept;
    return showContent();
  }
  m_header->setFacts(tr("compiling…"));
}

void StageColumn::clear() {
  m_shown.reset();
  m_whole.reset();
  m_baseline.reset();
  m_other.reset();
  m_failure.clear();
  m_lack.clear();
  m_stale = m_outdated = false;
  m_isBeforeEntry = false;
  m_view->setStale(false);
  chooseNothing();
  updateHeader();
}

/// Nothing is on show.
void StageColumn::chooseNothing() {
  m_view->setText({}, stageLanguage(m_stage));
  m_map = {};
  m_lines.clear();
  m_costs.clear();
  m_said.clear();
}

void StageColumn::setOutdated(const QString &shown) {
  if (m_outdated)
    return;
  m_outdatedText = shown;
  m_outdated = true;
  m_view->setStale(m_shown != nullptr);
  updateHeader();
}

// What is shown
// -------------------------------------------------------------------------------------

void StageColumn::setPass(const std::optional<PassKey> &pass) {
  if (pass == m_pass)
    return;
  m_pass = pass;
  askForPasses();
  listPasses();
  Q_EMIT choiceChanged();
  showChoice();
}

void StageColumn::stepPass(bool forward) {
  if (!m_shown)
    return;
  const CompileResult &result = *m_shown->result();
  // Behind the last one is the stage itself.
  std::vector<std::optional<PassKey>> stops;
  for (size_t i = 0; i < result.passes.size(); ++i)
    if (result.passes[i].stage == m_stage &&
        (result.passes[i].changed || passKey(result, i) == m_pass))
      stops.emplace_back(passKey(result, i));
  stops.emplace_back(std::nullopt);
  const auto at = std::ranges::find(stops, m_pass);
  if (at == stops.end())
    return setPass(std::nullopt);
  if (forward ? at + 1 != stops.end() : at != stops.begin())
    setPass(forward ? *(at + 1) : *(at - 1));
}

void StageColumn::setFollowedPass(const std::optional<PassKey> &pass) {
  if (pass == m_followed)
    return;
  const std::optional<PassKey> before = shownPass();
  m_followed = pass;
  if (shownPass() == before)
    return;
  askForPasses();
  listPasses();
  Q_EMIT choiceChanged();
  showChoice();
}

const std::optional<PassKey> &StageColumn::shownPass() const {
  return m_followed && m_followed->stage == m_stage ? m_followed : m_pass;
}

void StageColumn::setComparison(const Comparison &comparison) {
  if (comparison == m_header->comparison())
    return;
  m_header->setComparison(comparison);
  Q_EMIT m_header->comparisonChosen(comparison);
}

const Comparison &StageColumn::comparison() const { return m_header->comparison(); }

void StageColumn::setOffers(const std::vector<ComparisonOffer> &offers) {
  m_header->setOffers(offers);
}

void StageColumn::setBaseline(std::shared_ptr<const CompileResult> baseline) {
  if (baseline == m_baseline)
    return;
  m_baseline = std::move(baseline);
  if (comparison().with == With::Baseline)
    showContent();
}

void StageColumn::setOther(std::shared_ptr<const CompileResult> other, const QString &why) {
  if (other == m_other && why == m_whyNoOther)
    return;
  m_other = std::move(other);
  m_whyNoOther = why;
  if (comparison().with == With::Other)
    showContent();
}

bool StageColumn::needsPasses() const {
  return shownPass().has_value() || comparison().with == With::PreviousPass;
}

void StageColumn::askForPasses() {
  if (std::exchange(m_hasAskedForPasses, needsPasses()) != needsPasses())
    Q_EMIT passIrWanted(needsPasses());
}

// Places
// --------------------------------------------------------------------------------------------

void StageColumn::placeNote() {
  const QRect text = m_view->viewport()->geometry();
  const int height = m_note->isHidden() ? 0 : m_note->heightForWidth(text.width());
  m_note->setGeometry(text.left(), m_shown ? text.bottom() + 1 - height : text.top(), text.width(),
                      height);
  m_view->setCoveredHeight(height);
}

bool StageColumn::eventFilter(QObject *watched, QEvent *event) {
  if (event->type() == QEvent::Resize || event->type() == QEvent::FontChange)
    placeNote();
  return QWidget::eventFilter(watched, event);
}

void StageColumn::showEvent(QShowEvent *event) {
  QWidget::showEvent(event);
  // Once it has its size.
  QMetaObject::invokeMethod(this, &StageColumn::revealChosen, Qt::QueuedConnection);
}

void StageColumn::changeEvent(QEvent *event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange)
    updateHeader();
}

QWidget *StageColumn::header() const { return m_header; }
QComboBox &StageColumn::passField() { return m_header->passField(); }
QComboBox &StageColumn::comparisonField() { return m_header->comparisonField(); }
QString StageColumn::headerText() const { return m_header->factsText(); }
QString StageColumn::staleText() const { return m_note->isHidden() ? QString() : m_note->text(); }

int32_t StageColumn::stageLineOf(int32_t row) const {
  if (shownPass() || row < 0)
    return -1;
  if (m_lines.empty())
    return row;
  return row < static_cast<int32_t>(m_lines.size()) ? m_lines[static_cast<size_t>(row)].newLine
                                                    : -1;
}

int32_t StageColumn::rowOf(int32_t stageLine) const {
  if (shownPass() || stageLine < 0)
    return -1;
  if (m_lines.empty())
    return stageLine;
  const auto row = std::ranges::find(m_lines, stageLine, &DiffLine::newLine);
  return row == m_lines.end() ? -1 : static_cast<int32_t>(row - m_lines.begin());
}

/// Of a line that is not one of the stage's text, the source that it came from.
Focus StageColumn::focusOf(int line, int column) const {
  Focus focus;
  focus.sources = documentSources(m_map, static_cast<uint32_t>(line));
  if (const int32_t at = stageLineOf(line); at >= 0) {
    focus.stage = m_stage;
    focus.position = {static_cast<uint32_t>(at), static_cast<uint32_t>(column)};
  } else if (!focus.sources.empty()) {
    focus.position = focus.sources.front().begin;
  }
  return focus;
}

void StageColumn::hoverLine(int line) {
  if (m_shown)
    m_focus->setHovered(line < 0 ? Focus() : focusOf(line, 0), this);
}

void StageColumn::activateLine(int line, int column) {
  if (!m_shown || line < 0)
    return;
  // A line that comes from nowhere and is no place itself says nothing to other views.
  if (const Focus focus = focusOf(line, column); !focus.empty())
    m_focus->setSelected(focus, this);
}

void StageColumn::followFocus(const Focus &focus, const QObject *author, bool reveal) {
  if (!m_shown)
    return;
  relate(focus);
  if (focus.stage == m_stage && reveal)
    if (const int32_t row = rowOf(static_cast<int32_t>(focus.position.line)); row >= 0)
      m_view->setCurrentLine(row);
  if (reveal && author != this)
    align();
}

void StageColumn::relate(const Focus &focus) {
  m_view->setRelations(
      relateLines(m_map, static_cast<size_t>(m_view->document().numLines()), focus.sources));
}

void StageColumn::align() {
  if (isVisible())
    m_view->revealRelated();
  else
    m_isRevealDue = true;
}

void StageColumn::openFind() {
  const QString selected = m_view->selectedText();
  m_findBar->open(FindBar::Mode::Find, selected);
}

void StageColumn::search(bool forward, bool) {
  m_view->find(m_findBar->pattern(), m_findBar->options(), forward);
  m_findBar->setMatch(m_view->matchPlace());
}

} // namespace tilescope::views
