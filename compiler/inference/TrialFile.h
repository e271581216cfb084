// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// What a search for guesses asks of a compiler: to compile a function for a selection, and to say
// what came of it. The frontend implements it, so that guessing needs syntax trees and no IR.
#pragma once

#include "compiler/artifacts/CompileRequest.h"
#include "compiler/inference/ImportedFunctions.h"
#include "compiler/inference/Importers.h"
#include "compiler/inference/Objection.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace tilescope::compiler::inference {

/// What compiling for one selection came to.
struct TrialOutcome {
  /// Nothing when all is well.
  std::optional<Objection> objection;
  /// What the trial cost: see `SearchBudget`.
  int64_t numOperations = 0;
};

/// Observes what calls of one function pass to it.
struct CallWatch {
  /// As its own file calls it.
  std::string callee;
  /// Receives what a call passes, as a selection says it, in the names of the requested document.
  std::function<void(Selection)> report;
};

/// A file whose functions can be compiled for guesses. An exception of an implementation ends the
/// search and passes through it. Thread: one.
class TrialFile {
public:
  virtual ~TrialFile() = default;

  virtual const std::string &path() const = 0;
  virtual const ast::SyntaxTree &tree() const = 0;
  virtual const ImportedFunctions &imports() const = 0;
  /// Compiles `function`, which is in this file, up to its first error. `watch` may be null.
  virtual TrialOutcome tryOut(const ast::JitFunction &function, const Selection &selection,
                              const CallWatch *watch) = 0;
  /// A file that imports from this one.
  virtual std::unique_ptr<TrialFile> open(const Importer &importer) = 0;
};

} // namespace tilescope::compiler::inference
