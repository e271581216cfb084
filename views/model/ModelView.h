// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "views/common/PictureExport.h"
#include "views/model/ShownModel.h"

#include <QSortFilterProxyModel>
#include <QWidget>

class QLabel;
class QLineEdit;
class QPushButton;
class QSpinBox;
class QStackedWidget;
class QTabBar;
class QToolButton;
class QTreeView;

namespace tilescope::views {

class ArenaCanvas;
class EdgesPanel;
class ElidedLabel;
class GraphCanvas;
class PlaneCanvas;
class ModelTree;
class TimelinePanel;

/// A number for a name that the extents of a model's inputs use.
struct ModelExtent {
  QString name;
  int64_t value = 1;
  /// Nobody has chosen it.
  bool isGuess = false;
  bool operator==(const ModelExtent &) const = default;
};

/// A model: its kernels with their nodes as a table, as a graph, by the memory of what they make and by when they ran;
/// a field that searches them, fields for the extents that the model leaves open, and, for the chosen
/// kernel, why edges are or are not fused.
class ModelView : public QWidget {
  Q_OBJECT
public:
  /// What the kernels are shown as.
  enum Form { Table, Graph, Memory, Time };

  explicit ModelView(QWidget *parent = nullptr);

  void setModel(ShownModelPointer model, const QString &title);
  const ShownModelPointer &model() const { return m_model; }
  /// There is nothing to show, and why.
  void clear(const QString &why);
  void setExtents(const std::vector<ModelExtent> &extents);
  /// What is under way, or went wrong; empty: nothing.
  void setState(const QString &state, bool isFault = false);
  /// While kernels are checked, the button stops that.
  void setChecking(bool isChecking);
  /// The kernel that the editor shows; -1: none. Nobody is told.
  void showKernel(int kernel);
  /// What is chosen; -1: no kernel.
  int kernel() const { return m_kernel; }
  Form form() const;
  void setForm(Form form);

  /// Only pictures can be exported.
  bool canExport() const;
  /// False: there is nothing to export, or the file could not be written.
  bool exportSvg(const QString &path) const;
  bool exportPng(const QString &path) const;

  QTreeView &table() { return *m_table; }
  EdgesPanel &edges() { return *m_edges; }
  GraphCanvas &graph() { return *m_graph; }
  ArenaCanvas &arena() { return *m_arena; }
  TimelinePanel &timeline() { return *m_timeline; }
  QTabBar &forms() { return *m_forms; }
  QLineEdit &searchField() { return *m_search; }
  QPushButton &checkButton() { return *m_check; }
  /// By the extent's name; null: there is none.
  QSpinBox *extentField(const QString &name) const;
  QString titleText() const;
  QString emptyText() const;
  QString stateText() const;
  /// About the kernel or tensor that is pointed at in a picture.
  QString infoText() const;

Q_SIGNALS:
  /// The user looks at a kernel; the keyboard stays here.
  void kernelShown(int kernel);
  /// The user goes to it.
  void kernelRequested(int kernel);
  void extentsChanged(const std::vector<tilescope::views::ModelExtent> &extents);
  void openRequested();
  /// The kernels of the text are to be run beside the model's operations, or no longer.
  void checkRequested();
  void stopRequested();
  void exportRequested();

private:
  QWidget *createBar();
  QWidget *createTable();
  QWidget *createForms();
  QWidget *createNothing();
  void connectState();
  void connectPictures();
  /// The user has chosen it.
  void choose(int kernel);
  void showChosen();
  void showForm();
  void showInfo();
  /// Null: it is none.
  PlaneCanvas *picture() const;
  std::vector<bool> foundKernels() const;
  void findNext();
  ExportedPicture exported() const;
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
  QPushButton *m_check;
  bool m_isChecking = false;
  QWidget *m_extentsRow;
  QTabBar *m_forms;
  QToolButton *m_fit;
  QToolButton *m_export;
  QStackedWidget *m_shown;
  ModelTree *m_tree;
  QSortFilterProxyModel *m_found;
  QTreeView *m_table;
  GraphCanvas *m_graph;
  ArenaCanvas *m_arena;
  TimelinePanel *m_timeline;
  ElidedLabel *m_info;
  EdgesPanel *m_edges;
  QLabel *m_empty;
  QPushButton *m_open;
};

} // namespace tilescope::views
