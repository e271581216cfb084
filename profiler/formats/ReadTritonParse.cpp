// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/support/Counted.h"
#include "profiler/data/BoundedJson.h"
#include "profiler/formats/TorchNames.h"
#include "profiler/formats/TritonParse.h"
#include "profiler/package/PlanBounds.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <stdexcept>

namespace tilescope::profiler {

using nlohmann::json;

// What a program compiles in a day; a log with more is refused, not cut.
static constexpr size_t kMostKernels = 10000;

namespace {

/// What a log says of the launches of one kernel.
struct Launches {
  size_t count = 0;
  LaunchPlan first;
  std::vector<std::string> leftOut;
};

struct Log {
  std::vector<ReportKernel> kernels;
  /// By the hash of the compilation, else the kernel's name.
  std::map<std::string, size_t> places;
  std::map<std::string, Launches> launches;
};

} // namespace

static std::string_view firstLine(std::string_view text) {
  const size_t begin = std::min(text.find_first_not_of(" \t\r\n"), text.size());
  return text.substr(begin, text.find('\n', begin) - begin);
}

bool isTritonParse(std::string_view text) {
  const Result<json> event = parseJson(firstLine(text));
  return event && event->is_object() && event->contains("event_type") &&
         event->at("event_type").is_string();
}

static const json &memberOf(const json &object, const char *key) {
  static const json kNone = json::object();
  const auto found = object.find(key);
  return found == object.end() || !found->is_object() ? kNone : *found;
}

static std::string textOf(const json &object, const char *key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

/// `cuda:90`, of `{"backend": "cuda", "arch": 90}` or of `"arch": "sm90"`.
static std::string targetOf(const json &metadata) {
  const json &target = memberOf(metadata, "target");
  if (const auto arch = target.find("arch"); arch != target.end() && arch->is_number_integer())
    return "cuda:" + std::to_string(jsonAs<int32_t>(*arch));
  const std::string arch = textOf(metadata, "arch");
  const size_t digit = arch.find_first_of("0123456789");
  return arch.starts_with("sm") && digit != std::string::npos ? "cuda:" + arch.substr(digit) : "";
}

static void readOptions(const json &metadata, ReportKernel &kernel) {
  for (const char *name : {"num_warps", "num_stages", "num_ctas", "maxnreg"})
    if (const auto found = metadata.find(name);
        found != metadata.end() && found->is_number_integer())
      kernel.options.emplace_back(name, std::to_string(jsonAs<int32_t>(*found)));
  // Warp specialization adds warps to those that the kernel was written for.
  if (const auto base = metadata.find("num_warps_base");
      base != metadata.end() && base->is_number_integer())
    for (auto &[name, value] : kernel.options)
      if (name == "num_warps")
        value = std::to_string(jsonAs<int32_t>(*base));
}

static void readStages(const json &files, ReportKernel &kernel) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kStages = {
      {{".ttir", "TTIR"},
       {".ttgir", "TTGIR"},
       {".llir", "LLVM IR"},
       {".ptx", "PTX"},
       {".sass", "SASS"}}};
  for (const auto &[ending, title] : kStages)
    for (const auto &[name, text] : files.items())
      if (name.ends_with(ending) && text.is_string()) {
        ReportStage &stage = kernel.stages.emplace_back();
        stage.id = ending.substr(1);
        stage.title = title;
        stage.text = text.get<std::string>();
      }
}

/// The function's text as a file that compiles: a log without whole files lacks the imports.
static std::string asFile(std::string code) {
  if (code.find("import triton") != std::string::npos)
    return code;
  return "import triton\nimport triton.language as tl\n\n\n" + code;
}

static ReportKernel compiledKernel(const json &payload) {
  const json &metadata = memberOf(payload, "metadata");
  ReportKernel kernel;
  kernel.kernel = textOf(metadata, "name");
  kernel.target = targetOf(metadata);
  kernel.compiled = true;
  readOptions(metadata, kernel);
  readStages(memberOf(payload, "file_content"), kernel);
  const json &source = memberOf(payload, "python_source");
  const std::string code = textOf(source, "code");
  kernel.isPython = !code.empty();
  if (kernel.isPython) {
    kernel.source = asFile(code);
    kernel.path = std::filesystem::path(textOf(source, "file_path")).filename().string();
  } else if (!kernel.stages.empty()) {
    kernel.source = kernel.stages.front().text;
    kernel.path = kernel.kernel + "." + kernel.stages.front().id;
  }
  if (const auto shared = metadata.find("shared");
      shared != metadata.end() && shared->is_number_integer())
    kernel.sharedBytes = jsonAs<int64_t>(*shared);
  return kernel;
}

static PlanTensor tensorOf(const json &argument, uint64_t seed) {
  const std::string name = textOf(argument, "dtype");
  const std::optional<Dtype> dtype = dtypeOfTorch(name);
  if (!dtype)
    throw std::invalid_argument("the element type `" + name + "` is not known");
  PlanTensor tensor;
  tensor.dtype = *dtype;
  tensor.shape = jsonAs<std::vector<int64_t>>(argument.at("shape"));
  tensor.init.kind = isFloat(*dtype) ? TensorInit::Kind::Randn : TensorInit::Kind::Zeros;
  tensor.init.seed = seed;
  return tensor;
}

/// As Triton passes a number of Python.
static std::optional<PlanScalar> scalarOf(const json &argument) {
  const std::string type = textOf(argument, "type");
  const auto value = argument.find("value");
  if (value == argument.end())
    return std::nullopt;
  if (type == "bool" && value->is_boolean())
    return PlanScalar{"u1", value->get<bool>()};
  if (type == "int" && value->is_number_integer()) {
    if (value->is_number_unsigned() && value->get<uint64_t>() > uint64_t(INT64_MAX))
      return PlanScalar{"u64", value->get<uint64_t>()};
    const auto number = jsonAs<int64_t>(*value);
    return PlanScalar{number == int32_t(number) ? "i32" : "i64", number};
  }
  if (type == "float" && value->is_number())
    return PlanScalar{"fp32", value->get<double>()};
  return std::nullopt;
}

static void readArgument(const std::string &name, const json &argument, Launches &launches) {
  LaunchPlan &plan = launches.first;
  const std::string type = textOf(argument, "type");
  if (type == "tensor") {
    plan.args.push_back({name, tensorOf(argument, plan.args.size())});
    if (!jsonOr(argument, "is_contiguous", true))
      launches.leftOut.push_back("the strides of `" + name + "`, which is not contiguous");
  } else if (const std::optional<PlanScalar> scalar = scalarOf(argument)) {
    plan.args.push_back({name, *scalar});
  } else if (type == "NoneType") {
    plan.constexprs[name] = "None";
  } else if (type == "str") {
    plan.constexprs[name] =
        json(textOf(argument, "value")).dump(-1, ' ', true, json::error_handler_t::replace);
  } else {
    launches.leftOut.push_back("the argument `" + name + "` of type " + type);
  }
}

static void readPlan(const json &event, Launches &launches) {
  LaunchPlan &plan = launches.first;
  plan.kernel = textOf(event, "name");
  const auto grid = jsonAs<std::vector<int64_t>>(event.at("grid"));
  if (grid.size() > plan.grid.size())
    throw std::invalid_argument("the grid has " + std::to_string(grid.size()) + " extents");
  std::ranges::copy(grid, plan.grid.begin());
  for (const auto &[name, argument] : memberOf(event, "extracted_args").items())
    readArgument(name, argument, launches);
  if (Status status = checkPlan(plan); !status)
    throw std::invalid_argument(status.error().message);
}

static void addEvent(const json &event, Log &log) {
  const std::string type = textOf(event, "event_type");
  if (type == "compilation") {
    const json &payload = memberOf(event, "payload");
    ReportKernel kernel = compiledKernel(payload);
    const std::string hash = textOf(memberOf(payload, "metadata"), "hash");
    if (kernel.kernel.empty())
      throw std::invalid_argument("the compilation names no kernel");
    if (log.kernels.size() == kMostKernels)
      throw std::out_of_range("more than " + std::to_string(kMostKernels) + " kernels");
    if (log.places.emplace(hash.empty() ? kernel.kernel : hash, log.kernels.size()).second)
      log.kernels.push_back(std::move(kernel));
  } else if (type == "launch") {
    const std::string hash = textOf(memberOf(event, "compilation_metadata"), "hash");
    Launches &launches = log.launches[hash.empty() ? textOf(event, "name") : hash];
    if (launches.count++ == 0)
      readPlan(event, launches);
  }
}

static void addLaunches(const Launches &launches, ReportKernel &kernel) {
  kernel.plan = launches.first;
  for (const std::string &what : launches.leftOut)
    kernel.assumptions.push_back("left out: " + what);
  if (launches.count > 1)
    kernel.assumptions.push_back("the first of " + std::to_string(launches.count) + " launches");
}

static std::vector<ReportKernel> joined(Log log) {
  for (const auto &[hash, place] : log.places) {
    ReportKernel &kernel = log.kernels[place];
    for (const std::string &key : {hash, kernel.kernel})
      if (const auto found = log.launches.find(key); found != log.launches.end() && !kernel.plan)
        addLaunches(found->second, kernel);
  }
  return std::move(log.kernels);
}

Result<std::vector<ReportKernel>> readTritonParse(std::string_view text) {
  Log log;
  for (size_t line = 1, at = 0; at < text.size(); ++line) {
    const size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view shown = text.substr(at, end - at);
    at = end + 1;
    if (shown.find_first_not_of(" \t\r") == std::string_view::npos)
      continue;
    const auto refuse = [&](const std::string &why) {
      return Error{ErrorCode::InvalidInput, "line " + std::to_string(line) + ": " + why, ""};
    };
    const Result<json> event = parseJson(shown);
    if (!event)
      return refuse(event.error().message);
    try {
      addEvent(*event, log);
    } catch (const std::exception &failure) {
      return refuse(failure.what());
    }
  }
  if (log.kernels.empty())
    return Error{ErrorCode::InvalidInput, "the log of tritonparse has no compilation", ""};
  return joined(std::move(log));
}

} // namespace tilescope::profiler
