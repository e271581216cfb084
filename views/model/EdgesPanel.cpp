// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/model/EdgesPanel.h"

#include "views/common/TableMetrics.h"
#include "views/common/Theme.h"
#include "views/model/ModelEdges.h"

#include <QAction>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>

namespace tilescope::views {

using compiler::FusionWish;

/// Of a column with nodes.
static constexpr int kMostNodePx = 170;

EdgesPanel::EdgesPanel(QWidget *parent)
    : QWidget(parent), m_edges(new ModelEdges(this)), m_table(new QTableView(this)),
      m_variants(new QWidget(this)), m_grid(new QGridLayout),
      m_measure(new QPushButton(m_variants)), m_undo(new QPushButton(m_variants)),
      m_fuse(new QAction(tr("Fuse"), this)), m_keepApart(new QAction(tr("Keep apart"), this)),
      m_leave(new QAction(tr("Let the compiler decide"), this)) {
  m_table->setModel(m_edges);
  m_table->setAccessibleName(tr("Why tensors of the kernel are or are not fused"));
  setUpRows(m_table);
  m_table->horizontalHeader()->setStretchLastSection(true);
  auto *column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(m_table, 1);
  column->addWidget(createVariants());
  createActions();
  setMeasuring(false);
  setVariants({});
  setFocusProxy(m_table);
}

void EdgesPanel::createActions() {
  m_table->setContextMenuPolicy(Qt::ActionsContextMenu);
  const auto add = [this](QAction *action, const QList<QKeySequence> &keys, FusionWish wish) {
    action->setShortcuts(keys);
    action->setShortcutContext(Qt::WidgetShortcut);
    connect(action, &QAction::triggered, this, [this, wish] { Q_EMIT fusionChosen(edge(), wish); });
    m_table->addAction(action);
  };
  add(m_fuse, {Qt::Key_F}, FusionWish::Fused);
  add(m_keepApart, {Qt::Key_K}, FusionWish::Apart);
  add(m_leave, {Qt::Key_Delete, Qt::Key_Backspace}, FusionWish::None);
  connect(m_table->selectionModel(), &QItemSelectionModel::currentChanged, this,
          &EdgesPanel::updateActions);
  updateActions();
}

QWidget *EdgesPanel::createVariants() {
  m_variants->setProperty("bar", true);
  m_variants->setAttribute(Qt::WA_StyledBackground);
  m_variants->setAccessibleName(tr("The model with the chosen fusions and without them"));
  m_grid->setHorizontalSpacing(scaledPx(12));
  m_grid->setVerticalSpacing(1);
  m_undo->setText(tr("Undo choices"));
  m_undo->setToolTip(tr("Let the compiler decide about all edges of the model"));
  m_measure->setToolTip(tr("Run the model with the choices and without them, as machine code of "
                           "this processor, and compare the kernels that differ"));
  for (QPushButton *button : {m_measure, m_undo})
    button->setAutoDefault(true);
  connect(m_undo, &QPushButton::clicked, this, &EdgesPanel::undoRequested);
  connect(m_measure, &QPushButton::clicked, this,
          [this] { m_isMeasuring ? Q_EMIT stopRequested() : Q_EMIT measureRequested(); });
  auto *buttons = new QHBoxLayout;
  buttons->setSpacing(6);
  buttons->addWidget(m_measure);
  buttons->addWidget(m_undo);
  buttons->addStretch(1);
  auto *rows = new QVBoxLayout(m_variants);
  rows->setContentsMargins(8, 4, 8, 4);
  rows->setSpacing(4);
  rows->addLayout(m_grid);
  rows->addLayout(buttons);
  return m_variants;
}

void EdgesPanel::setMeasuring(bool isMeasuring) {
  m_isMeasuring = isMeasuring;
  m_measure->setText(isMeasuring ? tr("Stop measuring") : tr("Measure both"));
}

void EdgesPanel::setVariants(const std::vector<VariantFact> &facts) {
  m_variants->setHidden(facts.empty());
  if (facts == m_facts)
    return;
  m_facts = facts;
  while (QLayoutItem *item = m_grid->takeAt(0)) {
    delete item->widget();
    delete item;
  }
  const auto add = [this](int row, int column, const QString &text, bool isMuted) {
    auto *label = new QLabel(text, m_variants);
    label->setProperty("muted", isMuted);
    label->setTextFormat(Qt::PlainText);
    m_grid->addWidget(label, row, column);
  };
  if (!facts.empty()) {
    add(0, 1, tr("With your choices"), true);
    add(0, 2, tr("Without them"), true);
  }
  for (int row = 1; const VariantFact &fact : facts) {
    add(row, 0, fact.name, true);
    add(row, 1, fact.chosen, false);
    add(row++, 2, fact.planned, false);
  }
  m_grid->setColumnStretch(3, 1);
}

QStringList EdgesPanel::variantTexts() const {
  QStringList texts;
  for (const VariantFact &fact : m_facts)
    texts << QStringLiteral("%1: %2 | %3").arg(fact.name, fact.chosen, fact.planned);
  return texts;
}

const compiler::ModelEdge *EdgesPanel::current() const {
  const QModelIndex index = m_table->currentIndex();
  return index.isValid() ? &m_edges->edge(index.row()) : nullptr;
}

QString EdgesPanel::edge() const {
  const compiler::ModelEdge *edge = current();
  return edge ? QString::fromStdString(edgeName(*edge)) : QString();
}

void EdgesPanel::updateActions() {
  const compiler::ModelEdge *edge = current();
  for (const auto &[action, wish] : {std::pair(m_fuse, FusionWish::Fused),
                                     {m_keepApart, FusionWish::Apart},
                                     {m_leave, FusionWish::None}})
    action->setEnabled(edge && edge->wish != wish);
}

void EdgesPanel::setKernel(ShownModelPointer model, int kernel) {
  const QString before = edge();
  m_edges->setKernel(std::move(model), kernel);
  m_table->resizeColumnsToContents();
  const int most = scaledPx(kMostNodePx);
  for (const int column : {ModelEdges::From, ModelEdges::To})
    m_table->setColumnWidth(column, std::min(most, m_table->columnWidth(column)));
  if (!before.isEmpty())
    showEdge(before);
  updateActions();
}

void EdgesPanel::showEdge(const QString &edge) {
  for (int row = 0; row < m_edges->rowCount(); ++row)
    if (edgeName(m_edges->edge(row)) == edge.toStdString())
      return m_table->setCurrentIndex(m_edges->index(row, 0));
}

} // namespace tilescope::views
