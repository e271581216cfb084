// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "views/help/Glossary.h"

#include <QDialog>

class QLineEdit;
class QTextBrowser;
class QUrl;

namespace tilescope::views {

/// The glossary, functions, messages and all else that has a page, in a window of their own, with a
/// field to search them. The keyboard stays in the field; the arrow and page keys scroll the text.
class GlossaryView : public QDialog {
  Q_OBJECT
public:
  explicit GlossaryView(HelpSource source, QWidget *parent = nullptr);

  /// Shows the page of a word, or says that there is none, with a search for it. Empty: everything.
  void showTopic(const QString &topic);
  void showSection(const QString &section);
  void search(const QString &words);
  QLineEdit &searchField() { return *m_search; }
  QString shownText() const;

protected:
  bool eventFilter(QObject *watched, QEvent *event) override;
  void changeEvent(QEvent *event) override;

private:
  void follow(const QUrl &link);
  void showPage();
  void setPage(const QString &markdown);
  /// Says what the page is about, without a search for it.
  void setWords(const QString &words);

  HelpSource m_source;
  QLineEdit *m_search;
  QTextBrowser *m_page;
  bool m_isFilling = false;
};

/// The glossary beside `parent`, which goes on working; the one that is open comes to the front.
/// What it shows is for the caller to say.
GlossaryView *openGlossary(QWidget *parent, const HelpSource &source);

} // namespace tilescope::views
