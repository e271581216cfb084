// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <QWidget>

class QLabel;
class QLineEdit;

namespace tilescope::views {

/// The line at the lower edge of an editor in which the user types where to go: `32`, or `32:5`
/// with a column. A child of its editor's page, so that keys typed at once arrive here.
class LineBar : public QWidget {
  Q_OBJECT
public:
  explicit LineBar(QWidget *parent = nullptr);

  /// Shows the bar with the line where the cursor is (0-based) and takes the keyboard.
  void open(int line, int numLines);

Q_SIGNALS:
  /// 0-based, within the text; without a column -1.
  void placeRequested(int line, int column);
  void closed();

protected:
  void keyPressEvent(QKeyEvent *event) override;

private:
  void accept();

  QLineEdit *m_place;
  QLabel *m_range;
  int m_numLines = 0;
};

} // namespace tilescope::views
