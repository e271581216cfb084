// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/frontend/Frame.h"
#include "compiler/frontend/TensorOps.h"

#include <functional>
#include <map>
#include <stop_token>
#include <string>

namespace tilescope::compiler::frontend {

struct EmitterOptions {
  TargetRules rules;
  std::map<std::string, Value> kernelOptions;
  bool collectFacts = false;
  /// For step mode: see `Binding.h` of the dialect.
  bool keepsBindings = false;
  /// The first error ends emission: `FirstError` is thrown when it has been reported.
  bool stopsAtFirstError = false;
  /// Told of every call of a function in source, its parameters being bound; may be empty.
  std::function<void(const Frame &callee)> callObserved;
  std::stop_token stop;
};

} // namespace tilescope::compiler::frontend
