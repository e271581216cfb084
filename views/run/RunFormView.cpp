// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/run/RunFormView.h"

#include "views/common/FlowLayout.h"
#include "views/common/QuotedCode.h"
#include "views/common/Theme.h"
#include "views/run/FormTable.h"
#include "views/run/KeptPlace.h"
#include "views/run/ScrollPart.h"
#include "views/run/TabOrder.h"

#include <QApplication>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace tilescope::views {

static constexpr int kSummaryRole = Qt::UserRole;
static constexpr int kCpuRole = Qt::UserRole + 1;

RunFormView::RunFormView(QWidget *parent) : QWidget(parent) {
  setProperty("panel", true);
  setAttribute(Qt::WA_StyledBackground);
  m_launches = new QComboBox(this);
  m_launches->setAccessibleName(tr("Launch"));
  m_launches->setPlaceholderText(tr("no launch block"));
  m_places = new QComboBox(this);
  m_places->setAccessibleName(tr("Where to run"));
  m_places->addItem(tr("CPU"));
  for (QComboBox *choice : {m_launches, m_places})
    choice->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  m_launches->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  m_valuesButton = new QPushButton(tr("Values"), this);
  m_valuesButton->setCheckable(true);
  m_valuesButton->setToolTip(
      tr("Shows the values that the launch runs with, or the results of the run"));
  m_createButton = new QPushButton(tr("Write a launch block"), this);
  m_runButton = new QPushButton(tr("Run"), this);
  m_runButton->setProperty("primary", true);
  m_profileButton = new QToolButton(this);
  m_profileButton->setText(tr("Profile"));
  m_profileButton->setAccessibleName(tr("Profile"));
  m_profileButton->setIcon(themedIcon(QStringLiteral("profile")));
  m_profileButton->setPopupMode(QToolButton::MenuButtonPopup);
  m_profileButton->setFocusPolicy(Qt::StrongFocus);
  m_profileButton->setToolTip(tr("Measures on a GPU how long the launch takes, and why (Alt+F5)"));
  m_body = new ScrollPart(createBody(), this);
  auto *top = new FlowLayout;
  m_top = top;
  top->setContentsMargins(10, 6, 10, 4);
  top->addWidget(m_launches);
  top->addWidget(m_places);
  top->addWidget(m_valuesButton);
  top->addWidget(m_createButton);
  top->addWidget(m_runButton);
  top->addWidget(m_profileButton);
  auto *layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(2);
  layout->addLayout(top);
  layout->addWidget(m_body, 1);
  connect(m_launches, &QComboBox::activated, this, &RunFormView::launchChosen);
  connect(m_places, &QComboBox::activated, this, &RunFormView::placeChosen);
  connect(m_valuesButton, &QPushButton::clicked, this, &RunFormView::valuesToggled);
  connect(m_createButton, &QPushButton::clicked, this, &RunFormView::createBlockRequested);
  connect(m_profileButton, &QToolButton::clicked, this, &RunFormView::profileRequested);
  // Enter presses them as well as Space.
  for (QPushButton *button : {m_valuesButton, m_createButton, m_runButton})
    button->setAutoDefault(true);
  connect(m_runButton, &QPushButton::clicked, this, [this] {
    if (!m_running)
      Q_EMIT runRequested();
    else
      Q_EMIT cancelRequested();
  });
}

QWidget *RunFormView::createBody() {
  auto *body = new QWidget;
  body->setProperty("panel", true);
  m_placeSummary = new QLabel(body);
  m_placeSummary->setWordWrap(true);
  m_placeSummary->setTextFormat(Qt::PlainText);
  m_placeSummary->setTextInteractionFlags(Qt::TextSelectableByMouse);
  m_placeSummary->setAccessibleName(tr("What the machine can do"));
  m_placeSummary->setHidden(true);
  m_executorRow = createExecutors(body);
  m_problem = new QLabel(body);
  m_problem->setWordWrap(true);
  m_problem->setProperty("tone", QStringLiteral("warning"));
  m_fixes = new QWidget(body);
  auto *fixes = new QVBoxLayout(m_fixes);
  fixes->setContentsMargins(0, 0, 0, 0);
  fixes->setSpacing(4);
  m_fields = new FormTable(body);
  connect(m_fields, &FormTable::edited, this, &RunFormView::fieldEdited);
  auto *rows = new QVBoxLayout(body);
  rows->setContentsMargins(10, 0, 10, 0);
  rows->setSpacing(4);
  rows->addWidget(m_placeSummary);
  rows->addWidget(m_executorRow);
  // Below the fields, which stay where they are when something becomes wrong.
  rows->addWidget(m_fields);
  rows->addWidget(m_problem);
  rows->addWidget(m_fixes);
  rows->addStretch(1);
  return body;
}

QWidget *RunFormView::createExecutors(QWidget *body) {
  auto *row = new QWidget(body);
  auto *name = new QLabel(tr("Executes with"), row);
  m_executors = new QComboBox(row);
  m_executors->setAccessibleName(tr("What executes the kernel on the CPU"));
  m_executors->addItem(tr("native code (checked)"));
  m_executors->addItem(tr("interpreter"));
  m_executors->setToolTip(
      tr("Native code is compiled for this processor and checks every access. Where it finds "
         "anything, the interpreter executes the kernel and says what is wrong."));
  name->setBuddy(m_executors);
  auto *cells = new QHBoxLayout(row);
  cells->setContentsMargins(0, 0, 0, 0);
  cells->addWidget(name);
  cells->addWidget(m_executors);
  cells->addStretch(1);
  connect(m_executors, &QComboBox::activated, this,
          [this](int index) { Q_EMIT executorChosen(static_cast<RunExecutor>(index)); });
  return row;
}

void RunFormView::setExecutor(RunExecutor executor) {
  m_executors->setCurrentIndex(static_cast<int>(executor));
}

void RunFormView::setScrolling(bool scrolling) { m_body->setScrolling(scrolling); }

void RunFormView::setFolding(FormFolding folding) {
  // The keyboard stays in the view.
  if (folding.isFolded && m_body->isAncestorOf(QApplication::focusWidget()))
    m_valuesButton->setFocus();
  m_valuesButton->setVisible(folding.canFold);
  fitProfileButton();
  m_valuesButton->setChecked(!folding.isFolded);
  m_body->setVisible(!folding.isFolded);
}

void RunFormView::setForm(const RunForm &form) {
  // While a field is being typed into, the text it causes must not rebuild it under the cursor.
  if (form == m_form)
    return;
  const KeptPlace kept(*m_fields);
  const bool hasOtherFixes = form.fixes != m_form.fixes;
  m_form = form;
  if (hasOtherFixes)
    rebuildFixes();
  const QSignalBlocker blocker(m_launches);
  m_launches->clear();
  m_launches->addItems(form.launches);
  m_launches->setCurrentIndex(form.current);
  m_launches->setVisible(!form.launches.isEmpty());
  m_problem->setText(form.problem);
  m_problem->setVisible(!form.problem.isEmpty());
  m_createButton->setVisible(!form.canCreateFor.isEmpty());
  fitProfileButton();
  offerRun();
  m_createButton->setToolTip(tr("For `%1`, in front of it in the file").arg(form.canCreateFor));
  if (m_fields->setSections(form.sections))
    orderFields();
  placeNow();
  // Wrapped text knows its height only when it has its width.
  placeNow();
  kept.restore();
}

/// Nothing is painted in the places of the form before.
void RunFormView::placeNow() {
  for (QWidget *each = m_fields; each && !each->isWindow(); each = each->parentWidget())
    QCoreApplication::sendPostedEvents(each, QEvent::LayoutRequest);
}

void RunFormView::rebuildFixes() {
  // The button whose press has led here goes when it is done.
  for (QPushButton *old : m_fixes->findChildren<QPushButton *>()) {
    old->hide();
    old->setParent(nullptr);
    old->deleteLater();
  }
  for (const compiler::DiagnosticFix &fix : m_form.fixes) {
    const QString title = QString::fromStdString(fix.title);
    auto *button = new QPushButton(title.left(1).toUpper() + title.mid(1).remove(u'`'), m_fixes);
    button->setAutoDefault(true);
    connect(button, &QPushButton::clicked, this, [this, fix] { Q_EMIT fixRequested(fix); });
    m_fixes->layout()->addWidget(button);
    m_fixes->layout()->setAlignment(button, Qt::AlignLeft);
  }
  m_fixes->setVisible(!m_form.fixes.empty());
}

QWidget *RunFormView::orderFields() {
  QWidget::setTabOrder(m_launches, m_places);
  QWidget::setTabOrder(m_places, m_valuesButton);
  QWidget::setTabOrder(m_valuesButton, m_createButton);
  QWidget::setTabOrder(m_createButton, m_runButton);
  QWidget::setTabOrder(m_runButton, m_profileButton);
  return orderTabs(m_profileButton, m_body);
}

void RunFormView::setPlaces(const std::vector<RunPlaceEntry> &places, int chosen) {
  m_places->clear();
  for (const RunPlaceEntry &place : places) {
    m_places->addItem(place.name);
    m_places->setItemData(m_places->count() - 1, place.details, Qt::ToolTipRole);
    m_places->setItemData(m_places->count() - 1, place.summary, kSummaryRole);
    m_places->setItemData(m_places->count() - 1, place.isCpu, kCpuRole);
  }
  m_places->setCurrentIndex(chosen);
  showPlace();
  fitProfileButton();
}

void RunFormView::choosePlace(int index) {
  m_places->setCurrentIndex(index);
  showPlace();
}

/// The list may be closed: what is known of the chosen place is below it.
void RunFormView::showPlace() {
  const QString details = m_places->currentData(Qt::ToolTipRole).toString();
  const QString summary = m_places->currentData(kSummaryRole).toString();
  m_places->setToolTip(details);
  m_places->setAccessibleDescription(details);
  m_placeSummary->setText(quotedCode(summary));
  m_placeSummary->setToolTip(details);
  m_placeSummary->setHidden(summary.isEmpty());
  m_executorRow->setVisible(m_places->currentData(kCpuRole).toBool());
}

void RunFormView::fitProfileButton() {
  const QMargins margins = m_top->contentsMargins();
  int room = width() - margins.left() - margins.right();
  for (const QWidget *other : std::initializer_list<const QWidget *>{
           m_launches, m_places, m_valuesButton, m_createButton, m_runButton})
    if (!other->isHidden())
      room -= other->sizeHint().width() + std::max(m_top->spacing(), 6);
  const auto fits = [&](Qt::ToolButtonStyle style) {
    m_profileButton->setToolButtonStyle(style);
    return m_profileButton->sizeHint().width() <= room;
  };
  m_profileButton->setHidden(!fits(Qt::ToolButtonTextOnly) && !fits(Qt::ToolButtonIconOnly));
}

void RunFormView::resizeEvent(QResizeEvent *event) {
  QWidget::resizeEvent(event);
  fitProfileButton();
}

void RunFormView::changeEvent(QEvent *event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange)
    QMetaObject::invokeMethod(this, &RunFormView::fitProfileButton, Qt::QueuedConnection);
}

void RunFormView::setProfileMenu(QMenu *menu) { m_profileButton->setMenu(menu); }

void RunFormView::commitEdits() { m_fields->commitEdits(); }

void RunFormView::setRunning(bool running) {
  m_running = running;
  m_runButton->setText(running ? tr("Stop") : tr("Run"));
  m_profileButton->setEnabled(!running);
  offerRun();
}

/// What runs can be stopped.
void RunFormView::offerRun() {
  m_runButton->setEnabled(m_running || m_form.cannotRun.isEmpty());
  m_runButton->setToolTip(m_form.cannotRun);
}

} // namespace tilescope::views
