// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/frontend/HostEnvironment.h"

#include "compiler/frontend/Objects.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <numbers>
#include <utility>

namespace tilescope::compiler::frontend {

/// The newest Triton whose language is spoken here.
static constexpr const char *kTritonVersion = "3.8.0";

static Value text(std::string value) { return constant::Value::string(std::move(value)); }

static std::string_view lastPart(std::string_view path) { return path.substr(path.rfind('.') + 1); }

/// Everything before the last dot.
static std::string_view ownerOf(std::string_view path) {
  size_t dot = path.rfind('.');
  return path.substr(0, dot == std::string_view::npos ? 0 : dot);
}

bool isHostPath(std::string_view path) {
  std::string_view root = path.substr(0, path.find_first_of(".("));
  static constexpr std::string_view kRoots[] = {"importlib", "os", "packaging", "sys", "torch"};
  return std::ranges::find(kRoots, root) != std::end(kRoots) || path == "triton.__version__" ||
         path.starts_with("triton.runtime");
}

namespace {
/// A number format by PyTorch's name for it.
struct TorchFormat {
  std::string_view name;
  const llvm::fltSemantics &(*semantics)();
};
} // namespace

/// `torch.finfo(torch.float16).max`
static std::optional<Value> floatLimit(std::string_view dtype, std::string_view what) {
  using llvm::APFloatBase;
  static constexpr TorchFormat kFormats[] = {
      {"float16", APFloatBase::IEEEhalf},
      {"half", APFloatBase::IEEEhalf},
      {"bfloat16", APFloatBase::BFloat},
      {"float32", APFloatBase::IEEEsingle},
      {"float", APFloatBase::IEEEsingle},
      {"float64", APFloatBase::IEEEdouble},
      {"double", APFloatBase::IEEEdouble},
      {"float8_e4m3fn", APFloatBase::Float8E4M3FN},
      {"float8_e4m3fnuz", APFloatBase::Float8E4M3FNUZ},
      {"float8_e5m2", APFloatBase::Float8E5M2},
      {"float8_e5m2fnuz", APFloatBase::Float8E5M2FNUZ},
  };
  const auto *format = std::ranges::find(kFormats, dtype, &TorchFormat::name);
  if (format == std::end(kFormats))
    return std::nullopt;
  const llvm::fltSemantics &semantics = format->semantics();
  auto real = [](const llvm::APFloat &value) -> Value {
    return constant::Value::real(value.convertToDouble());
  };
  if (what == "max" || what == "min")
    return real(llvm::APFloat::getLargest(semantics, what == "min"));
  if (what == "tiny" || what == "smallest_normal")
    return real(llvm::APFloat::getSmallestNormalized(semantics));
  if (what == "eps")
    return Value(constant::Value::real(
        std::ldexp(1.0, 1 - static_cast<int>(llvm::APFloat::semanticsPrecision(semantics)))));
  if (what == "bits")
    return Value::integer(llvm::APFloat::semanticsSizeInBits(semantics));
  return std::nullopt;
}

/// `torch.iinfo(torch.int8).max`
static std::optional<Value> intLimit(std::string_view dtype, std::string_view what) {
  bool isUnsigned = dtype.starts_with("uint");
  std::string_view digits = dtype.substr(isUnsigned ? 4 : std::min<size_t>(3, dtype.size()));
  if (dtype == "long")
    digits = "64";
  else if (dtype == "int")
    digits = "32";
  int bits = 0;
  if (!(isUnsigned || dtype.starts_with("int") || dtype == "long") ||
      !llvm::to_integer(llvm::StringRef(digits), bits, 10) || bits > 64)
    return std::nullopt;
  if (what == "bits")
    return Value::integer(bits);
  if (what != "max" && what != "min")
    return std::nullopt;
  if (isUnsigned && bits == 64)
    return std::nullopt;
  int64_t largest = std::numeric_limits<int64_t>::max() >> (64 - bits - (isUnsigned ? 1 : 0));
  if (what == "max")
    return Value::integer(largest);
  return Value::integer(isUnsigned ? 0 : -largest - 1);
}

static std::optional<Value> typeLimit(std::string_view path) {
  static constexpr std::string_view kFloat = "torch.finfo(torch.", kInt = "torch.iinfo(torch.";
  size_t end = path.find(")");
  bool isFloat = path.starts_with(kFloat);
  if (end == std::string_view::npos || (!isFloat && !path.starts_with(kInt)))
    return std::nullopt;
  size_t begin = isFloat ? kFloat.size() : kInt.size();
  std::string_view dtype = path.substr(begin, end - begin);
  return isFloat ? floatLimit(dtype, lastPart(path)) : intLimit(dtype, lastPart(path));
}

Value hostMember(std::string_view path, const TargetRules &rules) {
  if (path == "triton.__version__")
    return text(kTritonVersion);
  if (path == "torch.__version__")
    return text("2.11.0");
  if (path == "torch.version.cuda")
    return text("13.0");
  static constexpr std::pair<std::string_view, double> kNumbers[] = {
      {"torch.inf", std::numeric_limits<double>::infinity()},
      {"torch.nan", std::numeric_limits<double>::quiet_NaN()},
      {"torch.pi", std::numbers::pi},
      {"torch.e", std::numbers::e}};
  for (auto [name, number] : kNumbers)
    if (path == name)
      return constant::Value::real(number);
  if (path == "torch.version.hip" || path == "torch.version.xpu")
    return {};
  if (path.ends_with(".get_current_target().backend"))
    return text("cuda");
  if (path.ends_with(".get_current_target().arch"))
    return Value::integer(rules.capability);
  if (path.ends_with(".get_current_target().warp_size"))
    return Value::integer(32);
  if (path == "torch.cuda.get_device_properties().major")
    return Value::integer(rules.capability / 10);
  if (path == "torch.cuda.get_device_properties().minor")
    return Value::integer(rules.capability % 10);
  return typeLimit(path).value_or(moduleValue(std::string(path)));
}

/// The numbers that a version begins with, without zeros at its end, which mean nothing.
static Value parseVersion(std::string_view version) {
  std::vector<Value> numbers;
  size_t numMeant = 0;
  for (size_t i = 0; i < version.size() && std::isdigit(static_cast<unsigned char>(version[i]));) {
    int64_t number = 0;
    for (; i < version.size() && std::isdigit(static_cast<unsigned char>(version[i])); ++i)
      number = std::min<int64_t>(number * 10 + (version[i] - '0'), 1'000'000'000);
    numbers.push_back(Value::integer(number));
    if (number != 0)
      numMeant = numbers.size();
    if (i < version.size() && version[i] == '.')
      ++i;
  }
  numbers.resize(numMeant);
  return Value::tuple(std::move(numbers));
}

/// The result of functions of any library that ask for the device.
static std::optional<Value> deviceAnswer(std::string_view path) {
  std::string_view name = lastPart(path);
  while (name.starts_with('_'))
    name.remove_prefix(1);
  for (std::string_view yes : {"is_cuda", "is_nvidia"})
    if (name == yes)
      return Value::boolean(true);
  for (std::string_view no : {"is_amd", "is_cpu", "is_hip", "is_hip_cdna2", "is_hip_cdna3",
                              "is_hip_cdna4", "is_intel", "is_npu", "is_rocm", "is_xpu"})
    if (name == no)
      return Value::boolean(false);
  if (name == "fp8_dtype")
    return moduleValue("torch.float8_e4m3fn");
  return std::nullopt;
}

bool asksForDevice(std::string_view path) { return deviceAnswer(path).has_value(); }

/// Text of the argument, or nothing.
static std::optional<std::string> textOf(const std::vector<Value> &arguments) {
  const constant::Value *value = arguments.empty() ? nullptr : arguments.front().constant();
  return value && value->isStr() ? std::optional(value->str()) : std::nullopt;
}

/// Modules that libraries look for, since versions of Triton have their functions in different ones.
static bool isTritonModule(std::string_view path) {
  static constexpr std::string_view kModules[] = {
      "triton",
      "triton.language",
      "triton.language.core",
      "triton.language.extra",
      "triton.language.extra.cuda",
      "triton.language.extra.cuda.libdevice",
      "triton.language.extra.libdevice",
      "triton.language.math",
      "triton.language.random",
      "triton.language.standard",
  };
  return std::ranges::find(kModules, path) != std::end(kModules);
}

/// What finds a module by its name, and loads it: Triton's need no loading.
static std::optional<Value> callImportlib(std::string_view path,
                                          const std::vector<Value> &arguments) {
  constexpr std::string_view kSpec = "importlib.util.find_spec";
  if (path == kSpec || path == "importlib.import_module") {
    const std::optional<std::string> name = textOf(arguments);
    if (!name)
      return std::nullopt;
    if (!isTritonModule(*name))
      return path == kSpec ? std::optional(Value()) : std::nullopt;
    return moduleValue(path == kSpec ? std::string(kSpec) + "(" + *name + ")" : *name);
  }
  if (path == "importlib.util.module_from_spec" && arguments.size() == 1)
    if (const constant::Value *value = arguments.front().constant())
      if (const auto *spec = value->as<ModuleObject>();
          spec && spec->path.starts_with(kSpec) && spec->path.ends_with(")"))
        return moduleValue(
            spec->path.substr(kSpec.size() + 1, spec->path.size() - kSpec.size() - 2));
  return path.ends_with(").loader.exec_module") ? std::optional(Value()) : std::nullopt;
}

std::optional<Value> callHost(std::string_view path, const std::vector<Value> &arguments,
                              const TargetRules &rules) {
  if (path.starts_with("importlib."))
    return callImportlib(path, arguments);
  if (path == "os.environ.get" || path == "os.getenv")
    return arguments.size() > 1 ? arguments[1] : Value();
  if (path == "packaging.version.parse" || path == "packaging.version.Version")
    if (std::optional<std::string> version = textOf(arguments))
      return parseVersion(*version);
  if (path == "torch.cuda.is_available")
    return Value::boolean(true);
  if (path.starts_with("torch.") && lastPart(path) == "is_available")
    return Value::boolean(false);
  if (path == "torch.cuda.device_count")
    return Value::integer(1);
  if (path == "torch.cuda.current_device" || path.ends_with(".get_current_device"))
    return Value::integer(0);
  if (path == "torch.cuda.get_device_capability")
    return Value::tuple(
        {Value::integer(rules.capability / 10), Value::integer(rules.capability % 10)});
  if (path == "torch.cuda.get_device_properties" ||
      (path.starts_with("triton.runtime") && lastPart(path) == "get_current_target"))
    return moduleValue(std::string(path) + "()");
  if ((path == "torch.finfo" || path == "torch.iinfo") && arguments.size() == 1)
    if (const constant::Value *value = arguments.front().constant())
      if (const auto *type = value->as<ModuleObject>();
          type && ownerOf(type->path) == "torch" && type->path.find('(') == std::string::npos)
        return moduleValue(std::string(path) + "(" + type->path + ")");
  return deviceAnswer(path);
}

} // namespace tilescope::compiler::frontend
