// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/model/import/NodeBuilder.h"
#include "compiler/model/torch_export/ExportedProgram.h"
#include "compiler/model/torch_export/TensorAliases.h"

namespace tilescope::model {

class ExportReader;

/// A node of a program of `torch.export` while operations are made of it. Arguments have the names of
/// PyTorch's `native_functions.yaml`; those with their default value are left out of files. All
/// tensors that it names are there.
class AtenNode : public NodeBuilder {
public:
  AtenNode(const ExportedNode &node, const OperatorName &name, ExportReader &graph);

  const OperatorName &name() const { return m_name; }
  const ExportedNode &node() const { return m_node; }

  bool has(llvm::StringRef name) const { return find(name) != nullptr; }
  /// The first argument, whatever its name; null after a fault.
  mlir::Value first();
  /// Null after a fault, also where it is left out.
  mlir::Value tensor(llvm::StringRef name);
  /// Null where it is left out.
  mlir::Value optionalTensor(llvm::StringRef name);
  /// A null one where it is left out, as with `x[:, i]`.
  llvm::SmallVector<mlir::Value> tensors(llvm::StringRef name);
  /// A tensor, or a number as one without axes, of the given type.
  mlir::Value operand(llvm::StringRef name, mlir::Type element);
  /// Of an argument that is a tensor; null where it is none.
  mlir::Type elementOfTensor(llvm::StringRef name) const;
  /// Whether the argument is a number with a fraction.
  bool isReal(llvm::StringRef name) const;

  int64_t integer(llvm::StringRef name, int64_t otherwise);
  bool truth(llvm::StringRef name, bool otherwise) { return integer(name, otherwise) != 0; }
  double real(llvm::StringRef name, double otherwise);
  std::string text(llvm::StringRef name, const std::string &otherwise);
  /// Nothing where it is left out, or after a fault.
  std::optional<std::vector<int64_t>> integers(llvm::StringRef name);
  std::optional<std::vector<double>> reals(llvm::StringRef name);
  /// Some may be symbolic.
  tm::Extent size(llvm::StringRef name, tm::Extent otherwise);
  std::optional<std::vector<tm::Extent>> sizes(llvm::StringRef name);
  using NodeBuilder::sizes;
  /// The operands of arithmetic on whole numbers; null where there are less.
  std::pair<tm::Extent, tm::Extent> twoSizes();
  /// Whether the file says that the elements of the first argument lie in rows.
  bool isRowMajor() const;
  /// `count` numbers; one stands for all, and none for `otherwise`. Nothing after a fault.
  std::optional<std::vector<int64_t>> repeated(llvm::StringRef name, size_t count,
                                               int64_t otherwise);
  /// Null where it is left out, or after a fault.
  mlir::Type elementType(llvm::StringRef name);
  /// Of the result, as the file says; `otherwise` where it does not.
  mlir::Type resultElement(mlir::Type otherwise);
  size_t numResults() const;

  static mlir::RankedTensorType typeOf(mlir::Value value) {
    return mlir::cast<mlir::RankedTensorType>(value.getType());
  }
  static mlir::Type elementOf(mlir::Value value) { return typeOf(value).getElementType(); }
  static tm::ExtentList extentsOf(mlir::Value value) { return tm::extentsOf(typeOf(value)); }
  static int64_t rankOf(mlir::Value value) { return typeOf(value).getRank(); }

  // Operations that many rules need. All take and return null values after faults.
  mlir::Value cast(mlir::Value value, mlir::Type element);
  mlir::Value reshaped(mlir::Value value, llvm::ArrayRef<tm::Extent> extents);
  mlir::Value transposed(mlir::Value value, llvm::ArrayRef<int64_t> order);
  mlir::Value expanded(mlir::Value value, llvm::ArrayRef<tm::Extent> extents);
  /// The only element of a tensor everywhere.
  mlir::Value filled(mlir::Value one, llvm::ArrayRef<tm::Extent> extents);
  mlir::Value filled(double value, llvm::ArrayRef<tm::Extent> extents, mlir::Type element) {
    return filled(scalar(value, element), extents);
  }
  /// Every `step`-th element of the axis from `begin` on, `size` of them.
  mlir::Value sliced(mlir::Value value, size_t axis, tm::Extent begin, tm::Extent size,
                     int64_t step = 1);
  mlir::Value reduced(mlir::Value value, tm::ReduceKind kind, const std::vector<int64_t> &axes,
                      bool keeps);
  template <typename Op> mlir::Value unary(mlir::Value value) {
    return value ? emit<Op>(typeOf(value), value) : mlir::Value();
  }
  /// Of operands of one element type.
  template <typename Op> mlir::Value binary(mlir::Value a, mlir::Value b) {
    return a && b ? emit<Op>(broadcast({a, b}, elementOf(a)), a, b) : mlir::Value();
  }
  mlir::Value compare(tm::Comparison predicate, mlir::Value a, mlir::Value b);
  mlir::Value where(mlir::Value condition, mlir::Value a, mlir::Value b);

  /// The node's results; those that are null may not be used. A fault where they are not what the
  /// file says.
  bool finish(llvm::ArrayRef<mlir::Value> results);
  bool finish(mlir::Value result) { return finish(llvm::ArrayRef(result)); }
  /// A whole number that is no tensor.
  bool finish(tm::Extent size);
  /// Nothing that a run needs.
  bool finishWithout();

private:
  const ExportedArgument *find(llvm::StringRef name) const;
  const ExportedArgument *find(llvm::StringRef name, ExportedArgument::Kind kind);
  tm::Extent extentOf(const ExportedSize &size);
  bool isDescribed(const std::string &name, mlir::Value value);
  bool define(const std::string &name, mlir::Value value);
  std::vector<std::string> changedNames(const std::string &changed) const;
  bool changeInPlace(mlir::Value value);

  const ExportedNode &m_node;
  const OperatorName &m_name;
  ExportReader &m_graph;
};

/// The first operand of `aten.slice` or `aten.select` with another slice in its place; null after a fault.
mlir::Value withSlice(AtenNode &maker, mlir::Value slice);

} // namespace tilescope::model
