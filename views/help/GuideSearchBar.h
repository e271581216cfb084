// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "views/help/GuideSearch.h"

#include <QWidget>

#include <functional>

class QLineEdit;
class QListWidget;

namespace tilescope::views {

/// The field above the guide in which the user types what to look for, and the places found. Typing
/// goes to the first place; Down, Up and Enter go from one to the next, Escape empties the field.
class GuideSearchBar : public QWidget {
  Q_OBJECT
public:
  /// `pages` is asked for the parts of all pages when the first search begins; `titleOf` names a page.
  GuideSearchBar(std::function<std::vector<std::vector<GuidePart>>()> pages,
                 std::function<QString(int page)> titleOf, QWidget *parent = nullptr);

  QLineEdit &field() { return *m_field; }
  /// In sight while there is a search.
  QListWidget &list() { return *m_list; }
  const std::vector<GuideHit> &hits() const { return m_hits; }
  QStringList words() const;
  /// Takes the keyboard; typing replaces the words before.
  void open();
  /// Goes to the place behind or before the present one, around the end.
  void step(bool isForward);

Q_SIGNALS:
  /// The words have changed; nothing may be found.
  void searched();
  void hitChosen(const tilescope::views::GuideHit &hit);

protected:
  bool eventFilter(QObject *watched, QEvent *event) override;
  void resizeEvent(QResizeEvent *event) override;

private:
  void search();
  void fitList();
  bool handleKey(int key);

  std::function<std::vector<std::vector<GuidePart>>()> m_read;
  std::function<QString(int)> m_titleOf;
  std::vector<std::vector<GuidePart>> m_pages;
  std::vector<GuideHit> m_hits;
  QLineEdit *m_field;
  QListWidget *m_list;
};

} // namespace tilescope::views
