// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/interpreter/Program.h"

namespace tilescope::compiler::interpreter {

/// Assigns every value of a kernel a place in memory; values that are never needed at the same time
/// share one, so that what a program works on stays in the caches. Sets ValueInfo::offset and
/// Program::memorySize.
///
/// A value is needed from the first instruction that writes it to the last that reads it; one that
/// is needed when a loop begins, until the loop ends. Values that exchange their memory while they
/// run keep their own places, and so do all where the program keeps its values.
void planMemory(Program &program);
/// The same with the lifetimes of a program that has the same instructions and values.
void planMemory(Program &program, const Program &lifetimes);

} // namespace tilescope::compiler::interpreter
