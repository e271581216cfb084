// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/OutputChecks.h"

#include "app/commands/UnwrittenElements.h"
#include "profiler/analysis/Comparison.h"
#include "profiler/analysis/ConsistentBias.h"
#include "profiler/data/Dtype.h"
#include "profiler/data/Npy.h"
#include "profiler/data/OutputFolder.h"
#include "profiler/data/Tolerances.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>

namespace tilescope::app {

using compiler::Diagnostic;
using profiler::OutputResult;

bool expectsResults(const profiler::LaunchPlan &plan) {
  return std::ranges::any_of(plan.args, [](const profiler::PlanArgument &argument) {
    return argument.tensor() && !argument.tensor()->expected.empty();
  });
}

/// The names that `profiler::referencePath`, `leastPath` and `mostPath` expect. Without the files the window
/// has nothing to mark the differences by, but still says them.
static void keepReference(const std::string &folder, const std::string &name,
                          const profiler::Tensor &reference,
                          const std::optional<profiler::ElementRanges> &ranges = {},
                          const profiler::Unwritten &unwritten = {}) {
  const Result<profiler::OutputFolder> kept = profiler::OutputFolder::open(folder);
  if (!kept)
    return;
  (void)profiler::writeNpy(*kept, name + ".expected", reference);
  (void)profiler::writeUnwritten(*kept, name + ".expected", reference, unwritten);
  if (!ranges)
    return;
  (void)profiler::writeNpy(*kept, name + ".least", ranges->least);
  (void)profiler::writeNpy(*kept, name + ".most", ranges->most);
}

/// Whether all elements of what is expected are 0, of several.
static bool areZeros(const profiler::Tensor &expected) {
  for (int64_t i = 0; i < expected.numElements(); ++i)
    if (expected.at(i) != 0)
      return false;
  return expected.numElements() > 0;
}

/// A match says little where a kernel that does nothing, or nearly so, would have matched as well.
static void noteLittleExpected(const profiler::PlanArgument &argument,
                               const ExpectedSources &sources, const profiler::Tensor &expected,
                               const profiler::ComparisonOptions &options,
                               profiler::OutputComparison &comparison) {
  if (!comparison.ok() || expected.numElements() == 0)
    return;
  const bool hasContents = argument.tensor()->init.kind != profiler::TensorInit::Kind::Poison ||
                           !sources.inputFolder.empty();
  const Result<profiler::Tensor> before =
      hasContents ? initialContents(argument, sources) : Result<profiler::Tensor>(Error{});
  if (before && profiler::compareTensors(*before, expected, options).ok())
    comparison.doubt = profiler::MatchDoubt::Foregone;
  else if (areZeros(expected))
    comparison.doubt = profiler::MatchDoubt::Zeros;
}

/// An output of the wrong type agrees with what is expected once that is cut off, too.
static void noteFractions(const Expectation &expected, profiler::OutputComparison &comparison) {
  const profiler::ExpectedTerms &terms = expected.terms;
  if (!comparison.ok() || profiler::isFloat(expected.values.dtype) || terms.exact.data.empty())
    return;
  // A number that is an integer but for its roundings is one.
  constexpr double kRounded = 1e-3;
  for (int64_t i = 0; i < terms.exact.numElements(); ++i)
    if (const double exact = terms.exact.at(i);
        std::isfinite(exact) && std::fabs(exact - std::nearbyint(exact)) > kRounded)
      ++comparison.fractions;
  if (comparison.fractions > 0 && comparison.doubt == profiler::MatchDoubt::None)
    comparison.doubt = profiler::MatchDoubt::Fractions;
}

/// Whether errors of all elements go one way. Where the kernel cuts bits off, or adds up in a narrow type, that
/// is how it rounds.
static void noteBias(const profiler::PlanArgument &argument, const ExpectedSources &sources,
                     const Expectation &expected, const profiler::Tensor &actual,
                     profiler::OutputComparison &comparison) {
  const profiler::PlanTensor &tensor = *argument.tensor();
  const compiler::RoundingFacts kernel = sources.roundingsOf(argument);
  const bool roundsOneWay = kernel.operations.truncates || kernel.factors.truncates ||
                            kernel.sums.truncates || kernel.sums.epsilon > 0 ||
                            kernel.steps.precision.epsilon > 0 || kernel.isAssumed;
  if (!comparison.ok() || comparison.doubt != profiler::MatchDoubt::None || roundsOneWay ||
      !profiler::isFloat(actual.dtype) || tensor.relativeTolerance || tensor.absoluteTolerance ||
      expected.terms.exact.data.empty())
    return;
  const double epsilon = std::max({profiler::dtypeEpsilon(actual.dtype), kernel.operations.epsilon,
                                   kernel.factors.epsilon, kernel.stored.epsilon});
  if (const auto bias = profiler::consistentBias(actual, expected.terms.exact, epsilon)) {
    comparison.doubt = profiler::MatchDoubt::Bias;
    comparison.bias = *bias;
  }
}

namespace {
/// What an output was compared with, and what came of it.
struct Judgement {
  Expectation expected;
  profiler::ComparisonOptions options;
  profiler::OutputComparison comparison;
};
} // namespace

static Result<std::unique_ptr<Judgement>> judge(const profiler::PlanArgument &argument,
                                                const profiler::Tensor &actual,
                                                const profiler::Unwritten &unwritten,
                                                const ExpectedSources &sources,
                                                const std::stop_token &stop) {
  Result<Expectation> expected = expectationOf(argument, sources, stop);
  if (!expected)
    return expected.error();
  auto made = std::make_unique<Judgement>();
  made->expected = std::move(*expected);
  made->options = profiler::comparisonOptions(*argument.tensor());
  // What was never written differs from what is expected.
  made->options.poisoned = false;
  if (!made->expected.terms.exact.data.empty())
    made->options.terms = &made->expected.terms;
  made->comparison =
      compareSides({actual, made->expected.values, unwritten}, [&](const profiler::Tensor &told) {
        return profiler::compareTensors(told, made->expected.values, made->options);
      });
  noteLittleExpected(argument, sources, made->expected.values, made->options, made->comparison);
  noteFractions(made->expected, made->comparison);
  noteBias(argument, sources, made->expected, actual, made->comparison);
  return made;
}

/// What nothing has written of an output, or of its reference, in the file `path`; none where it is not known.
static profiler::Unwritten unwrittenOf(const OutputResult &output, const profiler::Tensor &tensor,
                                       const std::string &path) {
  return output.neverWritten ? profiler::readUnwritten(tensor, path) : profiler::Unwritten();
}

/// Where roundings that are likely do not explain what an output is off by, those that are possible may.
static Result<std::unique_ptr<Judgement>> judgeTwice(const profiler::PlanArgument &argument,
                                                     const profiler::Tensor &actual,
                                                     const profiler::Unwritten &unwritten,
                                                     const ExpectedSources &sources,
                                                     const std::stop_token &stop) {
  Result<std::unique_ptr<Judgement>> likely = judge(argument, actual, unwritten, sources, stop);
  if (!likely || (*likely)->comparison.mismatches == 0 || !sources.mayReachFurther(argument))
    return likely;
  ExpectedSources further = sources;
  further.reach = RoundingReach::Most;
  Result<std::unique_ptr<Judgement>> most = judge(argument, actual, unwritten, further, stop);
  if (!most)
    return most;
  profiler::OutputComparison &comparison = (*most)->comparison;
  comparison.unlikely = (*likely)->comparison.mismatches;
  if (comparison.ok())
    comparison.doubt = profiler::MatchDoubt::Tolerance;
  return most;
}

void compareWithExpected(profiler::Measurement &measurement, const ExpectedSources &sources,
                         const std::string &folder, const std::stop_token &stop) {
  for (OutputResult &output : measurement.outputs) {
    const profiler::PlanArgument *argument = sources.plan.argument(output.name);
    if (!argument || !argument->tensor() || argument->tensor()->expected.empty())
      continue;
    const Result<profiler::Tensor> actual = profiler::readNpy(output.path);
    const Result<std::unique_ptr<Judgement>> judged =
        actual ? judgeTwice(*argument, *actual, unwrittenOf(output, *actual, output.path), sources,
                            stop)
               : actual.error();
    profiler::OutputComparison comparison;
    if (judged)
      comparison = (*judged)->comparison;
    else
      comparison.fault = judged.error().message;
    comparison.isWithExpected = true;
    if (!folder.empty() && comparison.mismatches > 0)
      keepReference(
          folder, output.name, (*judged)->expected.values,
          profiler::elementRanges((*judged)->expected.values, (*judged)->options, &*actual));
    output.comparison = std::move(comparison);
  }
}

std::vector<compiler::RoundingFacts> assumedRoundings(const profiler::LaunchPlan &plan) {
  std::vector<compiler::RoundingFacts> all;
  for (const profiler::PlanArgument &argument : plan.args) {
    const profiler::PlanTensor *tensor = argument.tensor();
    if (!tensor || tensor->expected.empty() || !profiler::isFloat(tensor->dtype))
      continue;
    const double epsilon = profiler::dtypeEpsilon(tensor->dtype);
    if (epsilon <= profiler::dtypeEpsilon(profiler::Dtype::Fp32))
      continue;
    const compiler::Precision precision{epsilon, profiler::smallestNormal(tensor->dtype), false};
    all.push_back({argument.name, precision, precision, precision, precision, {}, true});
  }
  return all;
}

/// tf32 drops 13 of 23 bits of mantissa: about 5e-4 of a factor, more where summands cancel out.
static bool isAsFarAsTf32(const profiler::OutputComparison &comparison) {
  static constexpr double kLeastError = 1e-5, kLargestError = 1e-2;
  const double error = comparison.relErrorInNorm;
  return comparison.isWithExpected && error >= kLeastError && error <= kLargestError;
}

static constexpr const char *kTf32 =
    "products of fp32 use tf32 by default, which keeps about 3 decimal digits; write "
    "`input_precision=\"ieee\"` to keep all of them";

void noteTf32(profiler::Measurement &measurement) {
  for (const OutputResult &output : measurement.outputs)
    if (output.comparison && output.comparison->ok() && output.dtype == "fp32" &&
        isAsFarAsTf32(*output.comparison))
      measurement.notes.push_back("`" + output.name + "` matches as far as tf32 goes: " + kTf32);
}

void noteNonFinite(profiler::Measurement &measurement, const std::stop_token &stop) {
  for (OutputResult &output : measurement.outputs) {
    const std::optional<profiler::Dtype> dtype = profiler::parseDtype(output.dtype);
    if (!output.changed || output.path.empty() || !dtype || !profiler::isFloat(*dtype) ||
        stop.stop_requested())
      continue;
    if (const Result<profiler::Tensor> tensor = profiler::readNpy(output.path))
      profiler::noteNonFinite(*tensor, output);
  }
}

void keepReferences(const profiler::Measurement &measurement, const std::string &referenceFolder,
                    const std::string &folder) {
  for (const OutputResult &output : measurement.outputs) {
    if (!output.comparison || output.comparison->isWithExpected ||
        output.comparison->mismatches == 0)
      continue;
    const std::string path = referenceFolder + "/" + output.name + ".npy";
    const Result<profiler::Tensor> reference = profiler::readNpy(path);
    if (reference)
      keepReference(folder, output.name, *reference, {}, unwrittenOf(output, *reference, path));
  }
}

static std::string listText(const std::vector<int64_t> &numbers) {
  std::string text;
  for (const int64_t number : numbers)
    text += (text.empty() ? "" : ", ") + std::to_string(number);
  return "[" + text + "]";
}

static std::string numberText(double value) {
  // The sign of a NaN says nothing.
  if (std::isnan(value))
    return "nan";
  char text[32];
  std::snprintf(text, sizeof(text), "%.7g", value);
  return text;
}

Diagnostic mismatchDiagnostic(const OutputResult &output, const std::array<int64_t, 3> &grid,
                              const std::vector<compiler::ElementWriter> &writers) {
  const profiler::OutputComparison &comparison = *output.comparison;
  const auto writerOf = [&](const std::vector<int64_t> &at) -> const compiler::ElementWriter * {
    const compiler::ArgumentElement element{output.name, profiler::elementIndex(at, output.shape)};
    const auto found = std::ranges::find(writers, element, &compiler::ElementWriter::element);
    return found == writers.end() ? nullptr : &*found;
  };
  const auto describe = [&](const std::vector<int64_t> &at, double actual, double expected) {
    const compiler::ElementWriter *writer = writerOf(at);
    return "`" + output.name + listText(at) + "` is " + numberText(actual) +
           (std::isnan(actual) && std::isnan(expected)
                ? ", and what is expected there is nan, with which nothing agrees"
                : " instead of " + numberText(expected)) +
           (writer ? ", written by " + compiler::programText(writer->programId, grid)
                   : ": no program writes it");
  };
  const bool isOnly = comparison.mismatches == 1;
  Diagnostic diagnostic;
  diagnostic.kind = compiler::DiagnosticKind::RunMismatch;
  diagnostic.severity = compiler::Severity::Warning;
  diagnostic.cause.subject = output.name;
  diagnostic.message =
      describe(comparison.firstMismatch, comparison.firstActual, comparison.firstExpected) +
      (isOnly ? "; it is the only one that differs"
              : "; it is the first of " + std::to_string(comparison.mismatches) + " that differ") +
      (comparison.isWithExpected ? " from what the launch block expects" : " from the interpreter");
  if (const compiler::ElementWriter *first = writerOf(comparison.firstMismatch))
    diagnostic.range = first->range;
  const std::string worst =
      "the worst: " + describe(comparison.worst, comparison.worstActual, comparison.worstExpected);
  const compiler::ElementWriter *writer = writerOf(comparison.worst);
  if (!isOnly && writer && writer->range != diagnostic.range)
    diagnostic.labels.push_back({writer->range, worst});
  else if (!isOnly)
    diagnostic.notes.push_back(worst);
  // No tolerance lets pass what is no number, or was never written.
  const bool isOff = !std::isnan(comparison.worstActual) &&
                     output.neverWritten.value_or(0) < comparison.mismatches;
  diagnostic.notes.push_back(
      profiler::toleranceText(comparison) +
      (isOff ? "; to let others pass, give `" + output.name +
                   "` in the launch block an `atol`, the most by which an element may be "
                   "off, or an `rtol`, the same as a share of what is expected"
             : std::string()));
  return diagnostic;
}

void explainPoison(const profiler::PlanArgument &argument, const OutputResult &output,
                   bool isBuiltOn, const std::optional<AtomicUpdate> &update,
                   const std::optional<compiler::DiagnosticFix> &fix, Diagnostic &diagnostic) {
  const profiler::OutputComparison &comparison = *output.comparison;
  const profiler::PlanTensor *tensor = argument.tensor();
  if (!isBuiltOn || !tensor || tensor->init.kind != profiler::TensorInit::Kind::Poison ||
      !std::isnan(comparison.firstActual) || std::isnan(comparison.firstExpected) ||
      output.firstNeverWritten == comparison.firstMismatch)
    return;
  diagnostic.notes.push_back(
      "nothing fills `" + output.name +
      "` before the launch, so that it begins with nan: " + neededInit(update));
  if (fix)
    diagnostic.fixes.push_back(*fix);
}

/// Keeps all digits of the products in a place that are written there with none of their options.
static void addExactProducts(const KernelText &kernel, const SourceRange &place,
                             std::vector<compiler::DiagnosticFix> &fixes) {
  kernel.walk([&](const compiler::ast::Node &node) {
    const compiler::ast::Call *dot = KernelText::callOf(&node, "dot");
    if (!dot || place.file != 0 || dot->range.begin < place.begin || place.end < dot->range.end ||
        dot->args.size() < 2 ||
        std::ranges::any_of(
            dot->keywords,
            [](const compiler::ast::Keyword *keyword) {
              return keyword->arg == "input_precision" || keyword->arg == "allow_tf32";
            }))
      return;
    Position end = dot->range.end;
    --end.column;
    const compiler::DiagnosticFix fix{
        {end, end}, ", input_precision=\"ieee\"", "keep all digits: `input_precision=\"ieee\"`"};
    if (std::ranges::find(fixes, fix) == fixes.end())
      fixes.push_back(fix);
  });
}

void explainRounding(const OutputResult &output, const std::vector<SourceRange> &products,
                     const KernelText &kernel, Diagnostic &diagnostic) {
  if (products.empty() || !isAsFarAsTf32(*output.comparison))
    return;
  diagnostic.labels.push_back({products.front(), kTf32});
  for (const SourceRange &product : products)
    addExactProducts(kernel, product, diagnostic.fixes);
}

void explainDivision(const OutputResult &output, std::string_view expected,
                     const KernelText &kernel, Diagnostic &diagnostic) {
  const profiler::OutputComparison &comparison = *output.comparison;
  const auto numbers = {comparison.firstActual, comparison.firstExpected, comparison.worstActual,
                        comparison.worstExpected};
  // Integers may be stored as floats; without a negative one, both round alike.
  if (!comparison.isWithExpected || std::min(numbers) >= 0 ||
      std::ranges::any_of(numbers, [](double each) { return each != std::nearbyint(each); }))
    return;
  using enum compiler::ast::BinaryOpKind;
  const auto divides = [&](compiler::ast::BinaryOpKind kind, std::string_view sign) {
    bool isInKernel = false;
    kernel.walk([&](const compiler::ast::Node &node) {
      const auto *operation = compiler::ast::as<compiler::ast::BinOp>(&node);
      isInKernel |= operation && operation->op == kind;
    });
    return isInKernel && expected.find(sign) != std::string_view::npos;
  };
  if (divides(FloorDiv, "//") || divides(Mod, "%"))
    diagnostic.notes.push_back(
        "`//` and `%` of negative numbers differ: a kernel rounds the quotient toward zero, as C "
        "does, and `expected` rounds it down, as Python does; `-7 // 2` is -3 in the kernel and -4 "
        "in `expected`, and `-7 % 2` is -1 and 1");
}

void explainFillers(const OutputResult &output, const std::vector<compiler::DiagnosticFix> &fillers,
                    Diagnostic &diagnostic) {
  if (!output.comparison->isWithExpected)
    return;
  for (const compiler::DiagnosticFix &filler : fillers) {
    const bool isCall = filler.replacement.find(".where(") != std::string::npos;
    diagnostic.labels.push_back({filler.range, filler.title});
    diagnostic.fixes.push_back({filler.range, filler.replacement,
                                (isCall ? "write `" : "write `other=") + filler.replacement + "`"});
  }
}

} // namespace tilescope::app
