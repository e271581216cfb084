// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/CompileResult.h"
#include "profiler/data/Measurement.h"
#include "profiler/package/KernelPackage.h"

#include <string_view>
#include <vector>

namespace tilescope::app {

/// Assigns the samples of instructions to the lines of the document that these came from, as the map
/// of the SASS says. Code that was inlined belongs to its innermost place in the document, what the
/// compiler has moved or joined to that of the instruction before it, and a routine that the
/// assembler has added to the line that calls it, where that is one alone.
/// `symbol`: the kernel's function. Fills `lines` and `mappedShare`.
void mapSamples(profiler::SampleData &samples, const compiler::Stage &sass,
                std::string_view symbol);

/// The same for what was counted by instruction: fills `lines`.
void mapExecutions(profiler::ExecutionData &executions, const compiler::Stage &sass,
                   std::string_view symbol);

/// Both for the parts of a measurement, with a note where they cannot be mapped: the
/// disassembler is missing (`sass` is null), or the device did not run the package's machine code.
void mapSamples(profiler::Measurement &measurement, const compiler::Stage *sass,
                const profiler::KernelPackage &package);

/// The share of the kernel's samples, from 0 to 1, of each line of its SASS; lines behind the last
/// one that has any are left out.
std::vector<double> sampleShares(const profiler::SampleData &samples, const compiler::Stage &sass,
                                 std::string_view symbol);

} // namespace tilescope::app
