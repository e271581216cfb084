// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// What a StepView is put together from; what it shows is in StepView.cpp.
#include "views/common/ElidedComboBox.h"
#include "views/common/ElidedLabel.h"
#include "views/common/FlowLayout.h"
#include "views/common/NearestSpinBox.h"
#include "views/common/Theme.h"
#include "views/step/StepModel.h"
#include "views/step/StepPicture.h"
#include "views/step/StepTable.h"
#include "views/step/StepView.h"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QFormLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollArea>
#include <QSpinBox>
#include <QSplitter>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>
#include <QWidgetAction>

namespace tilescope::views {

/// What is read at least of the name of a function, and of a watch that is typed.
static constexpr int kLeastLetters = 12, kLeastWatchPx = 170;

StepView::StepView(QWidget *parent)
    : QWidget(parent), m_commands(new QWidget(this)), m_position(new ElidedLabel(this)),
      m_reason(new QLabel(this)), m_staleNote(new QLabel(this)), m_order(new QComboBox(this)),
      m_stage(new QComboBox(this)), m_unit(new QComboBox(this)), m_frame(new ElidedComboBox(this)),
      m_breakpointList(new QComboBox(this)), m_findings(new QCheckBox(tr("Stop at faults"), this)),
      m_allValues(new QCheckBox(tr("All values"), this)), m_model(new StepModel(this)),
      m_table(new StepTable(this)), m_watchField(new QLineEdit(this)),
      m_picture(new StepPicture(this)), m_splitter(new QSplitter(Qt::Horizontal, this)),
      m_pages(new QStackedWidget(this)), m_empty(new QLabel(this)),
      m_writeBlock(new QPushButton(tr("Write a launch block"), this)),
      m_progress(new QProgressBar(this)) {
  for (QSpinBox *&field : m_program)
    field = new NearestSpinBox(this);
  createFields();
  auto *layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(createBar());
  layout->addWidget(m_progress);
  layout->addWidget(m_staleNote);
  layout->addWidget(createPages(), 1);
  setProperty("panel", true);
  setAttribute(Qt::WA_StyledBackground);
  setFocusProxy(m_table);
  connectState();
  setBreakpoints({});
  clear(howToBegin());
}

void StepView::createFields() {
  static constexpr const char *kAxes[] = {"x", "y", "z"};
  for (size_t axis = 0; axis < m_program.size(); ++axis) {
    QSpinBox *field = m_program[axis];
    field->setPrefix(axis == 0 ? tr("Program ") : QString::fromLatin1(kAxes[axis]) + u' ');
    field->setMaximum(0);
    field->setKeyboardTracking(false);
    field->setAccessibleName(tr("Program %1").arg(QString::fromLatin1(kAxes[axis])));
    field->setToolTip(
        tr("The program that is stepped. Others stay where they are, so that programs "
           "can be interleaved."));
    field->setVisible(axis == 0);
  }
  m_order->addItems({tr("Alone"), tr("After earlier programs"), tr("After all others"),
                     tr("After all others, reversed")});
  m_order->setAccessibleName(tr("Which programs run before"));
  m_order->setToolTip(tr("The programs that have run to their end before the one that is stepped "
                         "begins"));
  m_stage->addItems({tr("TTIR"), tr("TTGIR")});
  m_stage->setAccessibleName(tr("Stage that is executed"));
  m_stage->setToolTip(tr("What is executed: TTIR is what the source says; TTGIR is what the "
                         "compiler made of it, with copies under way and shared memory"));
  m_unit->addItems({tr("By line"), tr("By operation")});
  m_unit->setAccessibleName(tr("Length of a step"));
  m_unit->setToolTip(tr("Whether a step is a line of the source or an operation of the IR"));
  m_frame->setAccessibleName(tr("Function whose variables are shown"));
  m_frame->setToolTip(tr("The functions that are executed, the innermost first: choose one to see "
                         "its variables"));
  // Narrower where that saves a row of the bar.
  m_frame->setMinimumContentsLength(kLeastLetters);
  m_frame->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  m_frame->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
  m_breakpointList->setAccessibleName(tr("Breakpoints"));
  m_breakpointList->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  m_breakpointList->setToolTip(tr("Go to a breakpoint. F9 sets one at the cursor, Shift+F9 gives "
                                  "it a condition."));
  m_findings->setChecked(true);
  m_findings->setToolTip(tr("Stop in front of an access out of bounds, a race, or an assertion "
                            "that does not hold"));
  m_allValues->setToolTip(tr("Show also values that have no name in the source"));
  m_table->setModel(m_model);
  m_table->setAccessibleName(tr("Variables and watch expressions"));
  m_table->setToolTip({});
  m_watchField->setPlaceholderText(tr("Watch: max(x) or mask[3]"));
  m_watchField->setToolTip(
      tr("An expression to be shown at every stop, such as max(x), any(isnan(acc)) or mask[3]"));
  m_watchField->setAccessibleName(tr("New watch expression"));
  m_watchField->setProperty("code", true);
  m_watchField->setClearButtonEnabled(true);
  m_watchField->setMinimumWidth(scaledPx(kLeastWatchPx));
  m_position->setContentsMargins(10, 3, 10, 1);
  m_reason->setContentsMargins(10, 0, 10, 3);
  m_reason->setWordWrap(true);
  m_reason->setTextInteractionFlags(Qt::TextSelectableByMouse);
  m_staleNote->setProperty("tone", QStringLiteral("warning"));
  m_staleNote->setWordWrap(true);
  m_staleNote->setContentsMargins(10, 3, 10, 3);
  m_staleNote->hide();
  m_progress->setRange(0, 0);
  m_progress->setTextVisible(false);
  m_progress->setFixedHeight(3);
  m_progress->hide();
}

void StepView::setCommands(const QList<QAction *> &commands) {
  auto *row = new QHBoxLayout(m_commands);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(2);
  for (QAction *command : commands) {
    if (!command) {
      row->addSpacing(8);
      continue;
    }
    auto *button = new QToolButton(m_commands);
    button->setDefaultAction(command);
    button->setAccessibleName(command->text());
    row->addWidget(button);
  }
}

QWidget *StepView::createBar() {
  auto *bar = new QWidget(this);
  bar->setProperty("bar", true);
  bar->setAttribute(Qt::WA_StyledBackground);
  auto *fields = new QWidget(bar);
  auto *flow = new FlowLayout(fields);
  flow->setContentsMargins(6, 2, 6, 2);
  flow->setSpacing(6);
  flow->addWidget(m_commands);
  for (QSpinBox *field : m_program)
    flow->addWidget(field);
  flow->addWidget(m_unit);
  flow->addWidget(createOptions());
  flow->addWidget(m_breakpointList);
  flow->addWidget(m_frame);
  flow->addWidget(m_watchField);
  // Beside the fields: a low view has few lines.
  auto *row = new QHBoxLayout(bar);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(0);
  row->addWidget(fields, 7);
  row->addWidget(m_position, 2);
  return bar;
}

/// What is seldom changed: it has no room in the bar of a low view.
QToolButton *StepView::createOptions() {
  auto *button = new QToolButton(this);
  button->setText(tr("Options"));
  button->setToolTip(tr("Which programs run before, which stage is executed, where to stop"));
  button->setPopupMode(QToolButton::InstantPopup);
  auto *menu = new QMenu(button);
  auto *fields = new QWidget(menu);
  auto *form = new QFormLayout(fields);
  form->addRow(tr("Programs"), m_order);
  form->addRow(tr("Stage"), m_stage);
  form->addRow(m_findings);
  form->addRow(m_allValues);
  auto *holder = new QWidgetAction(menu);
  holder->setDefaultWidget(fields);
  menu->addAction(holder);
  button->setMenu(menu);
  return button;
}

QWidget *StepView::createPages() {
  auto *content = new QWidget(this);
  auto *column = new QVBoxLayout(content);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(m_reason);
  m_splitter->addWidget(m_table);
  m_splitter->addWidget(m_picture);
  m_splitter->setStretchFactor(0, 3);
  m_splitter->setStretchFactor(1, 2);
  m_splitter->setChildrenCollapsible(false);
  column->addWidget(m_splitter, 1);
  auto *empty = new QWidget(this);
  auto *middle = new QVBoxLayout(empty);
  middle->addStretch(1);
  m_empty->setAlignment(Qt::AlignCenter);
  m_empty->setWordWrap(true);
  m_empty->setProperty("muted", true);
  middle->addWidget(m_empty);
  middle->addWidget(m_writeBlock, 0, Qt::AlignHCenter);
  middle->addStretch(1);
  // Where text is large and room is small, the bar keeps its rows, and this is scrolled to.
  auto *scroll = new QScrollArea(this);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setWidgetResizable(true);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll->setFocusPolicy(Qt::NoFocus);
  scroll->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Ignored);
  scroll->setWidget(content);
  m_pages->addWidget(scroll);
  m_pages->addWidget(empty);
  m_pages->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Ignored);
  return m_pages;
}

void StepView::connectState() {
  for (QSpinBox *field : m_program)
    connect(field, &QSpinBox::valueChanged, this, &StepView::programChosen);
  for (QComboBox *field : {m_order, m_stage})
    connect(field, &QComboBox::currentIndexChanged, this, &StepView::restartRequested);
  connect(m_allValues, &QCheckBox::toggled, this, &StepView::sightChanged);
  connect(m_frame, &QComboBox::currentIndexChanged, this, [this](int frame) {
    Q_EMIT sightChanged();
    if (frame >= 0 && static_cast<size_t>(frame) < m_state.frames.size())
      Q_EMIT placeRequested(m_state.frames[static_cast<size_t>(frame)].range);
  });
  connect(m_breakpointList, &QComboBox::activated, this, [this](int index) {
    m_breakpointList->setCurrentIndex(0);
    if (index > 0 && static_cast<size_t>(index) <= m_breakpoints.size())
      Q_EMIT breakpointRequested(m_breakpoints[static_cast<size_t>(index) - 1]);
  });
  connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
          &StepView::choose);
  connect(m_table, &StepTable::removeRequested, this, &StepView::removeWatch);
  connect(m_table, &StepTable::editRequested, this, &StepView::editWatch);
  connect(m_table, &QTableView::doubleClicked, this, [this](const QModelIndex &index) {
    if (m_model->watch(index.row()))
      editWatch(index.row());
  });
  connect(m_watchField, &QLineEdit::returnPressed, this, &StepView::addWatch);
  connect(m_picture, &StepPicture::layoutRequested, this, &StepView::layoutRequested);
  connect(m_picture, &StepPicture::exportRequested, this, &StepView::exportRequested);
  connect(m_writeBlock, &QPushButton::clicked, this, &StepView::launchBlockRequested);
}

} // namespace tilescope::views
