// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "views/model/ShownModel.h"

#include <QWidget>

class QAction;
class QGridLayout;
class QPushButton;
class QTableView;

namespace tilescope::views {

class ModelEdges;

/// A fact of a model with the user's choices of fusions, and the same without them.
struct VariantFact {
  QString name, chosen, planned;
  bool operator==(const VariantFact &) const = default;
};

/// Why the tensors of a kernel are or are not fused, and what the user wants of them: keys and the context menu of a
/// row choose. Below, where there are choices: what they cost or save.
class EdgesPanel : public QWidget {
  Q_OBJECT
public:
  explicit EdgesPanel(QWidget *parent = nullptr);

  /// -1: all edges. The current one stays so where it is among them.
  void setKernel(ShownModelPointer model, int kernel);
  /// Empty: nothing was chosen.
  void setVariants(const std::vector<VariantFact> &facts);
  /// While the variants are measured, the button stops that.
  void setMeasuring(bool isMeasuring);
  /// The edge becomes the current one, where it is shown.
  void showEdge(const QString &edge);
  /// `FROM:TO`; empty: none is current.
  QString edge() const;

  QTableView &table() { return *m_table; }
  QPushButton &measureButton() { return *m_measure; }
  QPushButton &undoButton() { return *m_undo; }
  /// Of the facts, a line for each; empty: none are shown.
  QStringList variantTexts() const;

Q_SIGNALS:
  void fusionChosen(const QString &edge, tilescope::compiler::FusionWish wish);
  /// All choices are to go.
  void undoRequested();
  void measureRequested();
  void stopRequested();

private:
  void createActions();
  QWidget *createVariants();
  void updateActions();
  const compiler::ModelEdge *current() const;

  ModelEdges *m_edges;
  QTableView *m_table;
  QWidget *m_variants;
  QGridLayout *m_grid;
  QPushButton *m_measure;
  QPushButton *m_undo;
  QAction *m_fuse;
  QAction *m_keepApart;
  QAction *m_leave;
  std::vector<VariantFact> m_facts;
  bool m_isMeasuring = false;
};

} // namespace tilescope::views
