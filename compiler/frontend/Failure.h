// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// How an error travels inside the frontend: as an exception up to the enclosing statement, which is
// where emission goes on. None leaves the library.
#pragma once

#include "compiler/artifacts/Diagnostic.h"

#include <string>
#include <utility>

namespace tilescope::compiler::frontend {

/// An error in the kernel, complete but for the chain of calls that led there.
struct Failure {
  Diagnostic diagnostic;
};

/// The statement uses a value that an earlier error left undefined: nothing more to say about it.
struct PoisonUsed {};

/// An error was reported, and nothing after the first one matters.
struct FirstError {};

/// The compilation was asked to stop.
struct Cancelled {};

} // namespace tilescope::compiler::frontend
