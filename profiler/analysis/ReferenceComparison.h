// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Comparison with numbers of which nothing is known but what they are: those of a file, or what another
// run of the kernel left. How large they are stands for the size of their terms.
#pragma once

#include "profiler/analysis/Comparison.h"

#include <optional>

namespace tilescope::profiler {

/// What a kernel rounds to on its way to an output, before it stores: distances from 1 to the next number,
/// 0 where that is no coarser than fp32.
struct RoundedTo {
  /// Of anything.
  double coarsest = 0;
  /// Of elements and of factors of products, each of which is rounded alone.
  double ofElements = 0;
};

/// What passes of each element: the share of it that a kernel in fp32 may be off by, or four times what
/// the kernel rounds to, and a tenth of that of the typical size. Tolerances of the argument's own take the
/// place of both.
ExpectedTerms termsOfReference(const Tensor &reference, const PlanTensor &argument,
                               const RoundedTo &kernel);

struct ReferenceOptions {
  /// Absent: it is not known; then what only a kernel explains that rounds to the output's type all the way
  /// matches in doubt.
  std::optional<RoundedTo> kernel;
  /// As in `ComparisonOptions`.
  bool poisoned = false;
};

/// Compares an output with a reference of its type.
OutputComparison compareWithReference(const Tensor &actual, const Tensor &reference,
                                      const PlanTensor &argument, const ReferenceOptions &options);

} // namespace tilescope::profiler
