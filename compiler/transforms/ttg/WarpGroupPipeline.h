// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Products of warp groups that stay under way while the next iteration begins.
#pragma once

#include "compiler/dialects/ttng/ir/Dialect.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tilescope::ttg {

/// Makes products asynchronous that the loop only adds up, if all their factors are in `rings` or
/// were there before the loop:
///
///   for … iter_args(%c):                      for … iter_args(%c):
///     %d = dot %a, %b, %c             =>        %d = dot %a, %b, %c {isAsync}
///     yield %d                                  %w = wait %d {pendings = 1}
///                                               yield %w
///
/// The wait ends the products of the iteration before. A branch may look at the sum, and go on with
/// another one; there it waits for all products first.
///
/// Where there is none, makes products asynchronous that only the next iteration looks at, behind
/// its first product. As in attention, the sum may be scaled there, and the left factor may be in
/// registers:
///
///   for … iter_args(%c):                      for … iter_args(%c):
///     %s = dot %q, %k, 0              =>        %s = dot %q, %k, 0 {isAsync}
///     %r = mul %c, …                            %w:2 = wait %s, %c {pendings = 0}
///     %d = dot %p, %v, %r                       %r = mul %w#1, …
///     yield %d                                  %d = dot %p, %v, %r {isAsync}
///                                               yield %d
///
/// Returns the wait; null when all products are waited for.
ttng::WarpGroupDotWaitOp keepProductsUnderWay(mlir::scf::ForOp loop, mlir::ValueRange rings);

/// Makes products asynchronous whose results nothing but the next product adds to: instructions of
/// one group of warps add to the same registers in their order.
///
///   %s = dot %a, %b, 0              =>        %s = dot %a, %b, 0 {isAsync}
///   %d = dot %e, %f, %s                       %d = dot %e, %f, %s
///
void chainProducts(mlir::Operation *root);

/// Waits behind the loop for the products that it leaves under way. Returns the operation after
/// which their factors are no longer read.
mlir::Operation *waitBehindLoop(mlir::scf::ForOp loop);

} // namespace tilescope::ttg
