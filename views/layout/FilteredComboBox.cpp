// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/layout/FilteredComboBox.h"

#include <QKeyEvent>
#include <QListView>

#include <algorithm>

namespace tilescope::views {

static constexpr int kMostRows = 20;

FilteredComboBox::FilteredComboBox(QWidget *parent) : ElidedComboBox(parent) {
  setMaxVisibleItems(kMostRows);
  setView(new QListView(this));
  view()->installEventFilter(this);
}

void FilteredComboBox::showPopup() {
  setFilter({});
  ElidedComboBox::showPopup();
}

void FilteredComboBox::hidePopup() {
  ElidedComboBox::hidePopup();
  setFilter({});
}

bool FilteredComboBox::eventFilter(QObject *watched, QEvent *event) {
  if (watched != view() || event->type() != QEvent::KeyPress)
    return ElidedComboBox::eventFilter(watched, event);
  const auto &key = static_cast<const QKeyEvent &>(*event);
  if (key.key() == Qt::Key_Backspace) {
    setFilter(m_filter.chopped(std::min<qsizetype>(1, m_filter.size())));
    return true;
  }
  const bool isTyped = !key.text().isEmpty() && key.text().front().isPrint() &&
                       !(key.modifiers() & (Qt::ControlModifier | Qt::AltModifier));
  if (!isTyped || (m_filter.isEmpty() && key.text() == u" "))
    return ElidedComboBox::eventFilter(watched, event);
  setFilter(m_filter + key.text());
  return true;
}

/// How well a text fits what is typed: one of its words begins with it, `100` in `cuda:100`; or it
/// is within a word; 0: it is not there.
static int quality(const QString &text, const QString &filter) {
  int best = 0;
  for (qsizetype at = text.indexOf(filter, 0, Qt::CaseInsensitive); at >= 0 && best < 2;
       at = text.indexOf(filter, at + 1, Qt::CaseInsensitive))
    best = at == 0 || !text[at - 1].isLetterOrNumber() ? 2 : 1;
  return best;
}

void FilteredComboBox::setFilter(const QString &filter) {
  m_filter = filter;
  auto *list = static_cast<QListView *>(view());
  int first = -1, best = 0;
  for (int row = 0; row < count(); ++row) {
    const int fits = quality(itemText(row), filter);
    list->setRowHidden(row, fits == 0);
    if (fits > best) {
      best = fits;
      first = row;
    }
  }
  const QModelIndex current = list->currentIndex();
  if (first >= 0 && (!current.isValid() || quality(itemText(current.row()), filter) < best))
    list->setCurrentIndex(model()->index(first, modelColumn(), rootModelIndex()));
  setNote(filter.isEmpty() ? QString() : tr("with \u201c%1\u201d").arg(filter));
}

} // namespace tilescope::views
