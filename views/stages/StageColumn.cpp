// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/stages/StageColumn.h"

#include "views/common/ElidedLabel.h"
#include "views/common/FindBar.h"
#include "views/common/Theme.h"
#include "views/stages/SassAside.h"
#include "views/stages/StageFacts.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QLabel>
#include <QVBoxLayout>

namespace tilescope::views {

using compiler::CompileResult;
using compiler::PassRecord;
using compiler::Stage;
using compiler::StageId;

static QString titleOf(StageId stage) {
  const std::string_view title = compiler::stageTitle(stage);
  return QString::fromUtf8(title.data(), static_cast<qsizetype>(title.size()));
}

StageColumn::StageColumn(StageId stage, FocusState *focus, QWidget *parent)
    : QWidget(parent), m_stage(stage), m_focus(focus), m_header(new QWidget(this)),
      m_facts(new ElidedLabel(m_header)), m_mode(new QComboBox(m_header)),
      m_view(new CodeView(this)), m_note(new QLabel(m_view)), m_findBar(new FindBar(this)) {
  m_facts->setProperty("muted", true);
  const auto addMode = [this](const QString &name, Mode mode, const QString &meaning) {
    m_mode->addItem(name, static_cast<int>(mode));
    m_mode->setItemData(m_mode->count() - 1, meaning, Qt::ToolTipRole);
  };
  addMode(tr("Content"), Mode::Content, tr("The stage itself"));
  addMode(tr("Diff to baseline"), Mode::DiffBaseline,
          tr("The lines that differ from the baseline: the first version of this kernel that "
             "compiled since its file was opened, or the one at which Ctrl+Shift+B was pressed"));
  // Passes make what is written in IR.
  if (const TextLanguage language = stageLanguage(stage);
      language == TextLanguage::Mlir || language == TextLanguage::Llvm)
    addMode(tr("Diff by last pass"), Mode::DiffPass,
            tr("The lines that the last pass of this stage changed"));
  m_mode->setToolTip(tr("What the column shows: the stage itself, its lines that differ from the "
                        "baseline (Ctrl+Shift+B sets it), or those that its last pass changed"));
  // The facts have the room; the list is as wide as its entries.
  m_mode->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  m_mode->setMinimumContentsLength(6);
  m_mode->view()->setMinimumWidth(m_mode->view()->sizeHintForColumn(0) + scaledPx(24));
  // In a narrow column the text has the room.
  m_mode->setMinimumWidth(scaledPx(72));
  m_note->setWordWrap(true);
  m_note->setProperty("tone", QStringLiteral("warning"));
  m_note->setProperty("panel", true);
  m_note->setMargin(6);
  m_note->setAttribute(Qt::WA_TransparentForMouseEvents);
  m_note->hide();
  m_view->installEventFilter(this);
  m_view->setAccessibleName(titleOf(stage));
  setFocusProxy(m_view);

  m_header->setProperty("bar", true);
  m_header->setAttribute(Qt::WA_StyledBackground);
  auto *headerLayout = new QHBoxLayout(m_header);
  headerLayout->setContentsMargins(2, 2, 6, 2);
  headerLayout->addWidget(m_facts, 1);
  headerLayout->addWidget(m_mode);
  auto *layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(m_header);
  layout->addWidget(m_view, 1);
  layout->addWidget(m_findBar);

  connect(m_mode, &QComboBox::currentIndexChanged, this, [this] {
    Q_EMIT passIrWanted(mode() == Mode::DiffPass);
    showContent();
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
  updateHeader();
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
    m_view->setText({}, stageLanguage(m_stage));
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
  m_facts->setText(tr("compiling…"));
}

void StageColumn::clear() {
  m_shown.reset();
  m_whole.reset();
  m_baseline.reset();
  m_failure.clear();
  m_lack.clear();
  m_stale = m_outdated = false;
  m_isBeforeEntry = false;
  m_view->setStale(false);
  m_view->setText({}, stageLanguage(m_stage));
  updateHeader();
}

void StageColumn::setOutdated(const QString &shown) {
  if (!m_shown || m_outdated)
    return;
  m_outdatedText = shown;
  m_outdated = true;
  m_view->setStale(true);
  updateHeader();
}

void StageColumn::setBaseline(std::shared_ptr<const CompileResult> baseline) {
  if (baseline == m_baseline)
    return;
  m_baseline = std::move(baseline);
  if (mode() == Mode::DiffBaseline)
    showContent();
}

StageColumn::Mode StageColumn::mode() const {
  return static_cast<Mode>(m_mode->currentData().toInt());
}

void StageColumn::setMode(Mode mode) {
  m_mode->setCurrentIndex(std::max(0, m_mode->findData(static_cast<int>(mode))));
}

void StageColumn::showContent() {
  if (!m_shown)
    return;
  m_view->setStale(isStale());
  updateHeader();
  switch (mode()) {
  case Mode::Content:
    return showText();
  case Mode::DiffBaseline:
    return showBaselineDiff();
  case Mode::DiffPass:
    return showPassDiff();
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

void StageColumn::showText() {
  const CompileResult &result = *m_shown->result();
  const std::string &text = result.stage(m_stage)->text;
  // The same machine code as before has its columns.
  const bool isSame = m_view->aside() && m_view->document().text() == text;
  m_view->setText(text, stageLanguage(m_stage));
  if (!isSame)
    m_view->setAside(asideOf(result, m_stage));
  m_view->setTints(m_focus->tints().of(m_shown->sourceLines(m_stage)));
  const Focus &focus = m_focus->hovered().empty() ? m_focus->selected() : m_focus->hovered();
  m_view->setRelations(m_shown->relate(m_stage, focus.sources));
}

void StageColumn::showBaselineDiff() {
  const Stage *before = m_baseline ? m_baseline->stage(m_stage) : nullptr;
  if (!before || before->text.empty()) {
    showText();
    m_facts->setText(tr("the baseline has no %1 to compare with").arg(titleOf(m_stage)));
    return;
  }
  showDiff(before->text, m_shown->result()->stage(m_stage)->text, tr("since the baseline"));
}

void StageColumn::showPassDiff() {
  const std::vector<PassRecord> &passes = m_shown->result()->passes;
  const PassRecord *last = nullptr, *before = nullptr, *recorded = nullptr;
  for (const PassRecord &record : passes) {
    if (record.stage == m_stage && record.changed) {
      last = &record;
      before = recorded;
    }
    if (record.changed && !record.ir.empty())
      recorded = &record;
  }
  if (last && before && !last->ir.empty())
    return showDiff(before->ir, last->ir, tr("by %1").arg(QString::fromStdString(last->name)));
  showText();
  m_facts->setText(!recorded ? tr("the passes are being recorded…")
                   : !last   ? tr("no pass of this stage changed anything")
                             : tr("the IR around %1, the last pass that changed something, is not "
                                    "recorded")
                                 .arg(QString::fromStdString(last->name)));
}

void StageColumn::showDiff(std::string_view before, std::string_view after, const QString &label) {
  const UnifiedDiff diff = unifiedIrDiff(before, after);
  m_view->setText(diff.text, stageLanguage(m_stage));
  m_view->setTints({});
  m_view->setDiff(diff.lines);
  m_facts->setText(
      diff.numAdded + diff.numRemoved == 0
          ? tr("no changes %1").arg(label)
          : tr("+%1 \u2212%2 lines %3").arg(diff.numAdded).arg(diff.numRemoved).arg(label));
}

void StageColumn::updateHeader() {
  QStringList facts;
  if (m_shown) {
    if (!m_shown->result()->target.empty())
      facts << QString::fromStdString(m_shown->result()->target);
    facts << stageFacts(*m_shown->result(), m_stage);
    const double mapped = m_shown->mappedShare(m_stage);
    if (mapped > 0)
      facts << tr("%1 % mapped").arg(qRound(mapped * 100));
  }
  m_facts->setText(!facts.isEmpty()    ? facts.join(QStringLiteral("  ·  "))
                   : m_isBeforeEntry   ? tr("none: the document starts at a later stage")
                   : !m_lack.isEmpty() ? tr("not available on this machine")
                                       : tr("not compiled yet"));
  // Its height takes a layout of its text: every stage of a compile brings the same one again.
  const QString note = noteText();
  if (note == m_note->text() && m_note->isHidden() == note.isEmpty())
    return;
  m_note->setText(note);
  m_note->setVisible(!note.isEmpty());
  placeNote();
}

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

QString StageColumn::noteText() const {
  if (m_outdated)
    return tr("Stale: this shows %1; the newest text is being compiled.").arg(m_outdatedText);
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

void StageColumn::changeEvent(QEvent *event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange)
    updateHeader();
}

QString StageColumn::headerText() const { return m_facts->text(); }
QString StageColumn::staleText() const { return m_note->isHidden() ? QString() : m_note->text(); }

void StageColumn::hoverLine(int line) {
  if (!m_shown || mode() != Mode::Content)
    return;
  if (line < 0) {
    m_focus->setHovered({}, this);
    return;
  }
  const auto at = static_cast<uint32_t>(line);
  m_focus->setHovered({m_stage, {at, 0}, m_shown->sourcesOf(m_stage, at)}, this);
}

void StageColumn::activateLine(int line, int column) {
  if (!m_shown || mode() != Mode::Content)
    return;
  const auto at = static_cast<uint32_t>(line);
  m_focus->setSelected(
      {m_stage, {at, static_cast<uint32_t>(column)}, m_shown->sourcesOf(m_stage, at)}, this);
}

void StageColumn::followFocus(const Focus &focus, const QObject *author, bool reveal) {
  if (!m_shown || mode() != Mode::Content)
    return;
  m_view->setRelations(m_shown->relate(m_stage, focus.sources));
  if (focus.stage == m_stage && reveal)
    m_view->setCurrentLine(static_cast<int32_t>(focus.position.line));
  if (reveal && author != this && isVisible())
    m_view->revealRelated();
}

void StageColumn::align() { m_view->revealRelated(); }

void StageColumn::openFind() {
  const QString selected = m_view->selectedText();
  m_findBar->open(FindBar::Mode::Find, selected);
}

void StageColumn::search(bool forward, bool) {
  m_view->find(m_findBar->pattern(), m_findBar->options(), forward);
  m_findBar->setMatch(m_view->matchPlace());
}

} // namespace tilescope::views
