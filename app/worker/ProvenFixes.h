// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// A fix of what the compiler found is offered only if it was tried: the text with it compiles as far as TTIR without
// what the fix mends, and without a new error in what it wrote.
//
//   v.store(out + i)        `out.store(v) + i` gets the same message again: there is no fix
//   out[i] = x.size         `tl.store(out + i, x.size)`: `x.size` is wrong, too, and was so before: the fix stays
#pragma once

#include "compiler/pipeline/Compiler.h"

#include <stop_token>
#include <vector>

namespace tilescope::app {

/// Takes out the fixes of the request's document that do not do what they should. As far as a fifth of a second and
/// eight fixes go: of the others, only those of the syntax stay, which the parser has tried, and those that the
/// launch block contains, which changes no code. `request`: as the client sent it. Documents in IR are left alone.
void keepProvenFixes(compiler::Compiler &worker, const compiler::CompileRequest &request,
                     std::vector<compiler::Diagnostic> &diagnostics, const std::stop_token &stop);

} // namespace tilescope::app
