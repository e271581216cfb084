// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// What a kernel computes for each element of a space, from operands that it loads where they are read:
//
//   add(transpose(x), b) at [M, N]      x = tl.load(x_ptr + at // x_inner0 + at % x_extent1 * x_stride1, …)
//                                       b = tl.load(b_ptr + at % b_extent, …)
//                                       add = x + b
//
// A value is seen through a view: which of its elements belongs to each place of the space. Movements
// change the view of their operands, so they cost nothing by themselves.
#pragma once

#include "compiler/model/emit/Group.h"

#include <map>

namespace tilescope::model {

/// Places that a kernel computes for at once.
struct Space {
  std::vector<int64_t> extents;
  /// The names of the flat index and of the mask; no mask: one place, or all are inside.
  std::string index, mask;
  std::vector<Coordinate> coordinates = {};
  /// Whether a value may be computed for more places than it has elements, at any cost.
  bool mayRepeat = false;
  /// Whether what has one element for a row or a column of places is loaded apart from the other lines.
  bool loadsEarly = false;
  /// Whether what is loaded is widened where it is used, and takes half as many registers until then.
  bool staysNarrow = false;
};

/// Which element of a value each place of a space has.
struct ElementView {
  size_t space = 0;
  /// Seen as extents of its own, which have as many places.
  IndexMap map;
  /// For each axis of the value: the axis of the space that it follows (-1: none), its step and where
  /// it begins. Empty with `hasAxes` false: only the flat map is known.
  struct Axis {
    int64_t from = -1, step = 0, offset = 0;
  };
  std::vector<Axis> axes;
  bool hasAxes = true;
};

class Expressions {
public:
  /// Lines are indented so far.
  Expressions(const Group &group, EmittedKernel &kernel, std::string indent = "    ");

  size_t add(Space space);
  /// All elements in their order; `shape` has as many as the space.
  ElementView whole(size_t space, llvm::ArrayRef<int64_t> shape) const;
  /// The axes of the value follow those of the space, from the last ones on; -1 for those that do not.
  ElementView view(size_t space, llvm::ArrayRef<int64_t> shape,
                   std::vector<ElementView::Axis> axes) const;
  /// The kernel has the elements of the value already.
  void provide(mlir::Value value, const ElementView &view, const std::string &name);

  /// All elements that the kernel has are others from here on, in a loop of their own.
  void forget() {
    m_names.clear();
    m_numComputed.clear();
  }

  /// The name of the value's elements; empty: `reason` says why they cannot be computed here.
  std::string evaluate(mlir::Value value, const ElementView &view);
  /// What NumPy computes of the kernel's tensors; empty: it is not known.
  std::string numpyOf(mlir::Value value) const;

  const std::string &reason() const { return m_reason; }
  void refuse(const std::string &reason);
  /// A name that no other value of the kernel has.
  std::string unusedName(const std::string &wanted);
  void line(const std::string &text) { m_lines += m_indent + text + "\n"; }
  /// The lines since the last call.
  std::string takeLines() { return std::exchange(m_lines, {}); }
  /// Those that are loaded early.
  std::string takeEarlyLines() { return std::exchange(m_earlyLines, {}); }
  void setIndent(std::string indent) { m_indent = std::move(indent); }

private:
  struct Key {
    const void *value;
    size_t space;
    int64_t offset;
    std::vector<Run> runs;
    auto operator<=>(const Key &) const = default;
  };
  static Key keyOf(mlir::Value value, const ElementView &view);
  std::string evaluateInside(mlir::Operation *operation, mlir::Value value,
                             const ElementView &view);
  std::string compute(mlir::Operation *operation, const ElementView &view);
  std::string load(mlir::Value value, const ElementView &view);
  std::string argumentFor(const std::string &literal);
  std::string operand(mlir::Operation *operation, unsigned i, const ElementView &view,
                      bool isLiteralAllowed);
  bool isRepeatedAtCost(mlir::Operation *operation, const ElementView &view);
  std::string parameterOf(mlir::Value value, llvm::ArrayRef<int64_t> shape);
  void setNumpy(mlir::Operation *operation, llvm::StringRef formula, unsigned numRead);

  const Group &m_group;
  EmittedKernel &m_kernel;
  std::string m_indent, m_lines, m_earlyLines, m_reason;
  /// The kernel has other letters already.
  bool m_hasLetters;
  std::vector<Space> m_spaces;
  std::map<Key, std::string> m_names;
  std::map<std::string, unsigned> m_used;
  llvm::DenseMap<mlir::Value, std::string> m_parameters, m_numpy, m_literals;
  /// What the kernel reads already, in variables that hold other things by now.
  llvm::DenseSet<mlir::Value> m_ofAnchor;
  llvm::DenseMap<mlir::Operation *, unsigned> m_numComputed;
};

} // namespace tilescope::model
