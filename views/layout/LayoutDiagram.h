// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/CompileResult.h"
#include "views/common/FocusState.h"
#include "views/layout/DiagramGrid.h"

#include <QWidget>

#include <memory>

class QComboBox;
class QHBoxLayout;
class QLabel;
class QSpinBox;

namespace tilescope::views {

class DiagramCanvas;

/// What cells are coloured by.
enum class LayoutColoring { Warp, Lane, Register };

/// The layout facts that best fit a place: those of the smallest source range that holds the
/// position, or of the given line of TTGIR. -1: none.
int layoutAt(const std::vector<compiler::LayoutFacts> &layouts, const Focus &focus);

/// How one tensor is spread over registers, lanes and warps (or over shared memory): the tensor on
/// the left, the hardware on the right; pointing at one shows the other.
class LayoutDiagram : public QWidget {
  Q_OBJECT
public:
  LayoutDiagram(FocusState *focus, QWidget *parent = nullptr);

  void setResult(std::shared_ptr<const compiler::CompileResult> result);
  /// The tensor shown, or null.
  const compiler::LayoutFacts *current() const;
  void showLayout(int index);
  void setColoring(LayoutColoring coloring);

  bool exportSvg(const QString &path) const;
  bool exportPng(const QString &path) const;
  /// Asks for a file and writes SVG or PNG by its ending.
  void exportInteractively();
  void fit();

  DiagramCanvas &tensorCanvas() { return *m_tensor; }
  DiagramCanvas &hardwareCanvas() { return *m_hardware; }
  QString infoText() const;

protected:
  void changeEvent(QEvent *event) override;

private:
  QWidget *createBar();
  void connectState();
  void follow(const Focus &focus);
  void rebuild();
  void rebuildSlices();
  void pointAtElement(int cell);
  void pointAtPlace(int cell);
  void showDetails(int64_t element, const std::vector<uint32_t> &owners);
  QString ownerText(uint32_t place) const;
  QString ownerLabel(uint32_t place) const;
  QRgb colorOf(uint32_t place) const;
  void render(QPainter &painter, const QRectF &target) const;

  FocusState *m_focus;
  QComboBox *m_values;
  QComboBox *m_coloring;
  QHBoxLayout *m_slices;
  std::vector<QSpinBox *> m_sliceBoxes;
  QLabel *m_title;
  QLabel *m_info;
  DiagramCanvas *m_tensor;
  DiagramCanvas *m_hardware;
  std::shared_ptr<const compiler::CompileResult> m_result;
  /// Name of the chosen value and its source, kept over recompiles.
  std::string m_chosen;
  int m_index = -1;
  LayoutMap m_map;
  TensorSlice m_slice;
  TensorGrid m_tensorGrid;
  HardwareGrid m_hardwareGrid;
};

} // namespace tilescope::views
