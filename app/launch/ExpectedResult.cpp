// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/launch/ExpectedResult.h"

#include "app/launch/ArrayExpression.h"
#include "app/launch/ArrayShapes.h"
#include "app/launch/ArrayTypes.h"
#include "app/launch/IntegerRange.h"
#include "app/launch/NarrowNumbers.h"
#include "app/launch/SizedTensor.h"
#include "compiler/support/Text.h"
#include "profiler/data/Element.h"
#include "profiler/data/Npy.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

namespace tilescope::app {

using profiler::PlanArgument;
using profiler::PlanTensor;
using profiler::Tensor;

static Error wrong(const PlanArgument &argument, const std::string &what) {
  return {ErrorCode::InvalidInput, "`" + argument.name + "` could not be checked: " + what, ""};
}

compiler::RoundingFacts ExpectedSources::roundingsOf(const PlanArgument &argument) const {
  const PlanTensor &tensor = *argument.tensor();
  if (tensor.relativeTolerance || tensor.absoluteTolerance)
    return {};
  const auto found =
      std::ranges::find(roundings, argument.name, &compiler::RoundingFacts::argument);
  const bool isLeftOut =
      found == roundings.end() || (found->isAssumed && reach == RoundingReach::Likely);
  return isLeftOut ? compiler::RoundingFacts() : *found;
}

bool ExpectedSources::mayReachFurther(const PlanArgument &argument) const {
  ExpectedSources most = *this;
  most.reach = RoundingReach::Most;
  const compiler::RoundingFacts facts = most.roundingsOf(argument);
  return reach == RoundingReach::Likely && (facts.isAssumed || facts.steps.depth > 0);
}

profiler::RoundedTo roundedTo(const compiler::RoundingFacts &kernel) {
  const double ofElements = std::max(kernel.operations.epsilon, kernel.factors.epsilon);
  return {std::max({ofElements, kernel.sums.epsilon, kernel.steps.precision.epsilon,
                    kernel.stored.epsilon}),
          ofElements};
}

std::string referenceFile(const PlanArgument &argument, const std::string &sourcePath) {
  const PlanTensor *tensor = argument.tensor();
  return tensor && tensor->expected.ends_with(".npy")
             ? (std::filesystem::path(sourcePath).parent_path() / tensor->expected).string()
             : std::string();
}

/// Takes numbers from a file of another type, bit for bit where both have integers of 64 bits: a double has
/// fewer. The error says which an integer type cannot hold.
static Status takeNumbers(const Tensor &read, const PlanArgument &argument, Tensor &values) {
  const auto isWide = [](profiler::Dtype dtype) {
    return !profiler::isFloat(dtype) && profiler::dtypeSize(dtype) == 8;
  };
  const bool areWide = isWide(read.dtype) && isWide(values.dtype);
  IntegerRange range(values.dtype);
  for (int64_t i = 0; i < read.numElements(); ++i) {
    const double value = read.at(i);
    const uint64_t bits = areWide ? profiler::elementBits(read.dtype, read.element(i)) : 0;
    const bool canMisfit = areWide ? bits >> 63 != 0 : std::isfinite(value);
    if (canMisfit)
      range.look(profiler::elementCoordinates(i, read.shape), value);
    values.set(i, value);
  }
  if (const std::string misfits = range.misfits(); !misfits.empty())
    return wrong(argument, "of `" + argument.tensor()->expected + "`, " + misfits);
  if (areWide)
    values.data = read.data;
  return {};
}

/// Of numbers for an integer output: without fractions they are integers, which have to be equal; else they
/// are numbers before the cast, which may lie on the other side of one integer at most.
static profiler::ExpectedTerms termsOfIntegers(const Tensor &read, const PlanTensor &tensor,
                                               const profiler::RoundedTo &kernel) {
  constexpr float kMost = 0.5;
  bool areWhole = true;
  for (int64_t i = 0; i < read.numElements() && areWhole; ++i)
    areWhole = !std::isfinite(read.at(i)) || std::trunc(read.at(i)) == read.at(i);
  profiler::ExpectedTerms terms = profiler::termsOfReference(read, tensor, kernel);
  terms.ofTypical = 0;
  for (int64_t i = 0; i < read.numElements(); ++i) {
    if (!std::isfinite(read.at(i)))
      terms.exact.set(i, std::numeric_limits<double>::quiet_NaN());
    for (Tensor *bound : {&terms.below, &terms.above})
      bound->set(i, areWhole ? 0 : std::min<double>(bound->at(i), kMost));
  }
  return terms;
}

static Error missingFile(const PlanArgument &argument) {
  return wrong(argument, "there is no file `" + argument.tensor()->expected +
                             "` in the folder of the kernel's file");
}

static Result<Expectation> readExpected(const PlanArgument &argument,
                                        const ExpectedSources &sources) {
  const PlanTensor &tensor = *argument.tensor();
  const std::string path = referenceFile(argument, sources.sourcePath);
  std::error_code unknown;
  if (!std::filesystem::exists(path, unknown))
    return missingFile(argument);
  Result<Tensor> read = profiler::readNpy(path);
  if (!read)
    return wrong(argument, read.error().message);
  if (read->shape != tensor.shape)
    return wrong(argument, "`" + tensor.expected + "` has the shape " + shapeText(read->shape) +
                               ", the argument " + shapeText(tensor.shape));
  Expectation expectation{zerosOf(tensor.shape, tensor.dtype)};
  if (read->dtype == tensor.dtype)
    expectation.values = *read;
  else if (Status status = takeNumbers(*read, argument, expectation.values); !status)
    return status.error();
  const profiler::RoundedTo kernel = roundedTo(sources.roundingsOf(argument));
  if (profiler::isFloat(tensor.dtype))
    expectation.terms = profiler::termsOfReference(*read, tensor, kernel);
  else if (profiler::isFloat(read->dtype))
    expectation.terms = termsOfIntegers(*read, tensor, kernel);
  return expectation;
}

Result<Tensor> initialContents(const PlanArgument &argument, const ExpectedSources &sources) {
  const PlanTensor &tensor = *argument.tensor();
  const std::filesystem::path recorded =
      std::filesystem::path(sources.inputFolder) / (argument.name + ".npy");
  if (!sources.inputFolder.empty() && std::filesystem::exists(recorded))
    return profiler::readNpy(recorded.string());
  return profiler::makeTensor(tensor.dtype, tensor.shape, tensor.init);
}

/// Whether an expression uses the elements of an array; its shape, `x.shape[0]`, is known without them, and `mean(x)` and
/// `x.mean()` are functions, whatever arrays are called.
static bool usesElements(const std::string &text, const std::string &name) {
  return std::ranges::any_of(wordsIn(text), [&](std::string_view word) {
    const auto begin = static_cast<size_t>(word.data() - text.data());
    const auto end = begin + word.size();
    const bool isMember = begin > 0 && text[begin - 1] == '.';
    return word == name && !isMember && text.compare(end, 1, ".") != 0 &&
           text.compare(end, 1, "(") != 0;
  });
}

/// That an expression names the array which the kernel fills, and nothing else does; nothing: it does not.
static std::optional<Error> emptyItself(const PlanArgument &argument) {
  const PlanTensor &tensor = *argument.tensor();
  if (tensor.init.kind != profiler::TensorInit::Kind::Poison ||
      !usesElements(tensor.expected, argument.name))
    return std::nullopt;
  return wrong(argument,
               "`expected` names the array itself, which nothing fills before the launch; "
               "say what it should hold as an expression over the inputs");
}

static Result<Expectation> evaluateExpected(const PlanArgument &argument,
                                            const ExpectedSources &sources,
                                            const std::stop_token &stop) {
  const auto contents = [&](const PlanArgument &input) { return initialContents(input, sources); };
  const std::string text = withoutFloatTypes(argument.tensor()->expected, sources.plan);
  if (std::optional<Error> empty =
          sources.inputFolder.empty() ? emptyItself(argument) : std::nullopt)
    return std::move(*empty);
  // What is refused for its size is refused before gigabytes of inputs are made for it.
  Result<Expectation> expected = evaluateArray(text, argument, {sources.plan, {}});
  if (expected) {
    const ArraySources made{sources.plan, contents, stop, sources.roundingsOf(argument),
                            sources.reach};
    expected = evaluateArray(text, argument, made);
    const std::string narrow =
        expected ? withNarrowNumbers(text, sources.plan, made.roundings.numbers) : std::string();
    Result<Expectation> rounded =
        narrow.empty() ? Result<Expectation>(Error{}) : evaluateArray(narrow, argument, made);
    if (rounded)
      expected = spanning(std::move(*rounded), *expected);
  }
  if (!expected && expected.error().code == ErrorCode::InvalidInput)
    return wrong(argument, expected.error().message);
  return expected;
}

std::optional<Error> expectationFault(const PlanArgument &argument,
                                      const profiler::LaunchPlan &plan,
                                      const std::string &sourcePath) {
  const std::string text = withoutFloatTypes(argument.tensor()->expected, plan);
  if (text.empty())
    return std::nullopt;
  if (const std::string path = referenceFile(argument, sourcePath); !path.empty()) {
    std::error_code unknown;
    // A text without a file has no folder yet.
    const bool isThere = sourcePath.empty() || std::filesystem::exists(path, unknown);
    return isThere ? std::nullopt : std::optional(missingFile(argument));
  }
  if (std::optional<Error> empty = emptyItself(argument))
    return empty;
  const Result<Expectation> trial = evaluateArray(text, argument, {plan, {}});
  if (trial)
    return std::nullopt;
  return wrong(argument, trial.error().message);
}

/// As `evaluateExpected`, but from what is kept where it is there. Inputs from files may change.
static Result<Expectation> keptExpected(const PlanArgument &argument,
                                        const ExpectedSources &sources,
                                        const std::stop_token &stop) {
  if (!sources.kept || !sources.inputFolder.empty())
    return evaluateExpected(argument, sources, stop);
  const std::string key =
      KeptExpectations::keyOf(argument, sources.plan, sources.roundingsOf(argument), sources.reach);
  if (const Expectation *kept = sources.kept->find(key))
    return *kept;
  Result<Expectation> expected = evaluateExpected(argument, sources, stop);
  if (expected)
    sources.kept->keep(key, *expected);
  return expected;
}

Result<Expectation> expectationOf(const PlanArgument &argument, const ExpectedSources &sources,
                                  const std::stop_token &stop) {
  if (referenceFile(argument, sources.sourcePath).empty())
    return keptExpected(argument, sources, stop);
  return readExpected(argument, sources);
}

} // namespace tilescope::app
