// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <QString>
#include <QWidget>

#include <functional>
#include <vector>

class QAction;
class QGridLayout;
class QScrollArea;

namespace tilescope::app {

/// Stands where the editors would be while no file is open, and offers what to do next.
class StartPage : public QWidget {
  Q_OBJECT
public:
  /// Covers all of `place`.
  explicit StartPage(QWidget *place);

  /// Something to do: a button, with its key or another word beside it.
  struct Entry {
    QString name;
    QString beside;
    std::function<void()> run;
  };
  struct Section {
    QString title;
    std::vector<Entry> entries;
    /// Said below the title; in place of entries: why there are none.
    QString words = {};
  };
  /// What a command of the window does.
  static Entry entryOf(QAction *action);
  /// The first section is at the left, the others are below each other at its right; where there is
  /// no room for that, all are below each other.
  void setSections(const std::vector<Section> &sections);
  /// The keyboard goes to the first command.
  void takeFocus();

protected:
  bool eventFilter(QObject *watched, QEvent *event) override;

private:
  QWidget *createSection(const Section &section);
  /// Puts the sections where they have room.
  void arrange();

  QScrollArea *m_scroll;
  QWidget *m_sections = nullptr;
  QGridLayout *m_grid = nullptr;
  /// In their order.
  std::vector<QWidget *> m_parts;
};

} // namespace tilescope::app
