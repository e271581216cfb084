// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/layout/LayoutDiagram.h"

#include "views/common/Correlation.h"
#include "views/common/Theme.h"
#include "views/layout/DiagramCanvas.h"

#include <QComboBox>
#include <QFileDialog>
#include <QImage>
#include <QLabel>
#include <QMessageBox>
#include <QPainter>
#include <QSpinBox>
#include <QSplitter>
#include <QSvgGenerator>
#include <QToolButton>
#include <QVBoxLayout>

#include <optional>

namespace tilescope::views {

using compiler::LayoutFacts;

int layoutAt(const std::vector<LayoutFacts> &layouts, const Focus &focus) {
  if (focus.stage == compiler::StageId::Ttgir)
    for (size_t i = 0; i < layouts.size(); ++i)
      if (layouts[i].stageLine == focus.position.line)
        return static_cast<int>(i);
  auto extent = [](const SourceRange &r) {
    return (static_cast<int64_t>(r.end.line) - r.begin.line) * 100000 + r.end.column -
           r.begin.column;
  };
  int best = -1;
  for (size_t i = 0; i < layouts.size(); ++i) {
    const SourceRange &range = layouts[i].source;
    if (range.file != 0 || range.empty())
      continue;
    bool fits = !focus.stage && (range.contains(focus.position) || range.end == focus.position);
    for (const SourceRange &source : focus.sources)
      fits = fits || source.begin == range.begin;
    // Of equals the later wins: it is the value after its operands were prepared.
    if (fits && (best < 0 || extent(range) <= extent(layouts[best].source)))
      best = static_cast<int>(i);
  }
  return best;
}

LayoutDiagram::LayoutDiagram(FocusState *focus, QWidget *parent)
    : QWidget(parent), m_focus(focus), m_values(new QComboBox(this)),
      m_coloring(new QComboBox(this)), m_slices(new QHBoxLayout), m_title(new QLabel(this)),
      m_info(new QLabel(this)), m_tensor(new DiagramCanvas(this)),
      m_hardware(new DiagramCanvas(this)) {
  m_title->setProperty("muted", true);
  m_title->setContentsMargins(10, 4, 10, 0);
  m_title->setTextInteractionFlags(Qt::TextSelectableByMouse);
  m_title->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  m_info->setMargin(4);
  m_info->setIndent(10);
  m_info->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  auto *splitter = new QSplitter(Qt::Horizontal, this);
  splitter->addWidget(m_tensor);
  splitter->addWidget(m_hardware);
  splitter->setSizes({500, 500});
  auto *layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(createBar());
  layout->addWidget(m_title);
  layout->addWidget(splitter, 1);
  layout->addWidget(m_info);
  setProperty("panel", true);
  setAttribute(Qt::WA_StyledBackground);
  connectState();
  rebuild();
}

QWidget *LayoutDiagram::createBar() {
  auto *bar = new QWidget(this);
  bar->setProperty("bar", true);
  bar->setAttribute(Qt::WA_StyledBackground);
  m_values->setAccessibleName(tr("Tensor"));
  m_values->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  m_values->setMinimumContentsLength(18);
  m_coloring->addItem(tr("Colour by warp"), static_cast<int>(LayoutColoring::Warp));
  m_coloring->addItem(tr("Colour by lane"), static_cast<int>(LayoutColoring::Lane));
  m_coloring->addItem(tr("Colour by register"), static_cast<int>(LayoutColoring::Register));
  m_coloring->setAccessibleName(tr("Colouring"));
  auto *fitButton = new QToolButton(bar);
  fitButton->setIcon(themedIcon(QStringLiteral("fit")));
  fitButton->setToolTip(tr("Show everything (double click)"));
  auto *exportButton = new QToolButton(bar);
  exportButton->setIcon(themedIcon(QStringLiteral("export")));
  exportButton->setToolTip(tr("Export as SVG or PNG"));
  auto *row = new QHBoxLayout(bar);
  row->setContentsMargins(8, 3, 6, 3);
  row->setSpacing(6);
  row->addWidget(m_values, 1);
  row->addLayout(m_slices);
  row->addWidget(m_coloring);
  row->addWidget(fitButton);
  row->addWidget(exportButton);
  connect(fitButton, &QToolButton::clicked, this, &LayoutDiagram::fit);
  connect(exportButton, &QToolButton::clicked, this, &LayoutDiagram::exportInteractively);
  return bar;
}

void LayoutDiagram::connectState() {
  connect(m_values, &QComboBox::activated, this, &LayoutDiagram::showLayout);
  connect(m_coloring, &QComboBox::currentIndexChanged, this, &LayoutDiagram::rebuild);
  connect(m_tensor, &DiagramCanvas::cellHovered, this, &LayoutDiagram::pointAtElement);
  connect(m_hardware, &DiagramCanvas::cellHovered, this, &LayoutDiagram::pointAtPlace);
  connect(m_focus, &FocusState::selectedChanged, this,
          [this](const Focus &focus, const QObject *) { follow(focus); });
}

void LayoutDiagram::setResult(std::shared_ptr<const compiler::CompileResult> result) {
  // A result without layouts (TTGIR failed) leaves the document's last diagram in place.
  if (result->layouts.empty() && m_result && sameDocument(*m_result, *result))
    return;
  m_result = std::move(result);
  const QSignalBlocker blocker(m_values);
  m_values->clear();
  int chosen = -1;
  for (size_t i = 0; i < m_result->layouts.size(); ++i) {
    const LayoutFacts &facts = m_result->layouts[i];
    QString shape;
    for (int64_t extent : facts.shape)
      shape += QStringLiteral("%1×").arg(extent);
    m_values->addItem(QStringLiteral("%1   %2   %3%4")
                          .arg(QString::fromStdString(facts.value),
                               QString::fromStdString(facts.op), shape,
                               QString::fromStdString(facts.elementType)));
    if (facts.value == m_chosen)
      chosen = static_cast<int>(i);
  }
  if (chosen < 0)
    chosen = layoutAt(m_result->layouts, m_focus->selected());
  if (chosen < 0)
    for (size_t i = 0; i < m_result->layouts.size() && chosen < 0; ++i)
      if (m_result->layouts[i].op == "tt.load")
        chosen = static_cast<int>(i);
  m_index = chosen >= 0 ? chosen : (m_result->layouts.empty() ? -1 : 0);
  m_values->setCurrentIndex(m_index);
  rebuildSlices();
  rebuild();
}

const LayoutFacts *LayoutDiagram::current() const {
  return m_result && m_index >= 0 && m_index < static_cast<int>(m_result->layouts.size())
             ? &m_result->layouts[m_index]
             : nullptr;
}

void LayoutDiagram::showLayout(int index) {
  if (!m_result || index < 0 || index >= static_cast<int>(m_result->layouts.size()))
    return;
  m_chosen = m_result->layouts[index].value;
  if (index == m_index)
    return;
  m_index = index;
  const QSignalBlocker blocker(m_values);
  m_values->setCurrentIndex(index);
  rebuildSlices();
  rebuild();
}

void LayoutDiagram::follow(const Focus &focus) {
  const int index = m_result ? layoutAt(m_result->layouts, focus) : -1;
  if (index >= 0)
    showLayout(index);
}

void LayoutDiagram::setColoring(LayoutColoring coloring) {
  m_coloring->setCurrentIndex(m_coloring->findData(static_cast<int>(coloring)));
}

void LayoutDiagram::rebuildSlices() {
  for (QSpinBox *box : m_sliceBoxes)
    box->deleteLater();
  m_sliceBoxes.clear();
  const LayoutFacts *facts = current();
  m_map = facts ? LayoutMap(*facts) : LayoutMap();
  m_slice = defaultSlice(m_map);
  for (int dim = 0; facts && dim + 2 < static_cast<int>(facts->shape.size()); ++dim) {
    auto *box = new QSpinBox(this);
    box->setRange(0, static_cast<int>(facts->shape[dim]) - 1);
    box->setPrefix(tr("dim %1: ").arg(dim));
    m_slices->addWidget(box);
    m_sliceBoxes.push_back(box);
    connect(box, &QSpinBox::valueChanged, this, [this, dim](int value) {
      m_slice.fixed[dim] = value;
      rebuild();
    });
  }
}

static constexpr const char *kColoringInputs[] = {"warp", "lane", "register"};

static int bankOf(uint32_t place, int elementBits) {
  return static_cast<int>((static_cast<uint64_t>(place) * elementBits / 32) % 32);
}

QRgb LayoutDiagram::colorOf(uint32_t place) const {
  const LayoutFacts *facts = current();
  if (facts->shared)
    return theme().categorical(bankOf(place, facts->elementBits), 32).rgb();
  const char *name = kColoringInputs[m_coloring->currentIndex()];
  return theme().categorical(m_map.component(place, name), m_map.size(name)).rgb();
}

QString LayoutDiagram::ownerLabel(uint32_t place) const {
  if (current()->shared)
    return QString::number(place);
  return QStringLiteral("w%1 t%2\nr%3")
      .arg(m_map.component(place, "warp"))
      .arg(m_map.component(place, "lane"))
      .arg(m_map.component(place, "register"));
}

void LayoutDiagram::rebuild() {
  const LayoutFacts *facts = current();
  if (!facts) {
    m_title->clear();
    m_info->clear();
    m_tensor->setContent({});
    m_hardware->setContent({});
    const bool isBehind = m_result && !m_result->stages.empty() &&
                          m_result->stages.front().id > compiler::StageId::Ttgir;
    m_tensor->setEmptyText(isBehind ? tr("No tensors: the document is of a stage after TTGIR.")
                                    : tr("No tensor yet.\nIts elements appear here as soon as the "
                                         "kernel compiles to TTGIR."));
    m_hardware->setEmptyText(
        isBehind ? QString() : tr("The warps, lanes and registers that hold them appear here."));
    return;
  }
  m_coloring->setEnabled(!facts->shared);
  m_tensorGrid = makeTensorGrid(m_map, m_slice);
  m_hardwareGrid = makeHardwareGrid(m_map, facts->elementBits, facts->shared);
  DiagramContent tensor;
  tensor.grid = m_tensorGrid.grid;
  // Few colours for many places: each is worked out once.
  const char *const name = kColoringInputs[m_coloring->currentIndex()];
  std::vector<std::optional<QRgb>> palette(facts->shared ? 32 : m_map.size(name));
  std::vector<QRgb> byPlace(m_map.numPlaces());
  // And one walk over all places is much cheaper than asking for the owners of every element.
  std::vector<QRgb> byElement(static_cast<size_t>(m_map.numElements()),
                              theme()[ColorRole::Filler].rgb());
  for (uint32_t place = m_map.numPlaces(); place-- > 0;) {
    const auto index = static_cast<size_t>(facts->shared ? bankOf(place, facts->elementBits)
                                                         : m_map.component(place, name));
    if (!palette[index])
      palette[index] = colorOf(place);
    byPlace[place] = *palette[index];
    const auto element = static_cast<size_t>(m_map.elementOf(place));
    if (element < byElement.size())
      byElement[element] = byPlace[place];
  }
  tensor.colors.reserve(m_tensorGrid.elements.size());
  for (int64_t element : m_tensorGrid.elements)
    tensor.colors.push_back(byElement[static_cast<size_t>(element)]);
  tensor.label = [this](int cell) {
    const std::vector<uint32_t> owners = m_map.ownersOf(m_tensorGrid.elements[cell], 1);
    return owners.empty() ? QString() : ownerLabel(owners[0]);
  };
  tensor.columnLabel = [](int column) { return QString::number(column); };
  tensor.rowLabel = [this](int row) {
    return QString::number(m_tensorGrid.wrap > 0 ? row * m_tensorGrid.wrap : row);
  };
  DiagramContent hardware;
  hardware.grid = m_hardwareGrid.grid;
  hardware.colors.reserve(m_hardwareGrid.places.size());
  for (uint32_t place : m_hardwareGrid.places)
    hardware.colors.push_back(byPlace[place]);
  hardware.label = [this](int cell) {
    QStringList parts;
    for (int64_t at : m_map.coordinates(m_map.elementOf(m_hardwareGrid.places[cell])))
      parts << QString::number(at);
    return parts.join(u',');
  };
  const int registers = facts->shared ? 0 : m_map.size("register");
  const int lanes = m_map.size("lane");
  const int perBank = std::max(1, 32 / std::max(1, facts->elementBits));
  const auto laneLabel = [lanes](int at) { return QStringLiteral("t%1").arg(at % lanes); };
  const auto registerLabel = [registers](int at) {
    return QStringLiteral("r%1").arg(at % registers);
  };
  if (registers > 0 && m_hardwareGrid.lanesAcross) {
    hardware.columnLabel = laneLabel;
    hardware.rowLabel = registerLabel;
  } else if (registers > 0) {
    hardware.columnLabel = registerLabel;
    hardware.rowLabel = laneLabel;
  } else {
    hardware.columnLabel = [perBank](int column) {
      return column % perBank == 0 ? QStringLiteral("b%1").arg(column / perBank) : QString();
    };
    hardware.rowLabel = [this](int row) {
      return QString::number(row * m_hardwareGrid.grid.columns);
    };
  }
  m_tensor->setContent(std::move(tensor));
  m_hardware->setContent(std::move(hardware));
  m_title->setText(QStringLiteral("%1 = %2   %3")
                       .arg(QString::fromStdString(facts->value), QString::fromStdString(facts->op),
                            QString::fromStdString(facts->encoding)));
  m_title->setToolTip(QString::fromStdString(facts->type));
  showDetails(-1, {});
}

QString LayoutDiagram::ownerText(uint32_t place) const {
  const LayoutFacts *facts = current();
  if (facts->shared) {
    const auto byte = static_cast<int64_t>(place) * facts->elementBits / 8;
    return tr("offset %1 (byte %2, bank %3)").arg(place).arg(byte).arg(byte / 4 % 32);
  }
  QString text = tr("warp %1 · lane %2 · register %3")
                     .arg(m_map.component(place, "warp"))
                     .arg(m_map.component(place, "lane"))
                     .arg(m_map.component(place, "register"));
  if (m_map.size("block") > 1)
    text.prepend(tr("block %1 · ").arg(m_map.component(place, "block")));
  return text;
}

void LayoutDiagram::showDetails(int64_t element, const std::vector<uint32_t> &owners) {
  const LayoutFacts *facts = current();
  if (element < 0) {
    if (facts->shared) {
      m_info->setText(tr("%1 bytes of shared memory · rows of 32 banks × 4 bytes")
                          .arg(m_map.numElements() * facts->elementBits / 8));
      return;
    }
    const int contiguous = m_map.contiguousElements();
    QString text = tr("%1 warps × %2 lanes × %3 registers · %4 contiguous per lane (%5 bytes)")
                       .arg(m_map.size("warp"))
                       .arg(m_map.size("lane"))
                       .arg(m_map.size("register"))
                       .arg(contiguous)
                       .arg(contiguous * facts->elementBits / 8);
    if (m_map.replication() > 1)
      text += tr(" · every element held %1 times").arg(m_map.replication());
    m_info->setText(text);
    return;
  }
  QStringList at;
  for (int64_t coordinate : m_map.coordinates(element))
    at << QString::number(coordinate);
  QString text = tr("element [%1] — ").arg(at.join(QStringLiteral(", ")));
  text += owners.empty() ? tr("held by nobody") : ownerText(owners.front());
  if (owners.size() > 1)
    text += tr("  and %1 more").arg(owners.size() - 1);
  m_info->setText(text);
}

QString LayoutDiagram::infoText() const { return m_info->text(); }

void LayoutDiagram::pointAtElement(int cell) {
  if (!current())
    return;
  if (cell < 0 || cell >= static_cast<int>(m_tensorGrid.elements.size())) {
    m_tensor->setHighlighted({});
    m_hardware->setHighlighted({});
    showDetails(-1, {});
    return;
  }
  const int64_t element = m_tensorGrid.elements[cell];
  const std::vector<uint32_t> owners = m_map.ownersOf(element);
  std::vector<int> cells;
  for (uint32_t owner : owners)
    cells.push_back(m_hardwareGrid.cells[owner]);
  m_tensor->setHighlighted({cell});
  m_hardware->setHighlighted(std::move(cells));
  showDetails(element, owners);
}

void LayoutDiagram::pointAtPlace(int cell) {
  if (!current())
    return;
  if (cell < 0 || cell >= static_cast<int>(m_hardwareGrid.places.size())) {
    pointAtElement(-1);
    return;
  }
  const uint32_t place = m_hardwareGrid.places[cell];
  const int64_t element = m_map.elementOf(place);
  const int target = m_tensorGrid.cellOf(m_map, m_slice, element);
  m_tensor->setHighlighted(target >= 0 ? std::vector<int>{target} : std::vector<int>{});
  m_hardware->setHighlighted({cell});
  showDetails(element, {place});
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

void LayoutDiagram::render(QPainter &painter, const QRectF &target) const {
  const double titleHeight = 26;
  painter.fillRect(target, theme()[ColorRole::Panel]);
  QFont font = uiFont();
  font.setPixelSize(13);
  painter.setFont(font);
  painter.setPen(theme()[ColorRole::Text]);
  painter.drawText(QRectF(target.x() + 12, target.y(), target.width() - 24, titleHeight),
                   Qt::AlignLeft | Qt::AlignVCenter, m_title->text());
  const double half = target.width() / 2;
  const QRectF body = target.adjusted(0, titleHeight, 0, 0);
  m_tensor->render(painter, QRectF(body.x(), body.y(), half, body.height()));
  m_hardware->render(painter, QRectF(body.x() + half, body.y(), half, body.height()));
}

static constexpr QSize kExportSize{1600, 800};

bool LayoutDiagram::exportSvg(const QString &path) const {
  if (!current())
    return false;
  QSvgGenerator generator;
  generator.setFileName(path);
  generator.setSize(kExportSize);
  generator.setViewBox(QRect(QPoint(), kExportSize));
  generator.setTitle(m_title->text());
  QPainter painter;
  if (!painter.begin(&generator))
    return false;
  render(painter, QRectF(QPointF(), kExportSize));
  return painter.end();
}

bool LayoutDiagram::exportPng(const QString &path) const {
  if (!current())
    return false;
  QImage image(kExportSize * 2, QImage::Format_RGB32);
  image.setDevicePixelRatio(2);
  QPainter painter(&image);
  painter.setRenderHint(QPainter::Antialiasing);
  render(painter, QRectF(QPointF(), kExportSize));
  painter.end();
  return image.save(path);
}

void LayoutDiagram::exportInteractively() {
  if (!current())
    return;
  const QString path =
      QFileDialog::getSaveFileName(this, tr("Export layout diagram"), QStringLiteral("layout.svg"),
                                   tr("SVG image (*.svg);;PNG image (*.png)"));
  if (path.isEmpty())
    return;
  const bool done = path.endsWith(QStringLiteral(".png"), Qt::CaseInsensitive) ? exportPng(path)
                                                                               : exportSvg(path);
  if (!done)
    QMessageBox::warning(this, tr("Export failed"), tr("`%1` could not be written.").arg(path));
}

} // namespace tilescope::views
