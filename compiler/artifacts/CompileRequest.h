// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/Stage.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace tilescope::compiler {

/// What is compiled for when neither the user nor the document says.
inline constexpr const char *kDefaultTarget = "cuda:90";

/// Which kernel of a file, specialized how. Empty parts are decided by the launch block, then
/// inferred.
struct Selection {
  std::string kernel;
  /// Name of the launch block (`[launch] name`), or its position in the file as a number; empty:
  /// the first that fits.
  std::string launch;
  /// Argument name -> type in Triton's notation, e.g. `*fp32:16`, `i32:16`, `i32:1`, `fp32`, `u1`.
  std::map<std::string, std::string> signature;
  /// Name -> expression of the kernel language, e.g. `1024`, `"relu"`, `tl.float16`.
  std::map<std::string, std::string> constexprs;
  /// `num_warps`, `num_stages`, … -> literal.
  std::map<std::string, std::string> options;
  /// Overrides of the launch block's sizes (`--set`).
  std::map<std::string, std::string> sizes;
  /// `cuda:90` and the like; empty: the default.
  std::string target;
  /// Folders searched for imported kernels, after the file's own project.
  std::vector<std::string> importPaths;
  /// Path -> text that counts in place of the file's: of files that are open and not saved.
  std::map<std::string, std::string> openTexts;
  bool operator==(const Selection &) const = default;
};

/// Everything a compilation depends on. Two equal requests have bit-for-bit equal results.
struct CompileRequest {
  /// Grows with every edit of one document; results of older revisions are dropped.
  uint64_t revision = 0;
  /// For messages and for resolving imports; need not exist.
  std::string path;
  std::string text;
  /// Stage at which `text` enters: Ast for `.py`, or Ttir, Ttgir, LlvmIr, Ptx for IR files.
  StageId entry = StageId::Ast;
  /// As chosen: the worker completes it from the launch block that fits.
  Selection selection;
  /// Target and options from files beside the document; they count where neither the choice nor the
  /// launch block says anything.
  Selection facts;
  /// Last stage to make.
  StageId stopAfter = kStageKinds.back().id;
  /// Keep the IR after every pass that changed it.
  bool recordPassIr = false;
  /// Collect `LayoutFacts` and `ValueFacts`.
  bool collectFacts = true;
  bool operator==(const CompileRequest &) const = default;
};

} // namespace tilescope::compiler
