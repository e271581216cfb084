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
  /// Puts the selected lines on the clipboard.
  void copy();
  ConsoleModel &model() { return *m_model; }

Q_SIGNALS:
  void placeRequested(const tilescope::compiler::SourceFile &file,
                      const tilescope::SourceRange &range);

private:
  void activate(const QModelIndex &index);
  void updateEmpty();

  ConsoleModel *m_model;
  QTreeView *m_list;
  QLabel *m_empty;
};

} // namespace tilescope::views
