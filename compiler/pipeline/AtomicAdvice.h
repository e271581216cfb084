// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/pipeline/MaskAdvice.h"

namespace tilescope::compiler {

/// What keeps what several elements or programs write to one place:
///
///     tl.store(p, tl.load(p) + v)     tl.atomic_add(p, v); the same where names stand for the parts,
///                                     and for `-`, `&`, `|`, `^`, `tl.maximum` and `tl.minimum`
///     tl.store(p, tl.sum(x))          tl.atomic_add(p, tl.sum(x)), or an element for each program,
///                                     tl.store(p + tl.program_id(0), tl.sum(x)), where there are as many
///
/// Without a fix where neither is known to be meant: a note says what there is to decide. Empty where
/// the source shows no store at the finding. `all`: what the run found.
MaskAdvice atomicAdvice(const ast::SyntaxTree &tree, const InterpreterFinding &finding,
                        const std::vector<InterpreterFinding> &all,
                        const std::array<int32_t, 3> &grid);

} // namespace tilescope::compiler
