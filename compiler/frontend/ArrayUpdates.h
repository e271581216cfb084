// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// `out[i] += v` on an array. A load and a store do it only where no one else comes to the place:
//
//     out[v] += 1          v was loaded: it may repeat, and a store keeps one of the sums
//     out[0] += s          every program comes to it
//     out[pid] += s        one program comes to it: a load and a store will do
#pragma once

#include "compiler/frontend/Emitter.h"

#include <optional>
#include <string_view>

namespace tilescope::compiler::frontend {

/// Whether two elements of a block, or two programs, may come to the place that `index` means in the
/// function being emitted. False where the kernel does not show it. May emit operations.
bool mayRepeat(Emitter &emitter, const ast::Expr &index);
/// The same for the values that an address is made of.
bool mayRepeat(const Frame &frame, llvm::SmallVector<mlir::Value> address);

/// Whether a value is computed from what was loaded.
bool isMadeOfLoads(const Value &value);

inline constexpr const char *kRepeatedUpdate =
    "several elements of a block, or several programs, may come to one place: after a load and a "
    "store only one of their updates is left";

/// An atomic operation in place of `place op= value`.
struct AtomicUpdate {
  std::string_view function;
  bool isNegated = false;
};
/// Nothing for operators without one.
std::optional<AtomicUpdate> atomicUpdate(ast::BinaryOpKind op);

} // namespace tilescope::compiler::frontend
