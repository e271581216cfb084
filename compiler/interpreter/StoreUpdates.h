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

} // namespace tilescope::compiler::interpreter
