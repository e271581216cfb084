// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/conversion/ttg_to_llvm/allocation/BufferAliases.h"
#include "compiler/conversion/ttg_to_llvm/allocation/PendingAccesses.h"

#include <optional>

namespace tilescope::compiler {

/// Which bytes operations access, by their effects and by where buffers have been placed.
class OperationAccesses {
public:
  explicit OperationAccesses(const BufferAliases &aliases) : m_aliases(aliases) {}

  /// The operation's accesses to buffers.
  PendingAccesses of(mlir::Operation *op) const;
  /// What the operation has of shared memory while it executes; a called function may use anything
  /// from its place on.
  static std::optional<ByteRange> scratchOf(mlir::Operation *op);

private:
  void addBuffer(mlir::Value buffer, AccessKinds kinds, PendingAccesses &to) const;

  const BufferAliases &m_aliases;
};

} // namespace tilescope::compiler
