// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/package/LaunchPlan.h"

#include "compiler/types/SignatureType.h"
#include "profiler/data/BoundedJson.h"
#include "profiler/package/PlanBounds.h"
#include "profiler/package/PlanJson.h"

#include <algorithm>

namespace tilescope::profiler {

using nlohmann::json;

const PlanArgument *LaunchPlan::argument(std::string_view argName) const {
  auto found = std::find_if(args.begin(), args.end(),
                            [&](const PlanArgument &arg) { return arg.name == argName; });
  return found == args.end() ? nullptr : &*found;
}

static json scalarToJson(const PlanScalar &scalar) {
  json value;
  if (const double *real = std::get_if<double>(&scalar.value))
    value = realToJson(*real);
  else
    std::visit([&](auto each) { value = each; }, scalar.value);
  return {{"type", scalar.type}, {"value", value}};
}

static PlanScalar scalarFromJson(const json &object) {
  PlanScalar scalar{object.at("type").get<std::string>(), int64_t(0)};
  const json &value = object.at("value");
  if (value.is_boolean())
    scalar.value = value.get<bool>();
  else if (value.is_number_unsigned() && value.get<uint64_t>() > uint64_t(INT64_MAX))
    scalar.value = value.get<uint64_t>();
  else if (value.is_number_integer())
    scalar.value = value.get<int64_t>();
  else
    scalar.value = jsonAs<double>(value);
  return scalar;
}

static json tensorToJson(const PlanTensor &tensor) {
  json object = {{"dtype", dtypeName(tensor.dtype)},
                 {"shape", tensor.shape},
                 {"init", initName(tensor.init.kind)},
                 {"seed", tensor.init.seed},
                 {"value", realToJson(tensor.init.value)},
                 {"low", realToJson(tensor.init.low)},
                 {"high", realToJson(tensor.init.high)},
                 {"scale", realToJson(tensor.init.scale)},
                 {"guessed", tensor.isGuess}};
  if (!tensor.expected.empty())
    object["expected"] = tensor.expected;
  if (tensor.relativeTolerance)
    object["rtol"] = *tensor.relativeTolerance;
  if (tensor.absoluteTolerance)
    object["atol"] = *tensor.absoluteTolerance;
  return object;
}

static PlanTensor tensorFromJson(const json &object) {
  PlanTensor tensor;
  auto dtype = parseDtype(object.at("dtype").get<std::string>());
  if (!dtype || !parseInit(object.at("init").get<std::string>(), tensor.init.kind))
    throw std::runtime_error("unknown element type or kind of initial data");
  tensor.dtype = *dtype;
  tensor.shape = jsonAs<std::vector<int64_t>>(object.at("shape"));
  tensor.init.seed = jsonOr(object, "seed", uint64_t(0));
  tensor.isGuess = jsonOr(object, "guessed", false);
  tensor.expected = jsonOr(object, "expected", std::string());
  auto real = [&](const char *key, double &target) {
    if (object.contains(key))
      target = jsonAs<double>(object.at(key));
  };
  real("value", tensor.init.value);
  real("low", tensor.init.low);
  real("high", tensor.init.high);
  real("scale", tensor.init.scale);
  if (object.contains("rtol"))
    tensor.relativeTolerance = jsonAs<double>(object.at("rtol"));
  if (object.contains("atol"))
    tensor.absoluteTolerance = jsonAs<double>(object.at("atol"));
  return tensor;
}

json planToJson(const LaunchPlan &plan) {
  json args = json::array();
  for (const PlanArgument &arg : plan.args) {
    json object = arg.tensor() ? tensorToJson(*arg.tensor()) : scalarToJson(*arg.scalar());
    object["name"] = arg.name;
    args.push_back(std::move(object));
  }
  json object = {
      {"name", plan.name},       {"kernel", plan.kernel},         {"grid", plan.grid},
      {"args", std::move(args)}, {"constexprs", plan.constexprs}, {"options", plan.options},
      {"sizes", plan.sizes},     {"sweep", plan.sweep},           {"guessed", plan.isGridGuess}};
  if (plan.bytes)
    object["bytes"] = realToJson(*plan.bytes);
  if (plan.flops)
    object["flops"] = realToJson(*plan.flops);
  return object;
}

LaunchPlan planFromJson(const json &object) {
  using Texts = std::map<std::string, std::string>;
  if (!object.is_object())
    throw std::invalid_argument("expected an object");
  LaunchPlan plan;
  plan.name = jsonOr(object, "name", std::string());
  plan.kernel = jsonAs<std::string>(object.at("kernel"));
  plan.grid = jsonAs<std::array<int64_t, 3>>(object.at("grid"));
  plan.isGridGuess = jsonOr(object, "guessed", false);
  for (const json &each : object.at("args")) {
    PlanArgument arg;
    arg.name = jsonAs<std::string>(each.at("name"));
    if (each.contains("dtype"))
      arg.value = tensorFromJson(each);
    else
      arg.value = scalarFromJson(each);
    plan.args.push_back(std::move(arg));
  }
  plan.constexprs = jsonOr(object, "constexprs", Texts());
  plan.options = jsonOr(object, "options", Texts());
  plan.sizes = jsonOr(object, "sizes", Texts());
  plan.sweep = jsonOr(object, "sweep", std::map<std::string, std::vector<std::string>>());
  if (object.contains("bytes"))
    plan.bytes = jsonAs<double>(object.at("bytes"));
  if (object.contains("flops"))
    plan.flops = jsonAs<double>(object.at("flops"));
  if (Status status = checkPlan(plan); !status)
    throw std::invalid_argument(status.error().message);
  return plan;
}

std::string launchPlanToJson(const LaunchPlan &plan) {
  // Texts come from files of any encoding: bad bytes must not throw.
  return planToJson(plan).dump(-1, ' ', false, json::error_handler_t::replace);
}

Result<LaunchPlan> launchPlanFromJson(std::string_view text) {
  return readJson(text, "a launch plan", planFromJson);
}

/// The type that a launch implies for a number: integers are specialized on their values.
static compiler::SignatureType scalarSignature(Dtype dtype, const PlanScalar &scalar) {
  using compiler::SignatureHint;
  const int64_t *number = std::get_if<int64_t>(&scalar.value);
  const uint64_t *large = std::get_if<uint64_t>(&scalar.value);
  if (isFloat(dtype) || dtype == Dtype::Int1)
    return dtype;
  if (number && *number == 1)
    return {dtype, SignatureHint::One};
  const bool isDivisible = (number && *number % 16 == 0) || (large && *large % 16 == 0);
  return {dtype, isDivisible ? SignatureHint::Divisible : SignatureHint::None};
}

std::map<std::string, std::string> launchSignature(const LaunchPlan &plan) {
  std::map<std::string, std::string> signature;
  for (const PlanArgument &arg : plan.args) {
    if (const PlanTensor *tensor = arg.tensor())
      signature[arg.name] = toSignature(compiler::SignatureType::pointerTo(tensor->dtype));
    else if (const std::optional<Dtype> dtype = parseDtype(arg.scalar()->type))
      signature[arg.name] = toSignature(scalarSignature(*dtype, *arg.scalar()));
  }
  return signature;
}

} // namespace tilescope::profiler
