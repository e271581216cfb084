// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/CompileRequest.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace tilescope::compiler {

/// One choice of `@triton.autotune`: values of constexprs, and launch options such as `num_warps`.
struct Configuration {
  std::map<std::string, std::string> constexprs;
  std::map<std::string, std::string> options;
  bool operator==(const Configuration &) const = default;
  /// `BLOCK=64 num_warps=8`, with `separator` between the values.
  std::string text(std::string_view separator) const;
};

/// The launch that a compilation is for, as the worker worked it out of the request.
struct LaunchFacts {
  /// What the request chose, completed from the launch block and the files beside it.
  /// What none of them decides stays empty and is inferred.
  Selection selection;
  /// Position of the launch block among the file's blocks; -1 when none fits.
  int32_t block = -1;
  /// The launch with every expression evaluated, as JSON (`profiler/package/LaunchPlan.h` reads
  /// it); empty when no block fits or the block has errors.
  std::string plan;
  /// False when the launch block has errors: nothing is compiled for guesses in its place.
  bool ok = true;
  bool operator==(const LaunchFacts &) const = default;
};

} // namespace tilescope::compiler
