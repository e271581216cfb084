// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// A reduction that keeps its axis, and a variable of a loop that has none:
//
//     m = tl.full([BM], …)                                            m: [32]
//     for …:
//         mn = tl.maximum(m, tl.max(s, axis=1, keep_dims=True))       [32] with [32, 1]: [32, 32]
//         m = mn                                                      not what it began as
#pragma once

#include "compiler/frontend/Emitter.h"

#include <string_view>

namespace tilescope::compiler::frontend {

/// Fails where a loop gives the name `target` a `value` of two dimensions because a variable of the loop with one and a
/// reduction that keeps its axis were combined. `code`: what makes the value; of `target += …` the whole statement.
void checkKeptAxis(Emitter &emitter, std::string_view target, const ast::Node &code,
                   const Value &value);

} // namespace tilescope::compiler::frontend
