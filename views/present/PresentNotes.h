// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "views/present/PresentKeys.h"

#include <QElapsedTimer>
#include <QTimer>
#include <QWidget>

class QLabel;
class QTextBrowser;

namespace tilescope::views {

/// What a presenter reads and the audience does not.
struct ShownNotes {
  /// Such as `3 of 9`.
  QString mark;
  QString title;
  /// Of the view on show.
  QString view;
  /// Markdown.
  QString notes;
  /// The next step; empty: this is the last one.
  QString next;
};

/// The presenter's own window: notes, what comes next, and the time since the beginning. The keys of
/// the presentation work in it, too.
class PresentNotes : public QWidget {
  Q_OBJECT
public:
  explicit PresentNotes(QWidget *window);

  void setNotes(const ShownNotes &notes);
  /// Counts from now on.
  void begin();
  QTextBrowser &page() { return *m_page; }
  QString titleText() const;
  QString nextText() const;

Q_SIGNALS:
  void commanded(tilescope::views::PresentCommand command);

protected:
  bool eventFilter(QObject *watched, QEvent *event) override;

private:
  void showTime();

  QLabel *m_mark;
  QLabel *m_title;
  QTextBrowser *m_page;
  QLabel *m_next;
  QLabel *m_time;
  QElapsedTimer m_since;
  QTimer m_tick;
};

} // namespace tilescope::views
