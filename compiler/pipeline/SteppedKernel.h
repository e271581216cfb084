// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/StepState.h"
#include "compiler/pipeline/CountAccesses.h"
#include "compiler/support/Result.h"

#include <functional>
#include <memory>
#include <stop_token>

namespace tilescope::compiler {

namespace stepping {
class StepSession;
} // namespace stepping

struct StepInput {
  /// TTIR or TTGIR.
  StageId stage = StageId::Ttir;
  /// The same kernel with `CompileHooks::keepsBindings`: it is executed in place of the stage, so
  /// that names have the values that they have in the source. Null: names are guessed from places.
  std::shared_ptr<const CompileResult> bound;
  std::array<int32_t, 3> grid{1, 1, 1};
  /// Their memory stays where it is.
  LaunchArguments argument;
  /// Fills it as the launch says.
  std::function<void()> resetMemory;
  /// For the ways back.
  size_t mostBytes = size_t{512} << 20;
};

/// A launch of a kernel in step mode. Thread: one.
class SteppedKernel {
public:
  /// `compiled` holds the text and the source map of the stage. The error says why it cannot be
  /// executed.
  static Result<std::unique_ptr<SteppedKernel>> open(std::shared_ptr<const CompileResult> compiled,
                                                     StepInput input);
  ~SteppedKernel();

  StepState perform(const StepCommand &command, std::stop_token stop = {},
                    const std::function<void(uint64_t done, uint64_t total)> &progress = {});
  const CompileResult &compiled() const;
  stepping::StepSession &session();

private:
  struct Parts;
  explicit SteppedKernel(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> m_parts;
};

} // namespace tilescope::compiler
