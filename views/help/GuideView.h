// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <QDialog>
#include <QTimer>

#include <optional>
#include <vector>

class QComboBox;
class QListWidget;
class QSplitter;
class QTextBrowser;

namespace tilescope::views {

class GuideSearchBar;
struct GuideHit;

/// One page of the user's guide, which comes with the program.
struct GuidePage {
  /// Of the resource: `qrc:/help/guide/window.md`.
  QString address;
  /// Its first heading.
  QString title;
};

/// The pages in the order in which they are read.
std::vector<GuidePage> guidePages();

/// Where the guide was left.
struct GuidePlace {
  /// Address of the page; empty: the first.
  QString page;
  /// Of the page's height, from 0 to 1.
  double place = 0;
  /// Of the window, as Qt writes it; empty: it was not open yet.
  QByteArray geometry;
};

/// The user's guide in its own window: its pages in a list, and the one that is read beside it. A
/// narrow window, which has room beside that of the program, has a field in place of the list.
/// The arrow keys choose a page, Tab goes to its text, Alt+Left goes back behind a link. Ctrl+F
/// searches all pages, F3 and Shift+F3 go to the next place found and to the one before.
class GuideView : public QDialog {
  Q_OBJECT
public:
  explicit GuideView(QWidget *parent = nullptr);

  GuidePlace place() const;
  void goTo(const GuidePlace &place);

  QListWidget &pageList() { return *m_list; }
  QTextBrowser &page() { return *m_page; }

  QComboBox &pageField() { return *m_field; }
  /// The list of pages, or the field, whichever there is room for.
  QWidget &pages();
  GuideSearchBar &search() { return *m_search; }

Q_SIGNALS:
  /// It was closed at this place.
  void left();

protected:
  void changeEvent(QEvent *event) override;
  void resizeEvent(QResizeEvent *event) override;
  void hideEvent(QHideEvent *event) override;

private:
  void showRow(int row);
  /// After a link, the list is at the page that it led to.
  void followPage();
  /// Lays the page out again, where it was.
  void refresh();
  void createSearch();
  void showHit(const GuideHit &hit);
  /// Marks the words of the search in the page.
  void markWords();
  void createPages();
  void placeOnScreen();

  std::vector<GuidePage> m_pages = guidePages();
  QListWidget *m_list;
  QComboBox *m_field;
  QTextBrowser *m_page;
  GuideSearchBar *m_search;
  QTimer m_resized;
  /// Where the page is to be, as soon as it is laid out.
  std::optional<double> m_wanted;
};

/// Shows the guide beside `parent`, which goes on working. The first time it is at `place`, then where
/// it was left.
GuideView *showGuide(QWidget *parent, const GuidePlace &place);

} // namespace tilescope::views
