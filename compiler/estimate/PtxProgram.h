// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/machine/SassProgram.h"

#include <string_view>

namespace tilescope::compiler::estimate {

/// The first kernel of a PTX text as if it were machine code, where there is none: each instruction
/// is the one that the assembler would mostly choose, and its control fields say what it waits for.
/// In which order the assembler has them, and what it leaves out, is not known.
///
///     ld.global.b32 %r1, [%rd1];      LDG    holds barrier 0
///     add.f32 %f1, %r1, %r2;          FADD   waits for barrier 0
machine::SassProgram ptxProgram(std::string_view ptx);

} // namespace tilescope::compiler::estimate
