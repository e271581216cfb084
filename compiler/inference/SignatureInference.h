// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// What to compile a kernel for when nothing says so: types from annotations, defaults and use,
// constants from defaults, autotune configurations and names. Looks only at the syntax tree.
//
//   @triton.jit
//   def scale(x_ptr, y_ptr, n, factor, BLOCK: tl.constexpr): ...
//
//   x_ptr: *fp32:16 (it is loaded from), y_ptr: *fp32:16 (it is stored to), n: i32:16 (compared
//   with offsets), factor: fp32 (multiplied with data), BLOCK = 1024
#pragma once

#include "compiler/artifacts/Assumption.h"
#include "compiler/artifacts/CompileRequest.h"
#include "compiler/syntax/ModuleIndex.h"
#include "compiler/types/ScalarKind.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace tilescope::compiler::inference {

class ImportedFunctions;

/// A selection in which every parameter has a type or a value, as far as anything suggests one.
struct InferredSelection {
  Selection selection;
  /// One for each guess.
  std::vector<Assumption> assumptions;
};

/// Guesses that some kernels need to be different from the usual ones.
struct InferenceStyle {
  /// Switches are on, and optional pointers are given.
  bool isComplete = true;
  /// All extents of blocks are the same.
  bool hasEqualExtents = false;
  /// Element type of the factors of `tl.dot`.
  ScalarKind factor = ScalarKind::Fp16;
  /// Element type of arrays of indices.
  ScalarKind index = ScalarKind::Int64;
  /// Parameters whose defaults cannot be worked out, so that values are guessed; may be null.
  const std::set<std::string> *openDefaults = nullptr;
};

/// Completes `given` for one kernel. Values in `given` are kept. A constexpr for which nothing
/// suggests a value (a function to be called, say) stays open. `imports`: functions of other files
/// that are looked into as well; may be null.
InferredSelection inferSelection(const ast::ModuleIndex &index, const ast::JitFunction &kernel,
                                 const Selection &given, const InferenceStyle &style = {},
                                 const ImportedFunctions *imports = nullptr);

} // namespace tilescope::compiler::inference
