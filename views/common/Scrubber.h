// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <QWidget>

class QSlider;
class QSpinBox;

namespace tilescope::views {

/// One of several, by number: a name, a slider and a field, which show the same number. Hidden while
/// there is only one.
class Scrubber : public QWidget {
  Q_OBJECT
public:
  Scrubber(const QString &name, QWidget *parent = nullptr);

  /// There are `count` of them, of which the one at `value` is shown; emits nothing.
  void setState(qint64 count, qint64 value);
  int value() const;
  const QString &name() const { return m_name; }
  int count() const { return m_count; }
  /// What stands behind the number beside how many there are, such as coordinates.
  void setNote(const QString &note);
  /// Leaves out the range, where there is little room: the field's tool tip says it.
  void setCompact();
  /// Where there is little height, too, so that several fit into one row: the field alone.
  void setLow(bool isLow);
  /// The first of them stands for all of the others together, under this name.
  void setAllText(const QString &text);
  /// As far as there are as many; what the user does.
  void step(int by);
  QSlider &slider() { return *m_slider; }
  QSpinBox &field() { return *m_field; }

Q_SIGNALS:
  void valueChanged(int value);
  /// There are as many of them as `setState` has said last.
  void stateChanged();

private:
  void change(int value);

  QString m_name;
  QSlider *m_slider;
  QSpinBox *m_field;
  int m_count = 1;
  bool m_hasAll = false;
  bool m_isCompact = false;
  bool m_isLow = false;
  QString m_note;
};

} // namespace tilescope::views
