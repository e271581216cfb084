// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/history/HistoryView.h"

#include "views/common/ElidedLabel.h"
#include "views/common/TableMetrics.h"
#include "views/common/Theme.h"
#include "views/history/HistoryPicture.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QSplitter>
#include <QStackedLayout>
#include <QTableView>
#include <QToolButton>

#include <algorithm>

namespace tilescope::views {

/// So many versions can be selected: they are compared with each other.
static constexpr int kMostChosen = 2;

HistoryView::HistoryView(QWidget *parent)
    : QWidget(parent), m_model(new HistoryModel(this)), m_table(new QTableView(this)),
      m_picture(new HistoryPicture(this)), m_empty(new QLabel(this)),
      m_difference(new ElidedLabel(this)), m_header(new QWidget(this)),
      m_pages(new QStackedLayout(this)) {
  createHeader();
  m_table->setModel(m_model);
  setUpRows(m_table);
  m_table->setSelectionMode(QAbstractItemView::ExtendedSelection);
  m_table->horizontalHeader()->setSectionResizeMode(HistoryModel::Change, QHeaderView::Stretch);
  m_table->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  m_table->setAccessibleName(tr("Versions of the kernel"));
  m_table->installEventFilter(this);
  connect(m_table, &QTableView::doubleClicked, this, &HistoryView::compare);
  connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this,
          &HistoryView::updateChoice);
  connect(m_picture, &HistoryPicture::chosen, this, &HistoryView::choose);
  auto *parts = new QSplitter(this);
  parts->addWidget(m_table);
  parts->addWidget(m_picture);
  // What has changed is a sentence, and the picture a few points.
  parts->setStretchFactor(0, 4);
  parts->setStretchFactor(1, 1);
  parts->setSizes({scaledPx(960), scaledPx(240)});
  m_empty->setAlignment(Qt::AlignCenter);
  m_empty->setWordWrap(true);
  m_empty->setProperty("muted", true);
  m_pages->addWidget(m_empty);
  m_pages->addWidget(parts);
  setFocusProxy(m_table);
  updateChoice();
}

QToolButton *HistoryView::addButton(const QString &text, const QString &explanation,
                                    void (HistoryView::*signal)(int64_t)) {
  auto *button = new QToolButton(m_header);
  button->setText(text);
  button->setToolTip(explanation);
  button->setAutoRaise(true);
  m_header->layout()->addWidget(button);
  if (signal) {
    m_single.push_back(button);
    connect(button, &QToolButton::clicked, this, [this, signal] {
      if (const std::vector<int64_t> numbers = chosen(); numbers.size() == 1)
        (this->*signal)(numbers.front());
    });
  }
  return button;
}

void HistoryView::createHeader() {
  auto *row = new QHBoxLayout(m_header);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(2);
  m_difference->setProperty("muted", true);
  row->addWidget(m_difference, 1);
  m_compare = addButton(
      tr("Compare"),
      tr("The lines in which the two selected versions differ, or the selected "
         "version and the text of now, or the version before where that is the same (Enter)"),
      nullptr);
  connect(m_compare, &QToolButton::clicked, this, &HistoryView::compare);
  addButton(tr("Restore"), tr("Puts this version's text into the editor; undo brings yours back"),
            &HistoryView::restoreRequested);
  addButton(tr("Open a copy"), tr("Opens this version's text as a file of its own, to go on from"),
            &HistoryView::branchRequested);
  addButton(tr("Set as baseline"),
            tr("Compares the times of all versions with this one; columns set to “Diff to "
               "baseline” compare with it, too"),
            &HistoryView::baselineRequested);
  QToolButton *clear = addButton(tr("Clear"), tr("Removes all versions of this kernel"), nullptr);
  connect(clear, &QToolButton::clicked, this, &HistoryView::clearRequested);
}

void HistoryView::setEntries(std::vector<HistoryEntry> entries, const QString &empty) {
  std::vector<int64_t> before = chosen();
  // Who looks at the newest goes on doing so.
  const HistoryEntry *newest = m_model->entryAt(0);
  if (before.empty() || (newest && before == std::vector{newest->number}))
    before = entries.empty() ? std::vector<int64_t>() : std::vector{entries.back().number};
  m_empty->setText(empty);
  m_pages->setCurrentIndex(entries.empty() ? 0 : 1);
  m_picture->setEntries(entries);
  m_table->setColumnHidden(HistoryModel::AgainstBaseline,
                           std::ranges::none_of(entries, &HistoryEntry::isBaseline));
  m_model->setEntries(std::move(entries));
  for (const int64_t number : before)
    if (const int row = m_model->rowOf(number); row >= 0)
      m_table->selectionModel()->setCurrentIndex(
          m_model->index(row, 0), QItemSelectionModel::Select | QItemSelectionModel::Rows);
  updateChoice();
}

std::vector<int64_t> HistoryView::chosen() const {
  std::vector<int64_t> numbers;
  for (const QModelIndex &index : m_table->selectionModel()->selectedRows())
    if (const HistoryEntry *entry = m_model->entryAt(index.row()))
      numbers.push_back(entry->number);
  std::ranges::sort(numbers);
  return numbers;
}

void HistoryView::choose(int64_t number) {
  if (const int row = m_model->rowOf(number); row >= 0)
    m_table->selectionModel()->setCurrentIndex(
        m_model->index(row, 0), QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
}

void HistoryView::compare() {
  const std::vector<int64_t> numbers = chosen();
  if (numbers.size() == kMostChosen)
    Q_EMIT compareRequested(numbers.front(), numbers.back());
  else if (numbers.size() == 1)
    Q_EMIT compareRequested(0, numbers.front());
}

QString HistoryView::difference() const {
  const std::vector<int64_t> numbers = chosen();
  if (numbers.size() > kMostChosen)
    return tr("Select one version, or two to compare.");
  if (numbers.size() < kMostChosen)
    return {};
  const HistoryEntry &older = *m_model->entryAt(m_model->rowOf(numbers.front()));
  const HistoryEntry &newer = *m_model->entryAt(m_model->rowOf(numbers.back()));
  const QString said = versionDifference(older, newer);
  return tr("%1 → %2: %3")
      .arg(older.number)
      .arg(newer.number)
      .arg(said.isEmpty() ? tr("no difference in these facts") : said);
}

void HistoryView::updateChoice() {
  const std::vector<int64_t> numbers = chosen();
  m_picture->setChosen(numbers.size() == 1 ? numbers.front() : 0);
  for (QToolButton *button : m_single)
    button->setEnabled(numbers.size() == 1);
  m_compare->setEnabled(!numbers.empty() && numbers.size() <= kMostChosen);
  m_difference->setText(difference());
}

bool HistoryView::eventFilter(QObject *watched, QEvent *event) {
  if (watched == m_table && event->type() == QEvent::KeyPress) {
    const int key = static_cast<QKeyEvent *>(event)->key();
    if (key == Qt::Key_Return || key == Qt::Key_Enter) {
      compare();
      return true;
    }
  }
  return QWidget::eventFilter(watched, event);
}

} // namespace tilescope::views
