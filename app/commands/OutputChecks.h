// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/commands/KernelText.h"
#include "app/launch/ExpectedResult.h"
#include "app/launch/NeutralInit.h"
#include "compiler/artifacts/CompileResult.h"
#include "compiler/artifacts/Interpretation.h"
#include "profiler/data/Measurement.h"

#include <algorithm>

namespace tilescope::app {

/// Whether the launch block says of any tensor what it should hold after the run.
bool expectsResults(const profiler::LaunchPlan &plan);

/// Whether an output was compared with what the launch block expects of it.
inline bool isComparedWithExpected(const profiler::OutputResult &output) {
  return output.comparison && output.comparison->isWithExpected && output.comparison->fault.empty();
}

/// Whether a run said that what nothing has filled takes part in an output.
inline bool isToldUndefined(const std::string &output,
                            const std::vector<compiler::Diagnostic> &diagnostics) {
  return std::ranges::any_of(diagnostics, [&](const compiler::Diagnostic &each) {
    return each.kind == compiler::DiagnosticKind::RunUndefined && each.cause.subject == output;
  });
}

/// Compares the outputs, which are read from their files, with what the launch block expects of
/// them. That counts more than a comparison with the interpreter, whose place it takes. The
/// expected values of outputs that differ are written to `folder`, if there is one.
void compareWithExpected(profiler::Measurement &measurement, const ExpectedSources &sources,
                         const std::string &folder, const std::stop_token &stop);

/// What may be rounded on the way to the outputs of a kernel of which only machine code is known:
/// everything, as coarsely as they are.
std::vector<compiler::RoundingFacts> assumedRoundings(const profiler::LaunchPlan &plan);

/// Notes of outputs that match, but differ by as much as tf32 rounds, that the kernel uses it by
/// default, and how it keeps all bits.
void noteTf32(profiler::Measurement &measurement);

/// Counts in the outputs that the kernel has changed, which are read from their files, what is NaN
/// or infinite.
void noteNonFinite(profiler::Measurement &measurement, const std::stop_token &stop);

/// Keeps what the interpreter wrote for outputs that differ from it.
void keepReferences(const profiler::Measurement &measurement, const std::string &referenceFolder,
                    const std::string &folder);

/// One output that differs from its reference, at the line that wrote its first difference.
compiler::Diagnostic mismatchDiagnostic(const profiler::OutputResult &output,
                                        const std::array<int64_t, 3> &grid,
                                        const std::vector<compiler::ElementWriter> &writers);

/// Says so where an element differs since nothing says what its tensor begins with. `isBuiltOn`: the
/// kernel reads what it begins with, or adds to it. `update`: what its atomic operations do with that; `fix`: what lets it
/// begin with a value that changes nothing, if there is such.
void explainPoison(const profiler::PlanArgument &argument, const profiler::OutputResult &output,
                   bool isBuiltOn, const std::optional<AtomicUpdate> &update,
                   const std::optional<compiler::DiagnosticFix> &fix,
                   compiler::Diagnostic &diagnostic);

/// Says of an output that differs from what is expected by about as much as tf32 rounds that these
/// products use it, and how they keep all bits. `products`: as in `RunDoneReply`.
void explainRounding(const profiler::OutputResult &output, const std::vector<SourceRange> &products,
                     const KernelText &kernel, compiler::Diagnostic &diagnostic);

/// Says of integers that differ from what is expected that division rounds otherwise there, if both sides
/// divide. `expected`: what the launch block expects, as it is written.
void explainDivision(const profiler::OutputResult &output, std::string_view expected,
                     const KernelText &kernel, compiler::Diagnostic &diagnostic);

/// Says of an output that differs from what is expected which values of masked-off lanes took part
/// in a reduction. `fillers`: as in `RunDoneReply`.
void explainFillers(const profiler::OutputResult &output,
                    const std::vector<compiler::DiagnosticFix> &fillers,
                    compiler::Diagnostic &diagnostic);

} // namespace tilescope::app
