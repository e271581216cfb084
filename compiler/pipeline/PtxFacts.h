// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/CompileResult.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// What the text of a document says about how it was compiled, read without understanding the rest:
/// documents of any origin come in.
namespace tilescope::compiler {

/// An entry function of a PTX document.
struct PtxEntry {
  std::string name;
  /// All of them, the two scratch pointers at the end included. Names are `arg0`, `arg1`, …: PTX
  /// has none. A pointer is `*i8`, a number has the type of its width: `i32`, `i64`, or `fp32`,
  /// `fp64` where the declaration says so.
  std::vector<KernelParameter> parameters;
  /// From `.reqntid` or `.maxntid`; 0: the text does not say.
  int32_t numThreads = 0;
  /// Thread blocks of a cluster, from `.reqnctapercluster`; 0: the text does not say.
  int32_t numBlocks = 0;
};

std::vector<PtxEntry> ptxKernels(std::string_view text);

/// The target that a document in IR or PTX names (`cuda:90`), whether known or not; empty when it
/// names none.
std::string documentTarget(std::string_view text);

} // namespace tilescope::compiler
