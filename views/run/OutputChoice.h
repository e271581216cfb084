// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <QString>
#include <QWidget>

#include <vector>

class QTabBar;
class QToolButton;

namespace tilescope::views {

/// Which tensor of a run is shown: a tab for each, with what is wrong beside its name. Where not all
/// tabs are in sight, a button lists them.
class OutputChoice : public QWidget {
  Q_OBJECT
public:
  struct Entry {
    QString name;
    /// `fp32[64, 32]`.
    QString type;
    /// What is wrong, in a word or two; empty: nothing is.
    QString mark;
  };

  explicit OutputChoice(QWidget *parent = nullptr);

  void setEntries(const std::vector<Entry> &entries);
  int count() const;
  /// -1: there is none.
  int current() const;
  void setCurrent(int index);
  /// What an entry says.
  QString text(int index) const;

Q_SIGNALS:
  /// By the user.
  void chosen(int index);

protected:
  void resizeEvent(QResizeEvent *event) override;

private:
  void offerList();
  void showList();

  QTabBar *m_tabs;
  QToolButton *m_all;
};

} // namespace tilescope::views
