// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Why a launch leaves elements of an output out: it has too few programs, or they all write to the
// same places.
#pragma once

#include "compiler/artifacts/Diagnostic.h"
#include "profiler/data/Measurement.h"
#include "profiler/package/LaunchPlan.h"

#include <string_view>

namespace tilescope::app {

/// Completes the diagnostic of an output that differs at an element which no program has written:
/// it gets the place of the grid in the launch block of `text`, how many elements the programs
/// write, and, of a vector, how many programs it would take. Does nothing for other outputs.
void explainUnwritten(std::string_view text, const profiler::LaunchPlan &plan,
                      const profiler::OutputResult &output, compiler::Diagnostic &diagnostic);

} // namespace tilescope::app
