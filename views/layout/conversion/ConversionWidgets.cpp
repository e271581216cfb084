// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// What a ConversionView is put together from; what it shows is in ConversionView.cpp.
#include "views/common/ElidedComboBox.h"
#include "views/common/ElidedLabel.h"
#include "views/common/FlowLayout.h"
#include "views/common/IconButton.h"
#include "views/common/ShortTexts.h"
#include "views/common/TableMetrics.h"
#include "views/common/Theme.h"
#include "views/common/TurningSplitter.h"
#include "views/layout/conversion/ArrowLayer.h"
#include "views/layout/conversion/ArrowLegend.h"
#include "views/layout/conversion/ConversionView.h"

#include <QComboBox>
#include <QHeaderView>
#include <QKeyEvent>
#include <QScrollArea>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

namespace tilescope::views {

using compiler::ConversionCells;
using compiler::ConversionSide;
using compiler::Family;
using compiler::MoveScope;

/// What is read at least of each choice.
static constexpr int kLeastLetters = 8;

ConversionView::ConversionView(FocusState *focus, QWidget *parent)
    : PictureView(parent), m_focus(focus), m_mark(focus, this), m_title(new ElidedLabel(this)),
      m_cost(new ElidedLabel(this)), m_reason(new ElidedLabel(this)),
      m_cells(new ElidedComboBox(this)), m_coloring(new ElidedComboBox(this)),
      m_scope(new ElidedComboBox(this)), m_beforeName(new ElidedLabel(this)),
      m_behindName(new ElidedLabel(this)), m_before(new DiagramCanvas(this)),
      m_behind(new DiagramCanvas(this)), m_model(new ConversionListModel(this)),
      m_list(new QTableView(this)) {
  m_before->setAccessibleName(tr("Layout before the conversion"));
  m_behind->setAccessibleName(tr("Layout after the conversion"));
  m_cost->setWordWrap(true);
  m_reason->setWordWrap(true);
  QToolButton *fitter = fitButton(this);
  connect(fitter, &QToolButton::clicked, this, [this] {
    m_before->fit();
    m_behind->fit();
  });
  setParts(createBar(createFields(), {fitter}), createHeader({m_title, m_cost, m_reason}),
           createPicture());
  // What a lane receives is asked more often than what it sends.
  setFocusProxy(m_behind);
  connectState();
  clear(tr("No kernel is compiled yet."));
}

QWidget *ConversionView::createFields() {
  m_cells->addItem(tr("Registers"), static_cast<int>(ConversionCells::Places));
  m_cells->addItem(tr("Elements"), static_cast<int>(ConversionCells::Elements));
  m_cells->setAccessibleName(tr("What cells are"));
  m_cells->setToolTip(tr("What cells are (V)"));
  m_coloring->addItem(tr("Color by warp"), static_cast<int>(Family::Warp));
  m_coloring->addItem(tr("Color by lane"), static_cast<int>(Family::Lane));
  m_coloring->addItem(tr("Color by register"), static_cast<int>(Family::Register));
  m_coloring->setAccessibleName(tr("Coloring"));
  m_coloring->setToolTip(tr("Coloring (C)"));
  m_scope->addItem(tr("Arrows of a lane"), static_cast<int>(MoveScope::Lane));
  m_scope->addItem(tr("Arrows of an element"), static_cast<int>(MoveScope::Element));
  m_scope->setAccessibleName(tr("What arrows are drawn for"));
  m_scope->setToolTip(tr("What arrows are drawn for (L)"));
  auto *fields = new QWidget(this);
  auto *flow = new FlowLayout(fields);
  flow->setContentsMargins(0, 0, 0, 0);
  for (QComboBox *box : {m_cells, m_coloring, m_scope}) {
    box->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    box->setMinimumContentsLength(kLeastLetters);
    // Narrower where that saves a row.
    box->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
    flow->addWidget(box);
  }
  flow->addWidget(new ArrowLegend(fields));
  return fields;
}

QWidget *ConversionView::createPane(ElidedLabel *name, DiagramCanvas *canvas) {
  auto *pane = new QWidget(this);
  pane->setProperty("panel", true);
  pane->setAttribute(Qt::WA_StyledBackground);
  auto *column = new QVBoxLayout(pane);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  name->setProperty("muted", true);
  name->setContentsMargins(10, 0, 10, 0);
  column->addWidget(name);
  column->addWidget(canvas, 1);
  return pane;
}

QWidget *ConversionView::createPictures() {
  auto *both = new QWidget(this);
  auto *splitter = new TurningSplitter(both);
  splitter->addWidget(createPane(m_beforeName, m_before));
  splitter->addWidget(createPane(m_behindName, m_behind));
  // Arrows between the two need some way from one to the other.
  splitter->setHighEnough(260);
  splitter->setSizes({500, 500});
  auto *row = new QHBoxLayout(both);
  row->setContentsMargins(0, 0, 0, 0);
  row->addWidget(splitter);
  m_arrows = new ArrowLayer(m_before, m_behind, both);
  m_arrows->raise();
  // Where there is no room for both, they keep what makes them readable.
  auto *scroll = new QScrollArea(this);
  scroll->setWidget(both);
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setFocusPolicy(Qt::NoFocus);
  return scroll;
}

QWidget *ConversionView::createList() {
  m_list->setModel(m_model);
  m_list->setAccessibleName(tr("Conversions, those in loops first"));
  setUpRows(m_list);
  chooseColumns(m_list, ConversionListModel::ConversionColumn, ConversionListModel::TimesColumn);
  useShortTexts(m_list, ConversionListModel::ConversionColumn);
  m_list->installEventFilter(this);
  return m_list;
}

QWidget *ConversionView::createPicture() {
  auto *splitter = new TurningSplitter(this);
  splitter->addWidget(createPictures());
  splitter->addWidget(createList());
  splitter->setStretchFactor(0, 3);
  splitter->setStretchFactor(1, 1);
  splitter->setSizes({750, 250});
  // Two layouts and the arrows between them need most of it.
  giveRoom(m_list, splitter, 42);
  return splitter;
}

void ConversionView::connectState() {
  for (QComboBox *box : {m_cells, m_coloring})
    connect(box, &QComboBox::currentIndexChanged, this, &ConversionView::rebuild);
  connect(m_scope, &QComboBox::currentIndexChanged, this, [this] {
    const bool isPointedAt = m_mark.isShown();
    pointAt(m_shown);
    markSource(isPointedAt);
  });
  for (const ConversionSide side : {ConversionSide::Before, ConversionSide::Behind}) {
    connect(&canvas(side), &DiagramCanvas::cellHovered, this,
            [this, side](int64_t cell) { pointAt({side, cell}); });
    connect(&canvas(side), &DiagramCanvas::cellPinned, this,
            [this, side](int64_t cell) { pin({side, cell}); });
  }
  connect(m_list->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
          [this](const QModelIndex &index) {
            const int conversion = m_model->conversionAt(index.row());
            if (!m_isFollowing && conversion >= 0)
              showConversion(conversion);
          });
  connect(m_list, &QTableView::clicked, this,
          [this](const QModelIndex &index) { goToRow(index.row()); });
  connect(m_focus, &FocusState::selectedChanged, this, [this] { follow(); });
}

bool ConversionView::eventFilter(QObject *watched, QEvent *event) {
  if (watched == m_list && event->type() == QEvent::KeyPress)
    if (const int key = static_cast<QKeyEvent *>(event)->key();
        key == Qt::Key_Return || key == Qt::Key_Enter) {
      goToRow(m_list->currentIndex().row());
      return true;
    }
  return PictureView::eventFilter(watched, event);
}

} // namespace tilescope::views
