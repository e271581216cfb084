// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <QDialog>
#include <QTimer>

#include <vector>

class QListWidget;
class QTextBrowser;

namespace tilescope::views {

/// One page of the user's guide, which comes with the program.
struct GuidePage {
  /// Of the resource: `qrc:/help/guide/window.md`.
  QString address;
  /// Its first heading.
  QString title;
};

/// The pages in the order in which they are read.
std::vector<GuidePage> guidePages();

/// The user's guide in its own window: its pages in a list, and the one that is read beside it.
/// The arrow keys choose a page, Tab goes to its text, Alt+Left goes back behind a link.
class GuideView : public QDialog {
  Q_OBJECT
public:
  explicit GuideView(QWidget *parent = nullptr);

  QListWidget &pageList() { return *m_list; }
  QTextBrowser &page() { return *m_page; }

protected:
  void changeEvent(QEvent *event) override;

private:
  void showRow(int row);
  /// After a link, the list is at the page that it led to.
  void followPage();
  /// Lays the page out again, where it was.
  void refresh();

  std::vector<GuidePage> m_pages = guidePages();
  QListWidget *m_list;
  QTextBrowser *m_page;
  QTimer m_resized;
};

/// Shows the guide beside `parent`, which goes on working; the one that is open comes to the
/// front.
void showGuide(QWidget *parent);

} // namespace tilescope::views
