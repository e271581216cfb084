// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "views/history/HistoryModel.h"

#include <QWidget>

class QLabel;
class QStackedLayout;
class QTableView;
class QToolButton;

namespace tilescope::views {

class ElidedLabel;
class HistoryPicture;

/// The versions of the kernel that the window is about: a list, newest first, and a picture of
/// times and registers. Enter or a double click compares; the other commands have buttons.
class HistoryView : public QWidget {
  Q_OBJECT
public:
  explicit HistoryView(QWidget *parent = nullptr);

  /// Versions of one kernel, oldest first. `empty` is what is said when there are none.
  void setEntries(std::vector<HistoryEntry> entries, const QString &empty);
  HistoryModel &model() { return *m_model; }
  HistoryPicture &picture() { return *m_picture; }
  QTableView &table() { return *m_table; }
  /// The buttons, above the list or wherever the window puts them.
  QWidget *header() const { return m_header; }
  /// The selected versions, older first: none, one or two.
  std::vector<int64_t> chosen() const;
  void choose(int64_t number);
  /// What stands beside the buttons: how the two selected versions differ.
  QString difference() const;

Q_SIGNALS:
  /// `older` is 0 when `newer` is to be compared with the text of now.
  void compareRequested(int64_t older, int64_t newer);
  void restoreRequested(int64_t number);
  void branchRequested(int64_t number);
  void baselineRequested(int64_t number);
  void clearRequested();

protected:
  bool eventFilter(QObject *watched, QEvent *event) override;

private:
  QToolButton *addButton(const QString &text, const QString &explanation,
                         void (HistoryView::*signal)(int64_t));
  void createHeader();
  void compare();
  void updateChoice();

  HistoryModel *m_model;
  QTableView *m_table;
  HistoryPicture *m_picture;
  QLabel *m_empty;
  ElidedLabel *m_difference;
  QWidget *m_header;
  QToolButton *m_compare;
  /// Of exactly one version.
  std::vector<QToolButton *> m_single;
  QStackedLayout *m_pages;
};

} // namespace tilescope::views
