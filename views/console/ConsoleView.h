// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "views/console/ConsoleModel.h"

#include <QWidget>

class QLabel;
class QTreeView;

namespace tilescope::views {

/// What kernels print, what fails in them and what the runner says, each line leading to its place.
class ConsoleView : public QWidget {
  Q_OBJECT
public:
  explicit ConsoleView(QWidget *parent = nullptr);

  void append(std::vector<ConsoleLine> lines);
  void clear();
  /// Whether the user sees it: neither closed nor behind another view's tab.
  void setInFront(bool isInFront);
  /// Puts the selected lines on the clipboard.
  void copy();
  ConsoleModel &model() { return *m_model; }

Q_SIGNALS:
  /// How many lines have come that the user has not seen: printed values, warnings, errors.
  void unseenChanged(int count);
  void placeRequested(const tilescope::compiler::SourceFile &file,
                      const tilescope::SourceRange &range);

protected:
  void showEvent(QShowEvent *event) override;
  void resizeEvent(QResizeEvent *event) override;
  void changeEvent(QEvent *event) override;

private:
  void fitColumns();
  /// Unless the user reads further up.
  void followEnd();
  void activate(const QModelIndex &index);
  void updateEmpty();

  ConsoleModel *m_model;
  QTreeView *m_list;
  QLabel *m_empty;
  bool m_isInFront = false;
  /// The newest lines are shown; else the user has scrolled up.
  bool m_followsEnd = true;
  int m_numUnseen = 0;
  /// In characters.
  qsizetype m_longestText = 0;
  qsizetype m_longestPlace = 0;
};

} // namespace tilescope::views
