// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/step/StepPicture.h"

#include "profiler/data/Element.h"
#include "views/common/ElidedLabel.h"
#include "views/common/IconButton.h"
#include "views/common/TableMetrics.h"
#include "views/common/Theme.h"
#include "views/common/tensor/NumberTable.h"
#include "views/common/tensor/TensorModel.h"
#include "views/common/tensor/TensorPictures.h"
#include "views/common/tensor/TensorText.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QStackedWidget>
#include <QToolButton>

#include <cstring>

namespace tilescope::views {

enum ShownAs { kTable, kHeatMap, kHistogram };
/// What is in the stack behind the modes.
static constexpr int kEmptyPage = 3;

StepPicture::StepPicture(QWidget *parent)
    : QWidget(parent), m_title(new ElidedLabel(this)), m_mode(new QComboBox(this)),
      m_layoutButton(new QToolButton(this)), m_stack(new QStackedWidget(this)),
      m_table(new NumberTable(this)), m_model(new TensorModel(this)), m_heatMap(new HeatMap(this)),
      m_histogram(new Histogram(this)), m_empty(new QLabel(this)), m_facts(new ElidedLabel(this)) {
  m_pool.setMaxThreadCount(1);
  createWidgets();
  connect(m_mode, &QComboBox::currentIndexChanged, this, [this](int mode) {
    if (m_digest)
      m_stack->setCurrentIndex(mode);
  });
  connect(m_heatMap, &HeatMap::elementHovered, this, &StepPicture::showElement);
  connect(m_heatMap, &HeatMap::elementClicked, this, [this](qint64 element) {
    const QModelIndex cell = m_model->reveal(element);
    if (!cell.isValid())
      return;
    m_mode->setCurrentIndex(kTable);
    m_table->goTo(cell);
  });
  connect(m_layoutButton, &QToolButton::clicked, this,
          [this] { Q_EMIT layoutRequested(m_stageLine); });
  clear(tr("Choose a value to see its elements."));
}

StepPicture::~StepPicture() {
  m_stop.request_stop();
  m_pool.waitForDone();
}

void StepPicture::createWidgets() {
  m_mode->addItems({tr("Table"), tr("Heat map"), tr("Histogram")});
  m_mode->setAccessibleName(tr("How the value is shown"));
  m_layoutButton->setText(tr("Layout"));
  m_layoutButton->setToolTip(tr("Show who holds each element, in the Layout view"));
  m_table->setModel(m_model);
  m_table->setProperty("code", true);
  m_table->setAccessibleName(tr("Elements of the value"));
  fitRowsToFont(m_table);
  m_empty->setAlignment(Qt::AlignCenter);
  m_empty->setWordWrap(true);
  m_empty->setProperty("muted", true);
  for (QWidget *page : std::initializer_list<QWidget *>{m_table, m_heatMap, m_histogram, m_empty})
    m_stack->addWidget(page);
  m_facts->setProperty("muted", true);
  m_facts->setContentsMargins(8, 2, 8, 2);
  auto *bar = new QHBoxLayout;
  bar->setContentsMargins(8, 2, 6, 2);
  bar->setSpacing(6);
  bar->addWidget(m_title, 1);
  bar->addWidget(m_layoutButton);
  bar->addWidget(m_mode);
  QToolButton *exporter = exportButton(this);
  connect(exporter, &QToolButton::clicked, this, &StepPicture::exportRequested);
  bar->addWidget(exporter);
  auto *column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addLayout(bar);
  column->addWidget(m_stack, 1);
  column->addWidget(m_facts);
}

QString StepPicture::titleText() const { return m_title->text(); }

ExportedPicture StepPicture::exported(const QString &where) const {
  QWidget *shown = m_stack->currentWidget();
  const double scale = kExportWidth / std::max(1, shown->width());
  ExportedPicture picture;
  picture.lines = {titleText(), where, m_facts->text()};
  picture.height = shown->height() * scale;
  picture.draw = [shown, scale](QPainter &painter, const QRectF &target) {
    painter.save();
    painter.translate(target.topLeft());
    painter.scale(scale, scale);
    shown->render(&painter, {}, {}, QWidget::DrawChildren);
    painter.restore();
  };
  return picture;
}

void StepPicture::clear(const QString &why) {
  m_stop.request_stop();
  m_version = 0;
  m_digest.reset();
  m_model->setTensor(nullptr);
  m_heatMap->setTensor(nullptr);
  m_title->setText({});
  m_facts->setText({});
  m_layoutButton->setEnabled(false);
  m_mode->setEnabled(false);
  m_empty->setText(why);
  m_stack->setCurrentIndex(kEmptyPage);
}

/// Undefined elements are shown like those that were never written.
static profiler::Unwritten undefinedOf(const profiler::Tensor &tensor, const std::string &defined) {
  if (defined.empty())
    return {};
  std::vector<std::byte> flags(static_cast<size_t>(tensor.numElements()));
  for (size_t i = 0; i < std::min(flags.size(), defined.size()); ++i)
    flags[i] = std::byte(!defined[i]);
  return profiler::Unwritten(std::move(flags));
}

/// What one address points to: it is no number to be counted with.
void StepPicture::showAddress(const compiler::StepBlock &block) {
  int64_t element = 0;
  std::memcpy(&element, block.data.data(), sizeof(element));
  const QString name = QString::fromStdString(block.name);
  const QString argument = QString::fromStdString(block.argument);
  clear(tr("%1 points to %2[%3].").arg(name, argument).arg(element));
  m_title->setText(QStringLiteral("%1  %2").arg(name, QString::fromStdString(block.type)));
  m_version = block.version;
}

void StepPicture::setBlock(const compiler::StepBlock &block) {
  const bool isAddress = !block.argument.empty() && !block.type.ends_with(']');
  if (isAddress && block.data.empty() && block.version == m_version)
    return;
  if (isAddress && block.data.size() == sizeof(int64_t))
    return showAddress(block);
  m_name = QString::fromStdString(block.name);
  m_argument = QString::fromStdString(block.argument);
  m_stageLine = block.stageLine;
  m_layoutButton->setEnabled(m_stageLine >= 0);
  m_mode->setEnabled(true);
  QString title = QStringLiteral("%1  %2").arg(m_name, QString::fromStdString(block.type));
  if (!m_argument.isEmpty())
    title += tr("  as elements of %1").arg(m_argument);
  m_title->setText(title);
  if (block.data.empty()) {
    if (block.version != m_version)
      clear(tr("The value has too many elements to be shown."));
    return;
  }
  m_version = block.version;
  profiler::Tensor tensor;
  tensor.dtype = profiler::parseDtype(block.dtype).value_or(profiler::Dtype::Fp32);
  tensor.shape = block.shape;
  tensor.data.resize(block.data.size());
  std::memcpy(tensor.data.data(), block.data.data(), block.data.size());
  const profiler::Unwritten undefined = undefinedOf(tensor, block.defined);
  digest(std::move(tensor), undefined);
}

void StepPicture::digest(profiler::Tensor tensor, const profiler::Unwritten &undefined) {
  m_stop.request_stop();
  m_stop = {};
  const auto make = [undefined](profiler::Tensor made, const std::stop_token &stop) {
    return digestTensor({std::move(made), undefined, !undefined.isNone()}, stop);
  };
  // What is made in less than a frame is there at once.
  constexpr int64_t kSmall = 1 << 13;
  if (tensor.numElements() <= kSmall)
    return show(make(std::move(tensor), {}));
  m_pool.start([this, make, tensor = std::move(tensor), stop = m_stop.get_token()]() mutable {
    TensorDigestPointer made = make(std::move(tensor), stop);
    QMetaObject::invokeMethod(this, [this, stop, made = std::move(made)] {
      if (made && !stop.stop_requested())
        show(made);
    });
  });
}

void StepPicture::show(const TensorDigestPointer &digest) {
  const QModelIndex current = m_table->currentIndex();
  m_digest = digest;
  m_model->setTensor(digest);
  m_heatMap->setTensor(digest);
  m_histogram->setStatistics(digest->statistics);
  if (current.isValid())
    m_table->setCurrentIndex(m_model->index(current.row(), current.column()));
  m_stack->setCurrentIndex(m_mode->currentIndex());
  showElement(-1);
  Q_EMIT drawn();
}

void StepPicture::showElement(qint64 element) {
  if (!m_digest)
    return;
  if (element >= 0)
    return m_facts->setText(
        QStringLiteral("%1%2 = %3")
            .arg(m_name,
                 coordinatesText(profiler::elementCoordinates(element, m_digest->tensor.shape)),
                 elementText(*m_digest, element, 8)));
  QStringList parts{statisticsText(m_digest->statistics)};
  if (m_mode->currentIndex() == kHeatMap)
    parts << pictureText(*m_digest);
  parts.removeAll(QString());
  m_facts->setText(parts.join(QStringLiteral(" · ")));
}

} // namespace tilescope::views
