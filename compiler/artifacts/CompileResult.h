// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/Assumption.h"
#include "compiler/artifacts/Diagnostic.h"
#include "compiler/artifacts/LaunchFacts.h"
#include "compiler/artifacts/LayoutFacts.h"
#include "compiler/artifacts/Stage.h"
#include "compiler/artifacts/SuggestedLaunch.h"
#include "compiler/artifacts/ValueFacts.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace tilescope::compiler {

/// One run-time parameter of the compiled kernel, in launch order.
struct KernelParameter {
  std::string name;
  /// Triton's notation without hints: `*fp32`, `i32`, `fp32`, `u1`.
  std::string type;
  bool operator==(const KernelParameter &) const = default;
};

/// What a launcher must know about the machine code. Two pointer parameters (global scratch,
/// profile scratch) follow `parameters` and `described` in the kernel's own list.
struct KernelMetadata {
  /// Symbol of the entry function.
  std::string name;
  /// `cuda:90`.
  std::string target;
  int32_t numWarps = 4;
  int32_t numStages = 3;
  int32_t numCtas = 1;
  int64_t sharedBytes = 0;
  int64_t globalScratchBytes = 0;
  std::vector<KernelParameter> parameters;
  /// Descriptions that the compiler wants of tensors which are among the parameters, under the same names.
  std::vector<KernelParameter> described = {};
  bool operator==(const KernelMetadata &) const = default;
};

/// A file that source ranges may point into.
struct SourceFile {
  std::string path;
  /// Text, so that a view can show the place without reading the disk (prelude, imported kernels).
  std::string text;
  bool operator==(const SourceFile &) const = default;
};

/// The result of one compilation. Immutable once published; shared between views.
struct CompileResult {
  uint64_t revision = 0;
  /// False when any diagnostic is an error or the work was cancelled.
  bool ok = false;
  LaunchFacts launch;
  std::string kernel;
  /// Names of all `@triton.jit` functions of the file that can be launched, in source order.
  std::vector<std::string> kernels;
  /// Signature and constexprs that were used, by name, in Triton's notation; what was assumed is
  /// listed in `assumptions`.
  std::map<std::string, std::string> signature;
  std::map<std::string, std::string> constexprs;
  std::map<std::string, std::string> options;
  std::vector<Assumption> assumptions;
  std::string target;
  std::vector<SourceFile> files;
  /// In order of `StageId`; a failed stage is present with `ok == false`, later ones are absent.
  std::vector<Stage> stages;
  std::vector<PassRecord> passes;
  std::vector<Diagnostic> diagnostics;
  std::vector<LayoutFacts> layouts;
  std::vector<ValueFacts> values;
  KernelMetadata metadata;
  /// For a kernel whose file has no launch block.
  SuggestedLaunch suggestion;
  /// What `@triton.autotune` and `@triton.heuristics` of the kernel offer.
  std::vector<Configuration> configurations;
  Resources resources;
  int64_t totalNs = 0;

  /// The stage, or null when it was not made.
  const Stage *stage(StageId id) const;
};

} // namespace tilescope::compiler
