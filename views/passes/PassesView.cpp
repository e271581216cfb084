// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/passes/PassesView.h"

#include "views/common/CodeView.h"
#include "views/common/Correlation.h"
#include "views/common/PassNames.h"
#include "views/common/QuotedCode.h"
#include "views/common/TableMetrics.h"
#include "views/common/Theme.h"

#include <QCheckBox>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QPainter>
#include <QScrollBar>
#include <QSlider>
#include <QSplitter>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace tilescope::views {

using compiler::PassRecord;

namespace {
/// Unchanging passes muted, failed ones red; the time with a bar for its share of the longest.
class PassDelegate : public QStyledItemDelegate {
public:
  using QStyledItemDelegate::QStyledItemDelegate;
  /// In front of the time, in pixels.
  static constexpr int kBarWidth = 48, kBarGap = 6;

  void setHasBars(bool hasBars) { m_hasBars = hasBars; }

  void paint(QPainter *painter, const QStyleOptionViewItem &option,
             const QModelIndex &index) const override {
    QStyledItemDelegate::paint(painter, option, index);
    if (index.column() != PassesModel::TimeColumn || !m_hasBars)
      return;
    const double share = index.data(PassesModel::ShareRole).toDouble();
    const double height = std::max(4.0, option.fontMetrics.xHeight() * 1.0);
    const QRectF track(option.rect.left() + kBarGap, option.rect.center().y() - height / 2 + 1,
                       kBarWidth, height);
    painter->fillRect(track, theme()[ColorRole::Border]);
    painter->fillRect(QRectF(track.topLeft(), QSizeF(std::max(1.0, track.width() * share), height)),
                      theme()[ColorRole::Accent]);
  }

  QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override {
    const QSize size = QStyledItemDelegate::sizeHint(option, index);
    const bool hasBar = index.column() == PassesModel::TimeColumn && m_hasBars;
    return hasBar ? size + QSize(kBarWidth + 2 * kBarGap, 0) : size;
  }

protected:
  void initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const override {
    QStyledItemDelegate::initStyleOption(option, index);
    const bool changed = index.data(PassesModel::ChangedRole).toBool();
    const bool failed = index.data(PassesModel::FailedRole).toBool();
    option->palette.setColor(QPalette::Text, theme()[failed    ? ColorRole::Error
                                                     : changed ? ColorRole::Text
                                                               : ColorRole::TextFaint]);
    if (index.column() == PassesModel::NameColumn)
      option->text = (failed    ? QStringLiteral("\u2715 ")
                      : changed ? QStringLiteral("\u25cf ")
                                : QStringLiteral("\u25cb ")) +
                     option->text;
  }

private:
  bool m_hasBars = true;
};
} // namespace

/// What a column takes beside its content.
static constexpr int kGridPx = 1;

PassesView::PassesView(FocusState *focus, QWidget *parent)
    : QWidget(parent), m_focus(focus), m_model(new PassesModel(this)), m_header(new QWidget(this)),
      m_table(new QTableView(this)), m_slider(new QSlider(Qt::Horizontal, m_header)),
      m_onlyChanged(new QCheckBox(tr("Only changes"), m_header)),
      m_asDiff(new QCheckBox(tr("As diff"), m_header)),
      m_follow(new QCheckBox(tr("In all views"), m_header)), m_estimate(new QLabel(this)),
      m_title(new QLabel(this)), m_code(new CodeView(this)),
      m_splitter(new QSplitter(Qt::Horizontal, this)) {
  m_table->setModel(m_model);
  m_table->setAccessibleName(tr("Passes"));
  setUpRows(m_table);
  m_table->setItemDelegate(new PassDelegate(m_table));
  m_table->horizontalHeader()->setStretchLastSection(true);
  m_table->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft);
  m_asDiff->setChecked(true);
  m_code->setAccessibleName(tr("What the pass changed"));
  m_slider->setAccessibleName(tr("Walk through the passes"));
  m_follow->setToolTip(
      tr("Columns, Layout and Shared memory show the kernel after the chosen pass, "
         "and what its machine code would need is estimated"));
  for (QLabel *line : {m_title, m_estimate}) {
    line->setProperty("muted", true);
    line->setWordWrap(true);
  }
  m_estimate->setTextInteractionFlags(Qt::TextSelectableByMouse);
  m_estimate->setContentsMargins(8, 0, 8, 3);
  m_estimate->hide();

  m_header->setProperty("bar", true);
  m_header->setAttribute(Qt::WA_StyledBackground);
  auto *barLayout = new QHBoxLayout(m_header);
  barLayout->setContentsMargins(8, 3, 8, 3);
  barLayout->setSpacing(12);
  barLayout->addWidget(m_slider, 1);
  barLayout->addWidget(m_onlyChanged);
  barLayout->addWidget(m_asDiff);
  barLayout->addWidget(m_follow);
  auto *right = new QWidget(this);
  auto *rightLayout = new QVBoxLayout(right);
  rightLayout->setContentsMargins(0, 0, 0, 0);
  rightLayout->setSpacing(0);
  m_title->setContentsMargins(8, 3, 8, 3);
  rightLayout->addWidget(m_title);
  rightLayout->addWidget(m_estimate);
  rightLayout->addWidget(m_code, 1);
  m_splitter->addWidget(m_table);
  m_splitter->addWidget(right);
  m_splitter->setChildrenCollapsible(false);
  m_table->viewport()->installEventFilter(this);
  m_table->installEventFilter(this);
  auto *layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(m_header);
  layout->addWidget(m_splitter, 1);

  // The list is what keys are for; the slider passes on those that mean another row in it.
  setFocusProxy(m_table);
  m_table->setTabKeyNavigation(false);
  setTabOrder(m_table, m_code);
  setTabOrder(m_code, m_slider);
  setTabOrder(m_slider, m_onlyChanged);
  setTabOrder(m_onlyChanged, m_asDiff);
  setTabOrder(m_asDiff, m_follow);
  m_slider->installEventFilter(this);
  connect(m_table, &QTableView::activated, this, [this] { m_code->setFocus(); });
  connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
          &PassesView::showPass);
  connect(m_slider, &QSlider::valueChanged, this, &PassesView::selectPass);
  connect(m_onlyChanged, &QCheckBox::toggled, this, [this](bool on) {
    m_model->setOnlyChanged(on);
    setResult(m_result);
  });
  connect(m_asDiff, &QCheckBox::toggled, this, &PassesView::showPass);
  connect(m_follow, &QCheckBox::toggled, this, &PassesView::followedPassChanged);
  connect(m_code, &CodeView::lineHovered, this, &PassesView::hoverLine);
  connect(m_splitter, &QSplitter::splitterMoved, this, [this] { m_isSplitChosen = true; });
}

void PassesView::setResult(std::shared_ptr<const compiler::CompileResult> result) {
  m_result = std::move(result);
  const std::string selected = m_selectedName;
  m_model->setResult(m_result);
  const QSignalBlocker blocker(m_slider);
  m_slider->setRange(0, std::max(0, m_model->rowCount() - 1));
  shareRoom();
  fitColumns();
  int row = -1;
  for (int i = 0; i < m_model->rowCount() && row < 0; ++i)
    if (m_model->pass(i).name == selected || (selected.empty() && m_model->pass(i).changed))
      row = i;
  selectPass(row >= 0 ? row : m_model->rowCount() - 1);
}

void PassesView::selectPass(int row) {
  if (row < 0 || row >= m_model->rowCount()) {
    showPass();
    return;
  }
  m_table->setCurrentIndex(m_model->index(row, 0));
  const QSignalBlocker blocker(m_slider);
  m_slider->setValue(row);
  showPass();
}

QString PassesView::titleText() const { return m_title->text(); }

int PassesView::selectedPass() const {
  const QModelIndex index = m_table->currentIndex();
  return index.isValid() && index.row() < m_model->rowCount() ? index.row() : -1;
}

std::optional<PassKey> PassesView::followedPass() const {
  const int row = selectedPass();
  return m_follow->isChecked() && isVisible() && m_isInFront && row >= 0
             ? std::optional(m_model->key(row))
             : std::nullopt;
}

void PassesView::setInFront(bool isInFront) {
  if (std::exchange(m_isInFront, isInFront) != isInFront)
    Q_EMIT followedPassChanged();
}

void PassesView::setEstimate(const QString &estimate) {
  m_estimate->setText(quotedCode(estimate));
  m_estimate->setVisible(!estimate.isEmpty());
}

QString PassesView::estimateText() const { return m_estimate->text(); }

void PassesView::showPass() {
  const int row = selectedPass();
  Q_EMIT followedPassChanged();
  if (row < 0) {
    const bool areHidden = m_result && !m_result->passes.empty();
    m_title->setText(areHidden
                         ? tr("No pass changed anything.")
                         : tr("No passes yet: they appear here as soon as a kernel compiles."));
    m_code->setText({}, TextLanguage::Plain);
    return;
  }
  const QSignalBlocker blocker(m_slider);
  m_slider->setValue(row);
  const PassRecord &record = m_model->pass(row);
  m_selectedName = record.name;
  const PassRecord *before = m_model->recordedBefore(row);
  const QString name = QString::fromStdString(record.name);
  if (record.failed) {
    showCode(before, tr("%1 failed; Problems says why. This is the code before it.").arg(name));
  } else if (!record.changed) {
    showCode(before, tr("%1 changed nothing").arg(name));
  } else if (record.ir.empty()) {
    showCode(
        nullptr,
        tr("The code after %1 is being recorded: it appears with the next compile.").arg(name));
  } else if (translatesCode(record)) {
    showCode(&record,
             tr("%1 translated the code to another form, so there is nothing to compare it with.")
                 .arg(name));
  } else if (m_asDiff->isChecked() && before) {
    showChanges(*before, record);
  } else {
    showCode(&record, tr("After %1").arg(name));
  }
}

void PassesView::showCode(const PassRecord *record, const QString &title) {
  m_title->setText(title);
  m_code->setText(record ? record->ir : std::string(),
                  record ? stageLanguage(record->stage) : TextLanguage::Plain);
  m_code->setTints(
      record ? m_focus->tints().of(sourceLinesOf(record->irMap, m_code->document().numLines()))
             : std::vector<int32_t>());
}

void PassesView::showChanges(const PassRecord &before, const PassRecord &after) {
  const UnifiedDiff diff = unifiedIrDiff(before.ir, after.ir);
  QString title = tr("%1: +%2 \u2212%3 lines")
                      .arg(QString::fromStdString(after.name))
                      .arg(diff.numAdded)
                      .arg(diff.numRemoved);
  if (after.name == "llvm-optimize")
    title += tr(". LLVM's own passes are not recorded one by one: this is what they did together.");
  m_title->setText(title);
  m_code->setText(diff.text, stageLanguage(after.stage));
  m_code->setTints({});
  m_code->setDiff(diff.lines);
}

void PassesView::hoverLine(int line) {
  const int row = selectedPass();
  if (row < 0 || line < 0 || m_model->pass(row).irMap.lines.empty() || m_code->showsDiff()) {
    m_focus->setHovered({}, this);
    return;
  }
  // A line of the IR behind a pass is no place in the stage: what it came from is.
  const std::vector<SourceRange> sources =
      documentSources(m_model->pass(row).irMap, static_cast<uint32_t>(line));
  m_focus->setHovered(sources.empty() ? Focus() : Focus{{}, sources.front().begin, sources}, this);
}

int PassesView::widthOf(int column) const {
  const QAbstractItemView &table = *m_table;
  return std::max(table.sizeHintForColumn(column),
                  m_table->horizontalHeader()->sectionSizeHint(column)) +
         kGridPx;
}

void PassesView::shareRoom() {
  if (m_isSplitChosen || m_model->rowCount() == 0)
    return;
  static_cast<PassDelegate *>(m_table->itemDelegate())->setHasBars(true);
  int list = m_table->verticalScrollBar()->sizeHint().width() + 2 * m_table->frameWidth();
  for (int column = 0; column < PassesModel::NumColumns; ++column)
    list += widthOf(column);
  list = std::min(list, width() / 2);
  m_splitter->setSizes({list, width() - list});
}

void PassesView::resizeEvent(QResizeEvent *event) {
  QWidget::resizeEvent(event);
  shareRoom();
}

void PassesView::fitColumns() {
  // The time is worth more than the stage, which the tool tip names, too, and than its bar.
  QHeaderView &header = *m_table->horizontalHeader();
  auto *delegate = static_cast<PassDelegate *>(m_table->itemDelegate());
  delegate->setHasBars(true);
  const int room = m_table->viewport()->width();
  const int name = widthOf(PassesModel::NameColumn);
  const int time = widthOf(PassesModel::TimeColumn);
  m_table->setColumnHidden(PassesModel::StageColumn,
                           name + widthOf(PassesModel::StageColumn) + time > room);
  delegate->setHasBars(name + time <= room);
  // Names are shown whole: what does not fit is scrolled to, and not squeezed.
  header.setStretchLastSection(name + widthOf(PassesModel::TimeColumn) <= room);
}

bool PassesView::eventFilter(QObject *watched, QEvent *event) {
  if (watched == m_table->viewport() && event->type() == QEvent::Resize)
    fitColumns();
  // The header has its new font later.
  if (watched == m_table &&
      (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange))
    QMetaObject::invokeMethod(this, &PassesView::fitColumns, Qt::QueuedConnection);
  // A table goes to the ends of a row.
  if (watched == m_table && event->type() == QEvent::KeyPress) {
    const auto &press = *static_cast<QKeyEvent *>(event);
    const QAbstractItemModel &rows = *m_table->model();
    if ((press.key() == Qt::Key_Home || press.key() == Qt::Key_End) && rows.rowCount() > 0) {
      m_table->setCurrentIndex(
          rows.index(press.key() == Qt::Key_Home ? 0 : rows.rowCount() - 1, 0));
      return true;
    }
  }
  if (watched == m_slider && event->type() == QEvent::KeyPress) {
    const int key = static_cast<QKeyEvent *>(event)->key();
    if (key == Qt::Key_Up || key == Qt::Key_Down) {
      m_slider->setValue(m_slider->value() + (key == Qt::Key_Down ? 1 : -1));
      return true;
    }
  }
  return QWidget::eventFilter(watched, event);
}

void PassesView::showEvent(QShowEvent *event) {
  QWidget::showEvent(event);
  Q_EMIT passIrWanted(true);
  Q_EMIT followedPassChanged();
}

void PassesView::hideEvent(QHideEvent *event) {
  QWidget::hideEvent(event);
  Q_EMIT passIrWanted(false);
  Q_EMIT followedPassChanged();
}

} // namespace tilescope::views
