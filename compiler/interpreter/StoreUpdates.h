// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/dialects/tt/ir/Dialect.h"

namespace tilescope::compiler::interpreter {

/// Whether a store writes what it computes from a load of the same places, so that it loses what is
/// done to a place a second time:
///
///     tl.store(out + v, tl.load(out + v) + 1)      where v has 7 twice, out[7] grows by 1, not by 2
///
/// Only operations count that change a value again when they are repeated: no maximum, for example.
bool updatesItsPlaces(tt::StoreOp store);

/// Whether what is loaded serves nothing but a store to the same places. What such updates of
/// several programs leave is judged at the stores: to take a maximum twice is to take it once.
bool servesUpdateAlone(tt::LoadOp load);

/// Whether a load is the guess with which atomic operations on the same places begin, which find out
/// themselves when it is out of date:
///
///     old = tl.load(p)                                   while old != (new := tl.atomic_cas(p, old, …
///     tl.atomic_max(p, v, mask=v > tl.load(p))
bool isGuessOfUpdate(tt::LoadOp load);

/// Whether a program may have waited for what an atomic operation has read: it decides what is
/// executed, or where accesses go, and is not only stored.
bool mayBeAwaited(mlir::Value read);

/// Whether what is made of `read` is stored, or combined by atomic operations with what is there, and
/// decides nothing else: a program that has not waited for what it reads has stored chance.
bool isReadAsData(mlir::Value read);

} // namespace tilescope::compiler::interpreter
