// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/analysis/ReferenceComparison.h"

#include "profiler/data/Tolerances.h"

#include <algorithm>
#include <cmath>

namespace tilescope::profiler {

static constexpr double kTypicalShare = 0.1;

/// Of an element.
static double shareOf(const PlanTensor &argument, const RoundedTo &kernel) {
  constexpr double kRoundings = 4;
  if (argument.relativeTolerance || argument.absoluteTolerance)
    return 0;
  if (kernel.coarsest > 0)
    return kRoundings * kernel.coarsest;
  return relativeTolerance(computedIn(argument.dtype));
}

static double shareOfTypical(const PlanTensor &argument, double share) {
  const bool isGiven = argument.relativeTolerance && !argument.absoluteTolerance;
  return kTypicalShare * (isGiven ? *argument.relativeTolerance : share);
}

ExpectedTerms termsOfReference(const Tensor &reference, const PlanTensor &argument,
                               const RoundedTo &kernel) {
  const double share = shareOf(argument, kernel);
  // The reference was rounded, too.
  const double epsilon = dtypeEpsilon(reference.dtype);
  const bool isFiner = epsilon < dtypeEpsilon(argument.dtype);
  const double ofReference = isFiner || argument.relativeTolerance ? 0 : epsilon / 2;
  const auto zeros = [&](Dtype dtype) {
    return makeTensor(dtype, reference.shape, {TensorInit::Kind::Zeros});
  };
  ExpectedTerms terms{zeros(Dtype::Fp64), zeros(Dtype::Fp32), zeros(Dtype::Fp32),
                      zeros(Dtype::Fp32)};
  terms.ofTypical = shareOfTypical(argument, share);
  terms.coarsest = kernel.ofElements;
  for (int64_t i = 0; i < reference.numElements(); ++i) {
    const double value = reference.at(i);
    const double off = (share + ofReference) * std::fabs(value);
    terms.exact.set(i, value);
    terms.below.set(i, off);
    terms.above.set(i, off);
  }
  return terms;
}

static OutputComparison compared(const Tensor &actual, const Tensor &reference,
                                 const PlanTensor &argument, bool poisoned,
                                 const RoundedTo &kernel) {
  ComparisonOptions options = comparisonOptions(argument);
  options.poisoned = poisoned;
  if (!isFloat(argument.dtype))
    return compareTensors(actual, reference, options);
  const ExpectedTerms terms = termsOfReference(reference, argument, kernel);
  options.terms = &terms;
  return compareTensors(actual, reference, options);
}

OutputComparison compareWithReference(const Tensor &actual, const Tensor &reference,
                                      const PlanTensor &argument, const ReferenceOptions &options) {
  OutputComparison likely =
      compared(actual, reference, argument, options.poisoned, options.kernel.value_or(RoundedTo()));
  if (options.kernel || likely.mismatches == 0)
    return likely;
  const double epsilon = dtypeEpsilon(argument.dtype);
  OutputComparison most =
      compared(actual, reference, argument, options.poisoned, {epsilon, epsilon});
  most.unlikely = likely.mismatches;
  if (most.ok())
    most.doubt = MatchDoubt::Tolerance;
  return most;
}

} // namespace tilescope::profiler
