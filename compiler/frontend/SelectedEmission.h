// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// One emission: a function with everything about it decided.
#pragma once

#include "compiler/frontend/Emitter.h"
#include "compiler/frontend/Frontend.h"
#include "compiler/inference/SignatureInference.h"

#include <functional>
#include <stop_token>

namespace tilescope::compiler::frontend {

using inference::InferredSelection;

/// What all emissions of one request share.
struct Emission {
  mlir::MLIRContext &context;
  const CompileRequest &request;
  ModuleTable &modules;
  std::stop_token stop;
  /// Null when nothing is remembered.
  inference::GuessMemory *memory = nullptr;
  /// See `EmitterOptions::keepsBindings`.
  bool keepsBindings = false;
};

struct EmissionMode {
  /// The first error ends it: the others are not read.
  bool isTrial = false;
  bool collectsFacts = false;
  /// See `EmitterOptions::callObserved`.
  std::function<void(const Frame &)> callObserved = {};
};

bool hasErrors(const std::vector<Diagnostic> &diagnostics);

EmittedModule emitSelected(const Emission &emission, ScopedFunction function,
                           const InferredSelection &inferred, const EmissionMode &mode);

} // namespace tilescope::compiler::frontend
