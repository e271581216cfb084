// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/model/ModelView.h"

#include "views/common/ElidedLabel.h"
#include "views/common/FlowLayout.h"
#include "views/common/IconButton.h"
#include "views/common/QuotedDelegate.h"
#include "views/common/Theme.h"
#include "views/model/ArenaCanvas.h"
#include "views/model/EdgesPanel.h"
#include "views/model/GraphCanvas.h"
#include "views/model/ModelTree.h"
#include "views/model/ModelWords.h"
#include "views/model/TimelinePanel.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScopedValueRollback>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabBar>
#include <QToolButton>
#include <QTreeView>

#include <algorithm>

namespace tilescope::views {

/// Of an extent; more than any tensor has.
static constexpr int kLargestExtent = 1 << 24;
/// Of the columns behind the nodes, which have what is left; names of kernels may be long.
static constexpr int kMostKernelPx = 160;

ModelView::ModelView(QWidget *parent)
    : QWidget(parent), m_pages(new QStackedWidget(this)), m_title(new ElidedLabel(this)),
      m_state(new ElidedLabel(this)), m_search(new QLineEdit(this)), m_check(new QPushButton(this)),
      m_extentsRow(new QWidget(this)), m_forms(new QTabBar(this)), m_fit(fitButton(this)),
      m_export(exportButton(this)), m_shown(new QStackedWidget(this)), m_tree(new ModelTree(this)),
      m_found(new QSortFilterProxyModel(this)), m_table(new QTreeView(this)),
      m_graph(new GraphCanvas(this)), m_arena(new ArenaCanvas(this)),
      m_timeline(new TimelinePanel(this)), m_info(new ElidedLabel(this)),
      m_edges(new EdgesPanel(this)), m_empty(new QLabel(this)),
      m_open(new QPushButton(tr("Open model…"), this)) {
  auto *content = new QWidget(this);
  auto *column = new QVBoxLayout(content);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(createBar());
  column->addWidget(createForms(), 1);
  m_pages->addWidget(content);
  m_pages->addWidget(createNothing());
  auto *whole = new QVBoxLayout(this);
  whole->setContentsMargins(0, 0, 0, 0);
  whole->addWidget(m_pages);
  setProperty("panel", true);
  setAttribute(Qt::WA_StyledBackground);
  connectState();
  connectPictures();
  showForm();
  clear(tr("No model is open."));
}

QWidget *ModelView::createBar() {
  auto *bar = new QWidget(this);
  bar->setProperty("bar", true);
  bar->setAttribute(Qt::WA_StyledBackground);
  m_title->setProperty("muted", true);
  m_title->setContentsMargins(2, 0, 2, 0);
  m_state->setContentsMargins(2, 0, 2, 0);
  m_state->setWordWrap(true);
  m_state->hide();
  m_search->setPlaceholderText(tr("Search nodes, operators and shapes"));
  m_search->setAccessibleName(tr("Search the model"));
  m_search->setClearButtonEnabled(true);
  m_search->setMinimumWidth(scaledPx(120));
  m_search->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  auto *fields = new FlowLayout(m_extentsRow);
  fields->setContentsMargins(0, 0, 0, 0);
  fields->addWidget(m_search);
  for (const QString &name : {tr("Table"), tr("Graph"), tr("Memory"), tr("Time")})
    m_forms->addTab(name);
  m_check->setAutoDefault(true);
  m_check->setToolTip(tr("Run the kernels of the text, as they are edited, beside the model's own "
                         "operations, and name "
                         "the first whose result differs"));
  connect(m_check, &QPushButton::clicked, this,
          [this] { m_isChecking ? Q_EMIT stopRequested() : Q_EMIT checkRequested(); });
  setChecking(false);
  m_forms->setAccessibleName(tr("What the model is shown as"));
  m_forms->setDrawBase(false);
  m_forms->setExpanding(false);
  auto *lower = new QHBoxLayout;
  lower->setSpacing(6);
  lower->addWidget(m_forms, 0, Qt::AlignTop);
  lower->addWidget(m_extentsRow, 1);
  lower->addWidget(m_check, 0, Qt::AlignTop);
  lower->addWidget(m_fit, 0, Qt::AlignTop);
  lower->addWidget(m_export, 0, Qt::AlignTop);
  auto *rows = new QVBoxLayout(bar);
  rows->setContentsMargins(8, 3, 8, 3);
  rows->setSpacing(3);
  rows->addWidget(m_title);
  rows->addWidget(m_state);
  rows->addLayout(lower);
  return bar;
}

QWidget *ModelView::createTable() {
  m_found->setSourceModel(m_tree);
  m_found->setFilterKeyColumn(-1);
  m_found->setFilterCaseSensitivity(Qt::CaseInsensitive);
  m_found->setRecursiveFilteringEnabled(true);
  m_found->setAutoAcceptChildRows(true);
  m_table->setModel(m_found);
  m_table->setItemDelegate(new QuotedDelegate(m_table));
  m_table->setUniformRowHeights(true);
  m_table->setAccessibleName(tr("Kernels of the model with their nodes"));
  m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
  m_table->setExpandsOnDoubleClick(false);
  m_table->setFrameShape(QFrame::NoFrame);
  m_table->header()->setStretchLastSection(false);
  m_table->header()->setSectionResizeMode(ModelTree::Node, QHeaderView::Stretch);
  return m_table;
}

QWidget *ModelView::createForms() {
  for (QWidget *form : {createTable(), static_cast<QWidget *>(m_graph),
                        static_cast<QWidget *>(m_arena), static_cast<QWidget *>(m_timeline)})
    m_shown->addWidget(form);
  m_info->setProperty("muted", true);
  m_info->setContentsMargins(8, 2, 8, 2);
  auto *left = new QWidget(this);
  auto *column = new QVBoxLayout(left);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(m_shown, 1);
  column->addWidget(m_info);
  auto *splitter = new QSplitter(Qt::Horizontal, this);
  splitter->setChildrenCollapsible(false);
  splitter->addWidget(left);
  splitter->addWidget(m_edges);
  splitter->setStretchFactor(0, 3);
  splitter->setStretchFactor(1, 2);
  splitter->setSizes({600, 400});
  return splitter;
}

QWidget *ModelView::createNothing() {
  auto *nothing = new QWidget(this);
  auto *middle = new QVBoxLayout(nothing);
  m_empty->setWordWrap(true);
  m_empty->setProperty("muted", true);
  m_empty->setAlignment(Qt::AlignCenter);
  m_empty->setContentsMargins(16, 8, 16, 8);
  m_open->setAutoDefault(true);
  connect(m_open, &QPushButton::clicked, this, &ModelView::openRequested);
  middle->addStretch(1);
  middle->addWidget(m_empty);
  middle->addWidget(m_open, 0, Qt::AlignHCenter);
  middle->addStretch(1);
  return nothing;
}

void ModelView::connectState() {
  connect(m_search, &QLineEdit::textChanged, this, &ModelView::search);
  connect(m_search, &QLineEdit::returnPressed, this, &ModelView::findNext);
  connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
          [this](const QModelIndex &index) {
            if (!m_isFollowing)
              choose(m_tree->kernelAt(m_found->mapToSource(index)));
          });
  const auto go = [this](const QModelIndex &index) {
    if (const int kernel = m_tree->kernelAt(m_found->mapToSource(index)); kernel >= 0)
      Q_EMIT kernelRequested(kernel);
  };
  connect(m_table, &QTreeView::activated, this, go);
}

void ModelView::choose(int kernel) {
  m_kernel = kernel;
  showChosen();
  if (kernel >= 0)
    Q_EMIT kernelShown(kernel);
}

/// In every form, and the edges.
void ModelView::showChosen() {
  const QScopedValueRollback following(m_isFollowing, true);
  // A node of the kernel may be the current row.
  if (m_tree->kernelAt(m_found->mapToSource(m_table->currentIndex())) != m_kernel) {
    const QModelIndex row =
        m_kernel < 0 ? QModelIndex() : m_found->mapFromSource(m_tree->indexOfKernel(m_kernel));
    m_table->setCurrentIndex(row);
    if (row.isValid())
      m_table->scrollTo(row);
  }
  m_graph->setChosen(m_kernel);
  m_arena->showKernel(m_kernel);
  m_timeline->canvas().showKernel(m_kernel);
  // Those of all kernels where none is chosen.
  m_edges->setKernel(m_model, m_kernel);
  showInfo();
}

void ModelView::setModel(ShownModelPointer model, const QString &title) {
  const QScopedValueRollback following(m_isFollowing, true);
  m_model = std::move(model);
  m_kernel = -1;
  m_title->setText(title);
  m_tree->setModel(m_model);
  m_graph->setModel(m_model);
  m_arena->setModel(m_model);
  m_timeline->canvas().setRun(m_model, {});
  const int most = scaledPx(kMostKernelPx);
  for (int column = 0; column < ModelTree::NumColumns; ++column) {
    m_table->resizeColumnToContents(column);
    m_table->setColumnWidth(column, std::min(most, m_table->columnWidth(column)));
  }
  search(m_search->text());
  m_edges->setKernel(m_model, m_kernel);
  m_pages->setCurrentIndex(0);
  showForm();
}

void ModelView::clear(const QString &why) {
  const QScopedValueRollback following(m_isFollowing, true);
  m_model.reset();
  m_kernel = -1;
  m_tree->setModel(nullptr);
  m_graph->setModel(nullptr);
  m_arena->setModel(nullptr);
  m_timeline->canvas().setRun(nullptr, {});
  m_edges->setKernel(nullptr, -1);
  m_empty->setText(why);
  m_pages->setCurrentIndex(1);
  setFocusProxy(m_open);
}

void ModelView::setState(const QString &state, bool isFault) {
  m_state->setText(state);
  m_state->setHidden(state.isEmpty());
  const QString tone = isFault ? QStringLiteral("error") : QString();
  if (m_state->property("tone").toString() != tone)
    setStyleProperty(m_state, "tone", tone);
}

void ModelView::setChecking(bool isChecking) {
  m_isChecking = isChecking;
  m_check->setText(isChecking ? tr("&Stop") : tr("&Check kernels"));
}

void ModelView::search(const QString &words) {
  const QScopedValueRollback following(m_isFollowing, true);
  m_found->setFilterFixedString(words.trimmed());
  // What was found may be below.
  if (words.trimmed().isEmpty())
    m_table->collapseAll();
  else
    m_table->expandAll();
  if (m_table->currentIndex().isValid())
    m_table->scrollTo(m_table->currentIndex());
  m_graph->setFound(words.trimmed().isEmpty() ? std::nullopt : std::optional(foundKernels()));
}

void ModelView::showKernel(int kernel) {
  if (kernel == m_kernel || !m_model)
    return;
  m_kernel = kernel;
  showChosen();
}

void ModelView::setExtents(const std::vector<ModelExtent> &extents) {
  const auto nameOf = [](const ModelExtent &each) { return each.name; };
  QStringList names, before;
  std::ranges::transform(extents, std::back_inserter(names), nameOf);
  std::ranges::transform(m_extents, std::back_inserter(before), nameOf);
  m_extents = extents;
  if (names != before) {
    while (m_extentsRow->layout()->count() > 1) {
      QLayoutItem *item = m_extentsRow->layout()->takeAt(1);
      delete item->widget();
      delete item;
    }
    m_fields.clear();
    for (const QString &name : names) {
      auto *label = new QLabel(name, m_extentsRow);
      auto *field = new QSpinBox(m_extentsRow);
      label->setBuddy(field);
      field->setRange(1, kLargestExtent);
      field->setKeyboardTracking(false);
      field->setAccessibleName(tr("Extent %1").arg(name));
      connect(field, &QSpinBox::valueChanged, this, &ModelView::noteExtent);
      m_extentsRow->layout()->addWidget(label);
      m_extentsRow->layout()->addWidget(field);
      m_fields.push_back(field);
    }
  }
  for (size_t i = 0; i < m_fields.size(); ++i) {
    const QSignalBlocker blocker(m_fields[i]);
    m_fields[i]->setValue(static_cast<int>(std::min<int64_t>(extents[i].value, kLargestExtent)));
    m_fields[i]->setToolTip(
        extents[i].isGuess
            ? tr("The model leaves `%1` open: this number is assumed").arg(extents[i].name)
            : tr("The model leaves `%1` open: this number was chosen").arg(extents[i].name));
  }
}

void ModelView::noteExtent() {
  for (size_t i = 0; i < m_fields.size(); ++i)
    if (m_extents[i].value != m_fields[i]->value())
      m_extents[i] = {m_extents[i].name, m_fields[i]->value(), false};
  Q_EMIT extentsChanged(m_extents);
}

QSpinBox *ModelView::extentField(const QString &name) const {
  const auto found = std::ranges::find(m_extents, name, &ModelExtent::name);
  return found == m_extents.end() ? nullptr
                                  : m_fields[static_cast<size_t>(found - m_extents.begin())];
}

QString ModelView::titleText() const { return m_title->text(); }
QString ModelView::emptyText() const {
  return m_pages->currentIndex() == 1 ? m_empty->text() : QString();
}
QString ModelView::stateText() const { return m_state->text(); }
QString ModelView::infoText() const { return m_info->text(); }

} // namespace tilescope::views
