// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/KernelOptions.h"

#include "compiler/dialects/tt/ir/TritonVersion.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <ranges>
#include <sstream>

namespace tilescope::compiler {

static std::optional<int> parseInt(const std::string &text) {
  int value = 0;
  const char *end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end)
    return std::nullopt;
  return value;
}

static Error badValue(const std::string &name, const std::string &text, const std::string &rule) {
  return Error{ErrorCode::InvalidInput,
               "option `" + name + "` is `" + text + "`; it must be " + rule, ""};
}

static bool isPowerOfTwo(int value) { return value > 0 && (value & (value - 1)) == 0; }

/// A size in bytes that Triton's metadata states for code that is compiled already.
static Status readBytes(const std::string &name, const std::string &text, int64_t &field) {
  const std::optional<int> value = parseInt(text);
  if (!value || *value < 0)
    return badValue(name, text, "a number of bytes");
  field = *value;
  return {};
}

namespace {

/// What the hardware takes of something.
struct CountRule {
  int largest;
  bool powerOfTwo = false;
  int smallest = 1;
};

constexpr CountRule kWarps{32, true};
/// The largest cluster that any GPU takes.
constexpr CountRule kCtas{16, true};
/// Beyond what the shared memory holds of the smallest blocks; a ring is written out slot by slot.
/// 0 asks for no pipeline, as 1 does.
constexpr CountRule kStages{256, false, 0};
constexpr CountRule kRegisters{65536};

} // namespace

static std::string ruleText(const CountRule &rule) {
  const std::string kind = rule.powerOfTwo      ? "a power of two"
                           : rule.smallest == 0 ? "a whole number"
                                                : "a positive integer";
  return kind + ", at most " + std::to_string(rule.largest);
}

static Status readCount(const std::string &name, const std::string &text, const CountRule &rule,
                        int &field) {
  const std::optional<int> value = parseInt(text);
  if (!value || *value < rule.smallest || *value > rule.largest ||
      (rule.powerOfTwo && !isPowerOfTwo(*value)))
    return badValue(name, text, ruleText(rule));
  field = *value;
  return {};
}

static Status readFlag(const std::string &name, const std::string &text, bool &field) {
  if (text != "True" && text != "False" && text != "true" && text != "false" && text != "1" &&
      text != "0")
    return badValue(name, text, "`True` or `False`");
  field = text == "True" || text == "true" || text == "1";
  return {};
}

/// A launch block may come from anywhere: it chooses how `ptxas` compiles, but names no file to
/// read or write.
static bool namesFile(std::string_view word) {
  const std::string_view name = word.substr(0, word.find('='));
  if (name == "-opt-fp-atomics" || name == "-override-directive-values")
    return false;
  for (const std::string_view start : {"-o", "--out", "--options", "-ias", "--input"})
    if (name.starts_with(start))
      return true;
  return word.find('/') != word.npos;
}

/// A Python string, or a text unchanged.
static std::string unquoted(const std::string &text) {
  if (text.size() >= 2 && (text.front() == '"' || text.front() == '\''))
    return text.substr(1, text.size() - 2);
  return text;
}

/// `"--opt-level 2 -v"`, split at spaces.
static Status readAssemblerOptions(const std::string &text, std::vector<std::string> &options) {
  std::istringstream words(unquoted(text));
  for (std::string word; words >> word;) {
    // The value of the option before it, at most: one more word would be one more file to assemble.
    const bool isValue = !options.empty() && options.back().starts_with('-') &&
                         options.back().find('=') == std::string::npos;
    if (namesFile(word) || (!word.starts_with('-') && !isValue))
      return badValue("ptx_options", text, "options of `ptxas` that name no file");
    options.push_back(word);
  }
  return {};
}

static Status readTritonVersion(const std::string &name, const std::string &text,
                                KernelOptions &options) {
  const std::string version = unquoted(text);
  if (!tt::parseTritonVersion(version))
    return badValue(name, version,
                    "`newest`, or a version from 3.6 to " +
                        std::to_string(tt::kNewestTriton.major) + "." +
                        std::to_string(tt::kNewestTriton.minor));
  options.tritonVersion = version;
  return {};
}

/// `0,3,17`: at most as many numbers as a trace has place for.
template <typename Number>
static Status readNumbers(const std::string &name, const std::string &text, Number largest,
                          std::vector<Number> &numbers) {
  constexpr size_t kMost = 512;
  const std::string list = unquoted(text);
  numbers.clear();
  if (list.empty())
    return badValue(name, text, "a list of numbers");
  for (auto part : std::views::split(list, ',')) {
    Number number = 0;
    const char *begin = part.data(), *end = begin + part.size();
    const auto [stop, error] = std::from_chars(begin, end, number);
    if (error != std::errc() || stop != end || number < 0 || number > largest ||
        std::ranges::find(numbers, number) != numbers.end() || numbers.size() == kMost)
      return badValue(name, text,
                      "different numbers from 0 to " + std::to_string(largest) +
                          ", separated by commas, at most " + std::to_string(kMost));
    numbers.push_back(number);
  }
  return {};
}

static Status readTraceKinds(const std::string &name, const std::string &text,
                             TraceOptions &trace) {
  constexpr auto kKinds = std::to_array<std::string_view>(
      {"load", "copy", "wait", "product", "barrier", "store", "exchange"});
  const std::string list = unquoted(text);
  trace.kinds.clear();
  if (list == "all" || list == "True" || list == "true")
    return {};
  for (auto part : std::views::split(list, ',')) {
    trace.kinds.emplace_back(part.begin(), part.end());
    if (std::ranges::find(kKinds, trace.kinds.back()) == kKinds.end())
      return badValue(
          name, list,
          "`True` for all, or some of `load`, `copy`, `wait`, `product`, `barrier`, `store`, "
          "`exchange`, separated by commas");
  }
  return {};
}

/// Of all options whose names begin with `trace_`, and of `trace`, which turns them on.
static Status readTrace(const std::string &name, const std::string &text, TraceOptions &trace) {
  constexpr int64_t kMostPrograms = int64_t(1) << 40;
  constexpr int32_t kMostWarps = 512;
  constexpr CountRule kRecords{1 << 16, true, 16};
  if (name == "trace")
    return readTraceKinds(name, text, trace);
  if (name == "trace_programs")
    return readNumbers<int64_t>(name, text, kMostPrograms, trace.programs);
  if (name == "trace_warps")
    return readNumbers<int32_t>(name, text, kMostWarps - 1, trace.warps);
  return readCount(name, unquoted(text), kRecords, trace.records);
}

static Status readOption(const std::string &name, const std::string &text, KernelOptions &options) {
  if (name == "num_warps")
    return readCount(name, text, kWarps, options.numWarps);
  if (name == "num_stages")
    return readCount(name, text, kStages, options.numStages);
  if (name == "num_ctas")
    return readCount(name, text, kCtas, options.numCtas);
  if (name == "maxnreg")
    return text == "None" ? Status() : readCount(name, text, kRegisters, options.maxRegisters);
  if (name == "shared")
    return readBytes(name, text, options.sharedBytes);
  if (name == "global_scratch_size")
    return readBytes(name, text, options.globalScratchBytes);
  if (name == "enable_fp_fusion")
    return readFlag(name, text, options.fpFusion);
  if (name == "enable_reflect_ftz")
    return readFlag(name, text, options.flushDenormalsInLibdevice);
  if (name == "triton_version")
    return readTritonVersion(name, text, options);
  if (name == "ptx_options" && text != "None")
    return readAssemblerOptions(text, options.assemblerOptions);
  return {};
}

Result<KernelOptions> parseKernelOptions(const std::map<std::string, std::string> &options,
                                         const TargetSpec &target) {
  KernelOptions result;
  result.target = target;
  if (options.contains("trace"))
    result.trace.emplace();
  for (const auto &[name, text] : options) {
    const bool isTrace = name == "trace" || name.starts_with("trace_");
    if (isTrace && !result.trace)
      return badValue(name, text, "with the option `trace`, which chooses what is traced");
    const Status status =
        isTrace ? readTrace(name, text, *result.trace) : readOption(name, text, result);
    if (!status)
      return status.error();
  }
  if (result.numCtas > 1 && target.capability < 90)
    return Error{ErrorCode::InvalidInput,
                 "option `num_ctas` is above 1; clusters need `cuda:90` or newer", ""};
  return result;
}

} // namespace tilescope::compiler
