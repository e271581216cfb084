// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// What the file's own host code passes to a kernel, read off its launches without running them.
//
//   def run(x: torch.Tensor, eps: float):
//       y = torch.empty_like(x, dtype=torch.float16)
//       kernel[(n,)](x, y, x.stride(0), eps, BLOCK=128)
//
//   x: a tensor; y: a tensor of fp16; the third an integer; eps: a real number; BLOCK = 128
#pragma once

#include "compiler/syntax/ModuleIndex.h"

#include <map>
#include <string>

namespace tilescope::compiler::inference {

struct PassedArgument {
  enum class Kind { Unknown, Constant, Tensor, Integer, Real, Boolean };
  Kind kind = Kind::Unknown;
  /// Of a constant, as the kernel language writes it; of a tensor its element type as a signature
  /// writes it, empty when unknown.
  std::string text;
  bool operator==(const PassedArgument &) const = default;
};

/// Of which kind the argument is when a constant may be another one next time.
PassedArgument generalized(const PassedArgument &argument);

/// By parameter; those that no launch says anything about have no entry. The first launch that
/// says something counts.
std::map<std::string, PassedArgument, std::less<>>
argumentsPassedTo(const ast::ModuleIndex &index, const ast::JitFunction &kernel);

} // namespace tilescope::compiler::inference
