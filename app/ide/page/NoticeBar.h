// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <QTimer>
#include <QWidget>

#include <functional>
#include <vector>

class QBoxLayout;
class QHBoxLayout;
class QLabel;

namespace tilescope::app {

/// A line above what it is about, with the choices that there are. It waits, and typing goes on.
/// Text and choices are beside each other where there is room.
class NoticeBar : public QWidget {
  Q_OBJECT
public:
  struct Choice {
    QString label;
    std::function<void()> take;
    /// The notice goes when this is chosen.
    bool closes = true;
  };

  /// When a notice goes by itself.
  enum class Stay {
    /// It asks for something.
    UntilAnswered,
    /// With the first key that is typed elsewhere.
    UntilTyped,
    /// With the first key that is typed elsewhere, and after a while.
    ForAWhile,
  };

  explicit NoticeBar(QWidget *parent = nullptr);

  /// Takes the place of what was shown. The first word begins with a capital, as messages of the
  /// compiler do not.
  void present(const QString &text, std::vector<Choice> choices, Stay stay = Stay::UntilAnswered);
  QString text() const;
  /// Of the choice that does nothing but end the notice.
  static QString hideText();
  /// How long `Stay::ForAWhile` is.
  void setPatience(int ms) { m_patience.setInterval(ms); }

protected:
  bool eventFilter(QObject *watched, QEvent *event) override;
  void resizeEvent(QResizeEvent *event) override;
  void hideEvent(QHideEvent *event) override;

Q_SIGNALS:
  /// A choice was taken that closes the notice: the keyboard goes back to what it is about.
  void answered();

private:
  void arrange();

  /// As it was given.
  QString m_said;
  QBoxLayout *m_rows;
  QLabel *m_text;
  QHBoxLayout *m_buttons;
  QTimer m_patience;
};

} // namespace tilescope::app
