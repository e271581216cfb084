// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/layout/LayoutDiagram.h"

#include "views/common/ElidedComboBox.h"
#include "views/common/ElidedLabel.h"
#include "views/common/IconButton.h"
#include "views/common/InfoLines.h"
#include "views/common/Theme.h"
#include "views/common/TurningSplitter.h"
#include "views/layout/FilteredComboBox.h"
#include "views/layout/LayoutWords.h"
#include "views/layout/SliceBoxes.h"

#include <QAccessible>
#include <QComboBox>
#include <QLabel>
#include <QScrollArea>
#include <QStandardItemModel>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace tilescope::views {

using compiler::Family;
using compiler::LayoutFacts;
using compiler::LayoutMap;

LayoutDiagram::LayoutDiagram(FocusState *focus, QWidget *parent)
    : QWidget(parent), m_focus(focus), m_values(new FilteredComboBox(this)),
      m_coloring(new ElidedComboBox(this)), m_slices(new SliceBoxes(this)),
      m_title(new ElidedLabel(this)), m_staleNote(new QLabel(this)), m_info(new ElidedLabel(this)),
      m_tensor(new DiagramCanvas(this)), m_hardware(new DiagramCanvas(this)) {
  m_title->setProperty("muted", true);
  m_title->setContentsMargins(2, 0, 8, 0);
  m_staleNote->setProperty("tone", QStringLiteral("warning"));
  m_staleNote->setWordWrap(true);
  m_staleNote->setContentsMargins(10, 4, 10, 4);
  m_staleNote->hide();
  m_info->setContentsMargins(10, 4, 10, 4);
  auto *splitter = new TurningSplitter(this);
  splitter->addWidget(m_tensor);
  splitter->addWidget(m_hardware);
  splitter->setSizes({500, 500});
  // Where there is no room for both, they keep what makes them readable.
  auto *scroll = new QScrollArea(this);
  scroll->setWidget(splitter);
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setFocusPolicy(Qt::NoFocus);
  auto *layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(createBar());
  layout->addWidget(m_staleNote);
  layout->addWidget(m_title);
  layout->addWidget(scroll, 1);
  layout->addWidget(m_info);
  setProperty("panel", true);
  setAttribute(Qt::WA_StyledBackground);
  // The keyboard arrives at the elements.
  setFocusProxy(m_tensor);
  connectState();
  rebuild();
}

QWidget *LayoutDiagram::createBar() {
  auto *bar = new QWidget(this);
  bar->setProperty("bar", true);
  bar->setAttribute(Qt::WA_StyledBackground);
  m_tensor->setAccessibleName(tr("Elements of the tensor"));
  m_hardware->setAccessibleName(tr("Registers, lanes, warps and blocks"));
  m_values->setAccessibleName(tr("Tensor"));
  m_values->setPlaceholderText(tr("Choose a value"));
  m_values->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  m_values->setMinimumContentsLength(18);
  m_coloring->addItem(tr("Color by warp"), static_cast<int>(Family::Warp));
  m_coloring->addItem(tr("Color by lane"), static_cast<int>(Family::Lane));
  m_coloring->addItem(tr("Color by register"), static_cast<int>(Family::Register));
  m_coloring->addItem(tr("Color by block"), static_cast<int>(Family::Block));
  m_coloring->setAccessibleName(tr("Coloring"));
  QToolButton *fitter = fitButton(bar), *exporter = exportButton(bar);
  auto *rows = new QVBoxLayout(bar);
  rows->setContentsMargins(8, 3, 6, 3);
  rows->setSpacing(3);
  auto *row = new QHBoxLayout;
  rows->addLayout(row);
  rows->addWidget(m_slices);
  row->setSpacing(6);
  row->addWidget(m_values, 1);
  row->addWidget(m_coloring);
  row->addWidget(fitter);
  row->addWidget(exporter);
  connect(fitter, &QToolButton::clicked, this, &LayoutDiagram::fit);
  connect(exporter, &QToolButton::clicked, this, &LayoutDiagram::exportRequested);
  return bar;
}

void LayoutDiagram::connectState() {
  connect(m_values, &QComboBox::activated, this, [this](int row) {
    if (row >= 0 && m_result)
      m_chosen = m_result->layouts[static_cast<size_t>(m_values->itemData(row).toInt())].value;
    display(chosenOrFocused());
  });
  connect(m_slices, &SliceBoxes::sliceChanged, this, &LayoutDiagram::rebuild);
  connect(m_coloring, &QComboBox::currentIndexChanged, this, [this] {
    rebuild();
    Q_EMIT coloringChanged();
  });
  for (DiagramCanvas *canvas : {m_tensor, m_hardware}) {
    connect(canvas, &DiagramCanvas::cellHovered, this,
            [this, canvas](int64_t cell) { pointAt(canvas, cell); });
    connect(canvas, &DiagramCanvas::cellPinned, this,
            [this, canvas](int64_t cell) { pin(canvas, cell); });
  }
  connect(m_focus, &FocusState::selectedChanged, this, [this] { follow(); });
}

void LayoutDiagram::setResult(std::shared_ptr<const compiler::CompileResult> result) {
  // A result without layouts (TTGIR failed) leaves the kernel's last diagram in place.
  if (result && result->layouts.empty() && !result->ok && m_result)
    return showBroken();
  m_text = ShownText::Newest;
  setStaleNote({});
  if (!result)
    m_whole.reset();
  m_result = std::move(result);
  if (m_result && m_result->ok)
    m_whole = m_result;
  m_lastShown = {};
  listValues();
  display(chosenOrFocused());
}

void LayoutDiagram::setOutdated(const QString &shown) {
  m_text = ShownText::Awaited;
  m_shownText = shown;
  if (!current())
    rebuild();
  updateStaleNote();
}

void LayoutDiagram::showBroken() {
  m_text = ShownText::Broken;
  showLastWhole();
  // The cursor may have left the value while the text was typed that does not compile.
  display(current() ? m_choice : m_lastShown);
}

void LayoutDiagram::showLastWhole() {
  if (!m_whole || m_whole == m_result)
    return;
  const int shown = current() ? m_choice.index : m_lastShown.index;
  const std::string value =
      shown < 0 ? std::string() : m_result->layouts[static_cast<size_t>(shown)].value;
  m_result = m_whole;
  listValues();
  const auto same = std::ranges::find(m_result->layouts, value, &LayoutFacts::value);
  const auto index = static_cast<int>(same - m_result->layouts.begin());
  m_choice = m_lastShown = same == m_result->layouts.end()
                               ? chooseLayout(*m_result, m_focus->selected())
                               : LayoutChoice{index, LayoutChoice::Reason::Made};
}

void LayoutDiagram::updateStaleNote() {
  if (m_text == ShownText::Newest)
    return;
  const QString note =
      m_text == ShownText::Broken
          ? tr("Stale: the newest text does not compile. This is the layout of the last good "
               "TTGIR.")
          : tr("Stale: this shows %1; the newest text is being compiled.").arg(m_shownText);
  setStaleNote(current() ? note : QString());
}

void LayoutDiagram::setStaleNote(const QString &note) {
  m_staleNote->setText(note);
  m_staleNote->setVisible(!note.isEmpty());
  keepNoteWhole();
}

/// A layout that has little room gives wrapped text less than it needs.
void LayoutDiagram::keepNoteWhole() {
  m_staleNote->setMinimumHeight(isStale() ? m_staleNote->heightForWidth(width()) : 0);
}

void LayoutDiagram::resizeEvent(QResizeEvent *event) {
  QWidget::resizeEvent(event);
  keepNoteWhole();
  giveInfoLines(*m_info, size());
}

bool LayoutDiagram::isStale() const { return !m_staleNote->isHidden(); }

void LayoutDiagram::listValues() {
  const QSignalBlocker blocker(m_values);
  m_values->clear();
  if (!m_result)
    return;
  for (const int index : listedValues(m_result->layouts))
    m_values->addItem(entryText(m_result->layouts[static_cast<size_t>(index)]), index);
}

LayoutChoice LayoutDiagram::chosenOrFocused() const {
  if (!m_result)
    return {};
  for (size_t i = 0; !m_chosen.empty() && i < m_result->layouts.size(); ++i)
    if (m_result->layouts[i].value == m_chosen)
      return {static_cast<int>(i), LayoutChoice::Reason::Made};
  return chooseLayout(*m_result, m_focus->selected());
}

void LayoutDiagram::follow() {
  // What is typed in new lines is not shown yet.
  if (m_focus->selected().isNew)
    return;
  m_chosen.clear();
  const LayoutChoice choice = chosenOrFocused();
  // Places in a text that has not been compiled are not those of what is shown.
  if (choice != m_choice && (!isStale() || choice.index >= 0))
    display(choice);
}

void LayoutDiagram::display(LayoutChoice choice) {
  m_choice = choice;
  if (choice.index >= 0)
    m_lastShown = choice;
  const QSignalBlocker blocker(m_values);
  m_values->setCurrentIndex(choice.index < 0 ? -1 : m_values->findData(choice.index));
  m_slices->setTensor(current());
  rebuild();
  updateStaleNote();
}

const LayoutFacts *LayoutDiagram::current() const {
  return m_result && m_choice.index >= 0 ? &m_result->layouts[static_cast<size_t>(m_choice.index)]
                                         : nullptr;
}

void LayoutDiagram::setColoring(Family family) {
  m_coloring->setCurrentIndex(m_coloring->findData(static_cast<int>(family)));
}

Family LayoutDiagram::coloring() const {
  return static_cast<Family>(m_coloring->currentData().toInt());
}

static constexpr std::pair<Family, const char *> kColoringNames[] = {{Family::Warp, "warp"},
                                                                     {Family::Lane, "lane"},
                                                                     {Family::Register, "register"},
                                                                     {Family::Block, "block"}};

QString LayoutDiagram::coloringName() const {
  for (const auto &[family, name] : kColoringNames)
    if (family == coloring())
      return QString::fromLatin1(name);
  return {};
}

void LayoutDiagram::setColoringName(const QString &name) {
  for (const auto &[family, known] : kColoringNames)
    if (name == QLatin1String(known))
      setColoring(family);
}

void LayoutDiagram::showNothing() {
  m_picture.reset();
  m_pinned = -1;
  m_title->setText({});
  setInfo({});
  m_tensor->setContent({});
  m_hardware->setContent({});
  const EmptyTexts texts =
      emptyTexts(m_result.get(), m_choice.reason, m_focus->selected().position.line, m_text);
  m_tensor->setEmptyText(texts.tensor);
  m_hardware->setEmptyText(texts.hardware);
}

/// Blocks tell something apart where several of them run a program. A choice for those is kept.
Family LayoutDiagram::shownColoring(const LayoutFacts *facts) {
  const bool hasBlocks = facts && LayoutMap(*facts).size(compiler::Dim::Block) > 1;
  const int row = m_coloring->findData(static_cast<int>(Family::Block));
  auto *items = qobject_cast<QStandardItemModel *>(m_coloring->model());
  items->item(row)->setEnabled(hasBlocks);
  return coloring() == Family::Block && !hasBlocks ? Family::Warp : coloring();
}

void LayoutDiagram::rebuild() {
  const LayoutFacts *facts = current();
  // Shared memory is colored by its banks.
  m_coloring->setVisible(!facts || !facts->shared);
  const Family family = shownColoring(facts);
  if (!facts)
    return showNothing();
  m_picture = std::make_shared<const compiler::LayoutPicture>(
      compiler::makeLayoutPicture(*facts, m_slices->slice(), family));
  m_tensor->setEmptyText(tr("This layout cannot be drawn."));
  m_tensor->setContent(tensorContent(m_picture));
  m_hardware->setContent(hardwareContent(m_picture));
  m_title->setText(views::titleText(*facts, m_choice.reason));
  m_title->setToolTip(QStringLiteral("%1\n%2").arg(QString::fromStdString(facts->encoding),
                                                   QString::fromStdString(facts->type)));
  m_pinned = -1;
  setInfo(summaryText(*m_picture));
}

QWidget *LayoutDiagram::header() const { return m_title; }
QString LayoutDiagram::titleText() const { return m_title->text(); }
QString LayoutDiagram::infoText() const { return m_info->text(); }

void LayoutDiagram::setInfo(const QString &text) {
  m_info->setText(text);
  for (DiagramCanvas *canvas : {m_tensor, m_hardware}) {
    canvas->setAccessibleDescription(text);
    QAccessibleEvent changed(canvas, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&changed);
  }
}

void LayoutDiagram::pin(DiagramCanvas *canvas, int64_t cell) {
  // Pinning the pinned one again lets go of it.
  const bool isSame = canvas == m_pinnedIn && cell == m_pinned;
  m_pinned = isSame ? -1 : cell;
  m_pinnedIn = canvas;
  pointAt(canvas, cell);
}

void LayoutDiagram::pointAt(DiagramCanvas *canvas, int64_t cell) {
  if (!m_picture)
    return;
  if (cell < 0 && m_pinned >= 0) {
    canvas = m_pinnedIn;
    cell = m_pinned;
  }
  if (cell < 0) {
    m_tensor->setHighlighted({});
    m_hardware->setHighlighted({});
    return setInfo(summaryText(*m_picture));
  }
  canvas == m_tensor ? showElement(cell) : showPlace(cell);
}

void LayoutDiagram::showElement(int64_t cell) {
  const compiler::PictureView &tensor = m_picture->tensor, &hardware = m_picture->hardware;
  const uint64_t element = tensor.elements.at(tensor.grid.cell(cell));
  std::vector<int64_t> cells;
  for (uint64_t owner : m_picture->map.ownersOf(element))
    if (const std::optional<int64_t> holder = hardware.numberOf(hardware.places, owner))
      cells.push_back(*holder);
  m_tensor->setHighlighted({cell});
  m_hardware->setHighlighted(std::move(cells));
  setInfo(elementText(*m_picture, element));
}

void LayoutDiagram::showPlace(int64_t cell) {
  const compiler::PictureView &tensor = m_picture->tensor, &hardware = m_picture->hardware;
  const uint64_t place = hardware.places.at(hardware.grid.cell(cell));
  const std::optional<int64_t> shown =
      tensor.numberOf(tensor.elements, m_picture->map.elementOf(place));
  m_tensor->setHighlighted(shown ? std::vector<int64_t>{*shown} : std::vector<int64_t>{});
  m_hardware->setHighlighted({cell});
  setInfo(heldText(*m_picture, place));
}

void LayoutDiagram::changeEvent(QEvent *event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange && m_result)
    rebuild();
}

void LayoutDiagram::fit() {
  m_tensor->fit();
  m_hardware->fit();
}

} // namespace tilescope::views
