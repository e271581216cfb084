// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "views/help/Glossary.h"

#include <QDialog>

class QLineEdit;
class QTextBrowser;

namespace tilescope::views {

/// The glossary in its own window, with a field to search it. The keyboard stays in the field;
/// the arrow and page keys scroll the text.
class GlossaryView : public QDialog {
  Q_OBJECT
public:
  explicit GlossaryView(QWidget *parent = nullptr);

  /// Searches for an entry of that name, or of a view of that name; everything, where there is none.
  void showTopic(const QString &topic);
  QLineEdit &searchField() { return *m_search; }
  QString shownText() const;

protected:
  bool eventFilter(QObject *watched, QEvent *event) override;
  void changeEvent(QEvent *event) override;

private:
  void showPage();

  std::vector<GlossaryEntry> m_entries = glossary();
  QLineEdit *m_search;
  QTextBrowser *m_page;
};

/// Shows the glossary beside `parent`, which goes on working; the one that is open comes to the
/// front. `topic`: what the user may want to know of.
void showGlossary(QWidget *parent, const QString &topic);

} // namespace tilescope::views
