// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "views/common/CodeDocument.h"

#include <QWidget>

class QLabel;
class QLineEdit;
class QToolButton;

namespace tilescope::views {

/// The line at the lower edge of an editor in which the user types what to find (and to put
/// instead).
class FindBar : public QWidget {
  Q_OBJECT
public:
  enum class Mode { Find, Replace };
  explicit FindBar(QWidget *parent = nullptr);

  /// Shows the bar and takes the keyboard; `text` becomes the pattern unless it is empty.
  void open(Mode mode, const QString &text);
  QString pattern() const;
  QString replacement() const;
  FindOptions options() const;
  /// The result of the search, e.g. `2 replaced`; an unsuccessful one is marked.
  void setOutcome(const QString &text, bool found);
  /// `3 of 7`, or that there is none.
  void setMatch(MatchPlace match);

Q_SIGNALS:
  /// `forward` from the cursor on; `incremental` while the pattern is typed: the cursor's match may
  /// stay.
  void findRequested(bool forward, bool incremental);
  void replaceRequested();
  void replaceAllRequested();
  void closed();

protected:
  void keyPressEvent(QKeyEvent *event) override;

private:
  QToolButton *addToggle(const QString &icon, const QString &tip);

  QLineEdit *m_pattern;
  QLineEdit *m_replacement;
  QToolButton *m_caseSensitive;
  QToolButton *m_regularExpression;
  QWidget *m_replaceRow;
  QLabel *m_outcome;
};

} // namespace tilescope::views
