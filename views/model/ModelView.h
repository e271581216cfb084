// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "views/model/ShownModel.h"

#include <QSortFilterProxyModel>
#include <QWidget>

class QLabel;
class QLineEdit;
class QPushButton;
class QSpinBox;
class QStackedWidget;
class QTableView;
class QTreeView;

namespace tilescope::views {

class ElidedLabel;
class ModelEdges;
class ModelTree;

/// A number for a name that the extents of a model's inputs use.
struct ModelExtent {
  QString name;
  int64_t value = 1;
  /// Nobody has chosen it.
  bool isGuess = false;
  bool operator==(const ModelExtent &) const = default;
};

/// A model: the table of its kernels with their nodes, a field that searches it, fields for the
/// extents that the model leaves open, and, for the chosen kernel, why edges are or are not fused.
class ModelView : public QWidget {
  Q_OBJECT
public:
  explicit ModelView(QWidget *parent = nullptr);

  void setModel(ShownModelPointer model, const QString &title);
  const ShownModelPointer &model() const { return m_model; }
  /// There is nothing to show, and why.
  void clear(const QString &why);
  void setExtents(const std::vector<ModelExtent> &extents);
  /// What is under way, or went wrong; empty: nothing.
  void setState(const QString &state, bool isFault = false);
  /// The kernel that the editor shows; -1: none. Nobody is told.
  void showKernel(int kernel);
  /// What is chosen; -1: no kernel.
  int kernel() const { return m_kernel; }

  QTreeView &table() { return *m_table; }
  QTableView &edges() { return *m_edgesTable; }
  QLineEdit &searchField() { return *m_search; }
  /// By the extent's name; null: there is none.
  QSpinBox *extentField(const QString &name) const;
  QString titleText() const;
  QString emptyText() const;
  QString stateText() const;

Q_SIGNALS:
  /// The user looks at a kernel; the keyboard stays here.
  void kernelShown(int kernel);
  /// The user goes to it.
  void kernelRequested(int kernel);
  void extentsChanged(const std::vector<tilescope::views::ModelExtent> &extents);
  void openRequested();

private:
  QWidget *createBar();
  QWidget *createTables();
  QWidget *createNothing();
  void connectState();
  void follow(const QModelIndex &index);
  void showEdges();
  void noteExtent();
  void search(const QString &words);

  ShownModelPointer m_model;
  int m_kernel = -1;
  bool m_isFollowing = false;
  std::vector<ModelExtent> m_extents;
  std::vector<QSpinBox *> m_fields;

  QStackedWidget *m_pages;
  ElidedLabel *m_title;
  ElidedLabel *m_state;
  QLineEdit *m_search;
  QWidget *m_extentsRow;
  ModelTree *m_tree;
  QSortFilterProxyModel *m_found;
  QTreeView *m_table;
  ModelEdges *m_edges;
  QTableView *m_edgesTable;
  QLabel *m_empty;
  QPushButton *m_open;
};

} // namespace tilescope::views
