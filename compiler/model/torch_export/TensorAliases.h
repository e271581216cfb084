// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Which tensors of a program share their elements.
//
//   half = x[:2]          half and x share elements
//   half.add_(1)          changes x, too: fine unless x is used after it
//
// The functions of `tm` have values that never change. A node that changes a tensor in place makes a
// new value, and the tensor's name stands for it from there on. Where the tensor is a slice, that which
// it is a slice of gets a new value, too, with the slice in its place. That is right unless another name
// that shares elements is used later.
#pragma once

#include "compiler/model/torch_export/ExportedProgram.h"

#include "llvm/ADT/StringMap.h"

namespace tilescope::model {

/// `torch.ops.aten.relu_.default` is `aten.relu`, changes its first operand, and has the overload
/// `default`.
struct OperatorName {
  std::string base, overload;
  bool isInPlace = false;

  explicit OperatorName(llvm::StringRef target);
  /// As it is shown: without the overload where that is `default`.
  std::string shown;
};

class TensorAliases {
public:
  explicit TensorAliases(const ExportedProgram &program);

  /// A name before the node at `position` that shares elements with those of `known`, is none of
  /// them, and is used behind the node; empty: none. Positions never fall.
  std::string usedBehind(llvm::ArrayRef<std::string> known, size_t position);
  bool isUsedBehind(llvm::StringRef name, size_t position) const {
    return m_lastUses.lookup(name) > position;
  }
  /// The node that makes a slice or one place along an axis, whose name this is; null: none does.
  const ExportedNode *sliceMaker(llvm::StringRef name) const { return m_slices.lookup(name); }
  /// Adds the results of the next node.
  void follow(const ExportedNode &node);

private:
  void use(const std::string &name, size_t position) { m_lastUses[name] = position; }

  llvm::StringMap<size_t> m_groups, m_lastUses;
  llvm::StringMap<const ExportedNode *> m_slices;
  /// Of each group, without those that are used no more.
  std::vector<std::vector<std::string>> m_names;
};

} // namespace tilescope::model
