// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// What step mode needs to know: at which point of the program a name of the source gets a value,
// also where no operation computes one.
//
//   x, y = y, x        tt.print "x" {tt.binding, …} : %y : tensor<8xf32>
//                      tt.print "y" {tt.binding, …} : %x : tensor<8xf32>
//
// A binding is a `tt.print` that prints nothing: passes keep prints, their order and operands, so
// none of them needs to know of bindings, and what is not folded away can be looked at. Only
// kernels that are stepped through are emitted with bindings; none of them becomes machine code.
#pragma once

#include "compiler/dialects/tt/ir/Dialect.h"

namespace tilescope::tt {

/// Marks a binding. The prefix is the name.
inline constexpr llvm::StringLiteral kBindingAttr = "tt.binding";
/// The value as text, where it is not one of the IR; the operand is a number that stands for it.
inline constexpr llvm::StringLiteral kBindingTextAttr = "tt.binding_text";
/// No line of the source does it: a parameter.
inline constexpr llvm::StringLiteral kBindingHiddenAttr = "tt.binding_hidden";

/// Null: the operation is something else.
inline PrintOp asBinding(mlir::Operation *op) {
  auto print = mlir::dyn_cast_or_null<PrintOp>(op);
  return print && print->hasAttr(kBindingAttr) && print.getArgs().size() == 1 ? print : PrintOp();
}

} // namespace tilescope::tt
