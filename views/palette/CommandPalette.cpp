// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/palette/CommandPalette.h"

#include "views/common/Theme.h"

#include <QApplication>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

#include <algorithm>

namespace tilescope::views {

static constexpr int kCharacters = 80;
static constexpr int kMaxRows = 12;
/// Below the window's upper edge.
static constexpr int kTop = 60;

int commandScore(const QString &name, const QString &typed) {
  int score = 1000 - static_cast<int>(name.size());
  for (const QString &word : typed.split(u' ', Qt::SkipEmptyParts)) {
    const qsizetype at = name.indexOf(word, 0, Qt::CaseInsensitive);
    if (at < 0)
      return 0;
    if (at == 0)
      score += 400;
    else if (name[at - 1] == u' ')
      score += 200;
  }
  return score;
}

QString commandName(const QAction &action) {
  QString text = action.text();
  text.remove(u'&');
  const QString group = action.property("group").toString();
  return group.isEmpty() ? text : QStringLiteral("%1: %2").arg(group, text);
}

/// By its name, or else by the words that others call it by.
static int actionScore(const QAction &action, const QString &typed) {
  const QString name = commandName(action);
  if (const int score = commandScore(name, typed); score > 0)
    return 2 * score;
  return commandScore(name + u' ' + action.property("synonyms").toString(), typed);
}

void CommandModel::setActions(const QList<QAction *> &actions) {
  m_all.clear();
  for (QAction *action : actions)
    m_all.append(action);
  setFilter({});
}

void CommandModel::setFilter(const QString &text) {
  std::vector<std::pair<int, int>> order;
  for (int i = 0; i < m_all.size(); ++i)
    if (m_all[i])
      if (const int score = actionScore(*m_all[i], text); score > 0)
        order.emplace_back(text.isEmpty() ? 0 : -score, i);
  std::sort(order.begin(), order.end());
  beginResetModel();
  m_shown.clear();
  for (const auto &entry : order)
    m_shown.append(m_all[entry.second]);
  endResetModel();
}

QAction *CommandModel::actionAt(int row) const {
  return row >= 0 && row < m_shown.size() ? m_shown[row].data() : nullptr;
}

int CommandModel::rowCount(const QModelIndex &parent) const {
  return parent.isValid() ? 0 : static_cast<int>(m_shown.size());
}

QVariant CommandModel::data(const QModelIndex &index, int role) const {
  const QAction *action = index.isValid() ? actionAt(index.row()) : nullptr;
  if (!action)
    return {};
  switch (role) {
  case Qt::DisplayRole:
    return commandName(*action);
  case ShortcutRole:
    return action->shortcut().toString(QKeySequence::NativeText);
  case EnabledRole:
    return action->isEnabled();
  default:
    return {};
  }
}

static int rowHeight() { return QFontMetrics(uiFont()).height() + 11; }

namespace {
/// The name at the left, the shortcut at the right.
class CommandDelegate : public QStyledItemDelegate {
public:
  using QStyledItemDelegate::QStyledItemDelegate;

  QSize sizeHint(const QStyleOptionViewItem &, const QModelIndex &) const override {
    return {1, rowHeight()};
  }

  void paint(QPainter *painter, const QStyleOptionViewItem &option,
             const QModelIndex &index) const override {
    painter->save();
    if (option.state & QStyle::State_Selected)
      painter->fillRect(option.rect, theme()[ColorRole::Selection]);
    const bool enabled = index.data(CommandModel::EnabledRole).toBool();
    painter->setFont(uiFont());
    painter->setPen(theme()[enabled ? ColorRole::Text : ColorRole::TextFaint]);
    const QRect rect = option.rect.adjusted(14, 0, -14, 0);
    painter->drawText(rect, Qt::AlignLeft | Qt::AlignVCenter, index.data().toString());
    if (!(option.state & QStyle::State_Selected))
      painter->setPen(theme()[ColorRole::TextFaint]);
    painter->drawText(rect, Qt::AlignRight | Qt::AlignVCenter,
                      index.data(CommandModel::ShortcutRole).toString());
    painter->restore();
  }
};
} // namespace

CommandPalette::CommandPalette(QWidget *window)
    : QFrame(window), m_input(new QLineEdit(this)), m_list(new QListView(this)),
      m_none(new QLabel(tr("No command matches"), this)) {
  setProperty("popup", true);
  setAttribute(Qt::WA_StyledBackground);
  m_input->setPlaceholderText(tr("Type a command"));
  m_input->setAccessibleName(tr("Command"));
  m_list->setModel(&m_model);
  m_list->setItemDelegate(new CommandDelegate(m_list));
  m_list->setFocusPolicy(Qt::NoFocus);
  m_list->setUniformItemSizes(true);
  m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  auto *layout = new QVBoxLayout(this);
  layout->setContentsMargins(8, 8, 8, 8);
  layout->setSpacing(6);
  layout->addWidget(m_input);
  layout->addWidget(m_list, 1);
  layout->addWidget(m_none, 1);
  m_none->setProperty("faint", true);
  m_none->setIndent(8);
  m_none->hide();
  m_input->installEventFilter(this);
  connect(m_input, &QLineEdit::textChanged, this, [this](const QString &text) {
    m_model.setFilter(text);
    m_list->setCurrentIndex(m_model.index(0));
    m_none->setVisible(m_model.rowCount() == 0);
    m_list->setVisible(m_model.rowCount() > 0);
    fitHeight();
  });
  connect(m_list, &QListView::clicked, this,
          [this](const QModelIndex &index) { run(index.row()); });
  hide();
}

void CommandPalette::open(const QList<QAction *> &actions) {
  m_previousFocus = QApplication::focusWidget();
  m_input->clear();
  m_model.setActions(actions);
  m_list->setCurrentIndex(m_model.index(0));
  fitHeight();
  move((parentWidget()->width() - width()) / 2, kTop);
  show();
  raise();
  m_input->setFocus();
}

void CommandPalette::fitHeight() {
  const QSize room = parentWidget()->size() - QSize(32, kTop + m_input->sizeHint().height() + 40);
  const int most = std::clamp(room.height() / rowHeight(), 1, kMaxRows);
  const int rows = std::clamp(m_model.rowCount(), 1, most);
  resize(std::min(room.width(), QFontMetrics(uiFont()).averageCharWidth() * kCharacters),
         m_input->sizeHint().height() + rows * rowHeight() + 26);
}

void CommandPalette::run(int row) {
  QAction *action = m_model.actionAt(row);
  hide();
  if (m_previousFocus)
    m_previousFocus->setFocus();
  if (action && action->isEnabled())
    action->trigger();
}

bool CommandPalette::eventFilter(QObject *watched, QEvent *event) {
  if (event->type() == QEvent::FocusOut) {
    hide();
  } else if (event->type() == QEvent::KeyPress) {
    const auto *key = static_cast<QKeyEvent *>(event);
    const int row = m_list->currentIndex().row();
    switch (key->key()) {
    case Qt::Key_Down:
      m_list->setCurrentIndex(m_model.index(std::min(row + 1, m_model.rowCount() - 1)));
      return true;
    case Qt::Key_Up:
      m_list->setCurrentIndex(m_model.index(std::max(row - 1, 0)));
      return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
      run(row);
      return true;
    case Qt::Key_Escape:
      hide();
      if (m_previousFocus)
        m_previousFocus->setFocus();
      return true;
    default:
      break;
    }
  }
  return QFrame::eventFilter(watched, event);
}

} // namespace tilescope::views
