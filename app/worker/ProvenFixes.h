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

#include <chrono>
#include <functional>
#include <stop_token>
#include <vector>

namespace tilescope::app {

/// What all trials of a compile may take together. Only a machine that is busy with other things needs more.
inline constexpr std::chrono::milliseconds kTimeToProve(10000);

/// Takes out the fixes of the request's document that do not do what they should. What there is no time to try
/// stays only if it can do no harm: fixes of the syntax, which the parser has tried; those of the launch block,
/// which is no code; those that only import. Of others that are missing therefore, a note says so. `request`: as the
/// client sent it. Documents in IR are left alone.
/// `soFar`: called once if it takes long, with the diagnostics and those fixes that are proven by then.
void keepProvenFixes(compiler::Compiler &worker, const compiler::CompileRequest &request,
                     std::vector<compiler::Diagnostic> &diagnostics, const std::stop_token &stop,
                     const std::function<void()> &soFar = {},
                     std::chrono::milliseconds mostTime = kTimeToProve);

} // namespace tilescope::app
