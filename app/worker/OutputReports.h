// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// What a run that has ended says of its outputs and of its grid, beside what its programs did wrong.
#pragma once

#include "compiler/pipeline/Compiler.h"
#include "compiler/service/Messages.h"
#include "compiler/service/WorkerReplies.h"
#include "profiler/package/LaunchPlan.h"

#include <vector>

namespace tilescope::app {

/// Outputs that the kernel never writes at all: it most likely writes somewhere else. An argument
/// that it does not access may also be one that this launch does not need.
void reportNeverWritten(const profiler::LaunchPlan &plan, const compiler::CompileRequest &request,
                        const compiler::InterpretOutcome &outcome, compiler::RunDoneReply &reply);

/// Arguments that the kernel only reads, and to which the launch gives no values: nobody wants them
/// written, so they are no outputs that lack something.
void reportEmptyInputs(const profiler::LaunchPlan &plan, const compiler::CompileRequest &request,
                       const compiler::SuggestedLaunch &accesses, compiler::RunDoneReply &reply);

/// Outputs that the kernel only adds to, or combines with other values, and locks; and that begin without values, where
/// nothing is expected of them: what is expected shows that itself.
void reportUpdatedOfNothing(const profiler::LaunchPlan &plan,
                            const compiler::InterpretMessage &message,
                            const std::vector<compiler::RoundingFacts> &written,
                            compiler::RunDoneReply &reply);

/// Programs that all do the same along an axis of the grid. Where they write different values all the
/// same, that is what there is to say.
void reportUnreadAxes(const profiler::LaunchPlan &plan, const compiler::CompileRequest &request,
                      const compiler::InterpretOutcome &outcome, compiler::RunDoneReply &reply);

/// Axes that the kernel reads and the grid of its launch block does not have: notes, since they are 0 there.
void reportAxesBeyondGrid(const profiler::LaunchPlan &plan, const compiler::CompileRequest &request,
                          const compiler::InterpretOutcome &outcome, compiler::RunDoneReply &reply);

/// Elements of inputs that no program reads: notes, since a kernel may mean it so. Where something else is said of the run,
/// or outputs are not written either, that comes first.
void reportUnread(const profiler::LaunchPlan &plan, const compiler::InterpretOutcome &outcome,
                  compiler::RunDoneReply &reply);

/// Elements that several programs store, and programs that access nothing: notes, since a kernel may mean it so. Where
/// something else is said of the run, that comes first; of a grid that is a guess the latter is not said.
void reportRepeated(const profiler::LaunchPlan &plan, const compiler::CompileRequest &request,
                    const compiler::InterpretOutcome &outcome, compiler::RunDoneReply &reply);

} // namespace tilescope::app
