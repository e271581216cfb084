// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// What in a kernel costs more than it needs to. Every kind of hint is a function from facts to
// hints, in a file of its name; HintKinds.def lists them. A function says nothing unless its
// numbers say that something is wrong: a hint that may be false is worse than none.
#pragma once

#include "compiler/hints/FoundHint.h"
#include "compiler/hints/HintFacts.h"

namespace tilescope::compiler {

/// All hints, best first: by rank, then by kind in the order of the table, then by place.
std::vector<FoundHint> findHints(HintFacts facts);

} // namespace tilescope::compiler
