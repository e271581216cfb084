// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/trace/TraceView.h"

#include "profiler/analysis/TraceFigures.h"
#include "views/common/ElidedComboBox.h"
#include "views/common/ElidedLabel.h"
#include "views/common/FlowLayout.h"
#include "views/trace/TraceCanvas.h"

#include <QComboBox>
#include <QPushButton>
#include <QSignalBlocker>
#include <QToolButton>

namespace tilescope::views {

static QString text(const std::string &value) { return QString::fromStdString(value); }

TraceView::TraceView(FocusState *focus, QWidget *parent)
    : PictureView(parent), m_focus(focus), m_title(new ElidedLabel(this)),
      m_cost(new ElidedLabel(this)), m_programs(new ElidedComboBox(this)),
      m_windowLabel(new ElidedLabel(this)), m_canvas(new TraceCanvas(this)) {
  m_canvas->setAccessibleName(tr("Picture of what warps did when"));
  m_canvas->setToolTip(
      tr("Arrow keys go from bar to bar, Enter shows its line. X shows less of the "
         "time, Shift+X more, A and D go back and ahead, W shows all of it."));
  setParts(createBar(createFields(), createButtons()),
           createHeader({m_title, m_cost, m_windowLabel}), m_canvas);
  auto *record = new QPushButton(tr("Record a trace on a GPU"), this);
  connect(record, &QPushButton::clicked, this, &TraceView::traceRequested);
  offerInEmpty({record});
  setFocusProxy(m_canvas);
  connectState();
  clear(tr("No kernel was traced yet."));
}

QWidget *TraceView::createFields() {
  m_programs->setAccessibleName(tr("Which program is shown"));
  m_programs->setToolTip(tr("The programs of the grid that recorded"));
  m_programs->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  m_programs->setMinimumContentsLength(14);
  auto *fields = new QWidget(this);
  auto *flow = new FlowLayout(fields);
  flow->setContentsMargins(0, 0, 0, 0);
  flow->addWidget(m_programs);
  return fields;
}

QList<QWidget *> TraceView::createButtons() {
  constexpr double kStep = 2;
  const auto add = [this](const QString &label, const QString &name, const auto &action) {
    auto *button = new QToolButton(this);
    button->setText(label);
    button->setToolTip(name);
    button->setAccessibleName(name);
    connect(button, &QToolButton::clicked, this, action);
    return button;
  };
  return {add(QStringLiteral("−"), tr("More of the time (Shift+X)"),
              [this] { m_canvas->zoomTime(1 / kStep, m_canvas->timeOfInterest()); }),
          add(QStringLiteral("+"), tr("Less of the time (X)"),
              [this] { m_canvas->zoomTime(kStep, m_canvas->timeOfInterest()); }),
          add(tr("All"), tr("All of the time (W)"), [this] { m_canvas->showWhole(); })};
}

void TraceView::connectState() {
  connect(m_programs, &QComboBox::currentIndexChanged, this, &TraceView::showProgram);
  connect(m_canvas, &PictureCanvas::placeHovered, this, &TraceView::pointAt);
  connect(m_canvas, &PictureCanvas::placePinned, this, &TraceView::pin);
  connect(m_canvas, &TraceCanvas::windowChanged, this, &TraceView::updateWindow);
  connect(m_focus, &FocusState::selectedChanged, this, &TraceView::follow);
}

void TraceView::setContent(TraceContentPointer content) {
  if (content == m_content)
    return;
  const int64_t before = program();
  m_content = std::move(content);
  const QSignalBlocker blocker(m_programs);
  m_programs->clear();
  for (const int64_t each : profiler::tracedPrograms(m_content->trace))
    m_programs->addItem(tr("program %1").arg(each), QVariant::fromValue<qlonglong>(each));
  const int same = m_programs->findData(QVariant::fromValue<qlonglong>(before));
  m_programs->setCurrentIndex(std::max(same, 0));
  m_cost->setText(text(profiler::traceCostText(m_content->trace)));
  showContent();
  setStaleNote({});
  showProgram();
  follow();
}

void TraceView::clear(const QString &why, bool offersBlock) {
  m_content.reset();
  m_programs->clear();
  m_canvas->setProgram(nullptr, 0);
  showNothing(why, offersBlock);
}

int64_t TraceView::program() const {
  return m_content && m_programs->currentIndex() >= 0 ? m_programs->currentData().toLongLong() : -1;
}

void TraceView::showProgram() {
  if (program() < 0)
    return;
  m_title->setText(
      text(m_content->kernel) + QStringLiteral(" · ") +
      text(profiler::traceProgramText(m_content->trace, program())) +
      (m_content->origin.isEmpty() ? QString() : QStringLiteral(" · ") + m_content->origin));
  m_canvas->setProgram(m_content, program());
  pointAt(-1);
}

void TraceView::updateWindow() {
  if (!m_content)
    return m_windowLabel->setText({});
  const profiler::TraceWindow &window = m_canvas->window(), &whole = m_canvas->whole();
  m_windowLabel->setText(
      window == whole
          ? tr("all of the time is in sight")
          : tr("%1 in sight, from %2")
                .arg(text(profiler::traceDurationText(m_content->trace, window.length())),
                     text(profiler::traceDurationText(m_content->trace,
                                                      window.begin - whole.begin))));
}

SourceRange TraceView::rangeOf(int bar) const {
  if (!m_content || bar < 0 || static_cast<size_t>(bar) >= m_canvas->picture().bars().size())
    return {};
  const profiler::TraceScope *scope = m_canvas->picture().bars()[static_cast<size_t>(bar)].scope;
  const bool isHere = scope && scope->line &&
                      (m_content->sourcePath.empty() || scope->file == m_content->sourcePath);
  if (!isHere)
    return {};
  const Position begin{*scope->line, scope->column.value_or(0)};
  return {begin, {begin.line, begin.column + 1}, 0};
}

void TraceView::pointAt(int bar) {
  m_canvas->setHighlighted(bar);
  markSource(rangeOf(bar));
  if (!m_content || bar < 0)
    return setInfo(m_content ? tr("Point at a bar, or press an arrow key, to read what it is.")
                             : QString(),
                   {m_canvas});
  setInfo(
      text(profiler::traceBarText(m_content->trace, m_canvas->picture(), static_cast<size_t>(bar))),
      {m_canvas});
}

void TraceView::pin(int bar) {
  const SourceRange range = rangeOf(bar);
  if (!range.empty())
    Q_EMIT placeShown(range);
  pointAt(bar);
}

/// All views mark what belongs to what is pointed at.
void TraceView::markSource(const SourceRange &range) {
  Focus focus;
  if (!range.empty() && !isStale())
    focus = {std::nullopt, range.begin, {range}};
  if (!focus.empty() || std::exchange(m_marksSource, false)) {
    m_marksSource = !focus.empty();
    m_focus->setHovered(focus, this);
  }
}

void TraceView::follow() {
  const Focus &selected = m_focus->selected();
  int64_t line = -1;
  if (!isStale())
    for (const SourceRange &range : selected.sources)
      if (range.file == 0 && line < 0)
        line = range.begin.line;
  m_canvas->setMarkedLine(line);
}

QString TraceView::titleText() const { return m_title->text(); }
QString TraceView::costText() const { return m_cost->text(); }
QString TraceView::windowText() const { return m_windowLabel->text(); }

void TraceView::changeEvent(QEvent *event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange)
    m_canvas->viewport()->update();
}

ExportedPicture TraceView::exported() const {
  return {{titleText(), costText(), windowText(), infoText()},
          m_canvas->heightFor(kExportWidth),
          [this](QPainter &painter, const QRectF &target) { m_canvas->render(painter, target); }};
}

} // namespace tilescope::views
