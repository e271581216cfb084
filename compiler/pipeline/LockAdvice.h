// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Races behind a lock that is taken and released as it should be, as far as the source shows:
//
//     while tl.atomic_cas(lock, 0, 1) == 0:       ends while another program holds it
//         pass
//     tl.store(p, tl.load(p) + x)
//     tl.atomic_xchg(lock, 0)
#pragma once

#include "compiler/artifacts/Interpretation.h"

#include <string>

namespace tilescope::compiler::ast {
struct SyntaxTree;
} // namespace tilescope::compiler::ast

namespace tilescope::compiler {

/// Why a race may be although a loop in front of it waits for a lock that an operation behind it releases: to be said in
/// place of "release the lock". Empty: the source does not show that both are there.
std::string lockAdvice(const ast::SyntaxTree &tree, const InterpreterFinding &finding);

} // namespace tilescope::compiler
