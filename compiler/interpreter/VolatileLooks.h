// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/dialects/tt/ir/Dialect.h"

namespace tilescope::compiler::interpreter {

/// Whether a volatile load looks whether other programs have come so far:
///
///     while tl.load(flag, volatile=True) == 0: pass          a loop goes on for as long as it reads that
///     if tl.load(flag, volatile=True) == 0: …                what is read decides, and is not stored
///
/// `volatile` orders nothing by itself, so that the load of a sum's terms, for example, races with
/// their stores as any other load does.
bool looksAtOthers(tt::LoadOp load);

} // namespace tilescope::compiler::interpreter
