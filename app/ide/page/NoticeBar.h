// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <QWidget>

#include <functional>
#include <vector>

class QHBoxLayout;
class QLabel;

namespace tilescope::app {

/// A line above what it is about, with the choices that there are. It waits, and typing goes on.
class NoticeBar : public QWidget {
  Q_OBJECT
public:
  struct Choice {
    QString label;
    std::function<void()> take;
    /// The notice goes when this is chosen.
    bool closes = true;
  };

  explicit NoticeBar(QWidget *parent = nullptr);

  /// Takes the place of what was shown.
  void present(const QString &text, std::vector<Choice> choices);
  QString text() const;

Q_SIGNALS:
  /// A choice was taken that closes the notice: the keyboard goes back to what it is about.
  void answered();

private:
  QLabel *m_text;
  QHBoxLayout *m_buttons;
};

} // namespace tilescope::app
