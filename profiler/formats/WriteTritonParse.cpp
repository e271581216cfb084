// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/formats/TorchNames.h"
#include "profiler/formats/TritonParse.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace tilescope::profiler {

using nlohmann::json;

/// FNV-1a, which tells kernels apart as Triton's own hash does.
static uint64_t digest(std::string_view text, uint64_t hash = 0xcbf29ce484222325) {
  for (const char byte : text)
    hash = (hash ^ uint8_t(byte)) * 0x100000001b3;
  return hash;
}

static std::string hashOf(const ReportKernel &kernel) {
  uint64_t hash = digest(kernel.source, digest(kernel.kernel, digest(kernel.target)));
  for (const auto *texts : {&kernel.signature, &kernel.constexprs, &kernel.options})
    for (const auto &[name, value] : *texts)
      hash = digest(value, digest(name, hash));
  return fmt::format("{:016x}", hash);
}

/// A number where the option is one.
static json optionValue(const std::string &text) {
  const json value = json::parse(text, nullptr, false);
  return value.is_number() || value.is_boolean() || value.is_string() ? value
         : text == "True" || text == "False"                          ? json(text == "True")
                                                                      : json(text);
}

static json metadataOf(const ReportKernel &kernel) {
  json metadata = {{"hash", hashOf(kernel)}, {"name", kernel.kernel}};
  for (const auto &[name, value] : kernel.options)
    metadata[name] = optionValue(value);
  if (kernel.sharedBytes)
    metadata["shared"] = *kernel.sharedBytes;
  if (kernel.target.starts_with("cuda:")) {
    const std::string arch = kernel.target.substr(5);
    metadata["backend_name"] = "cuda";
    metadata["arch"] = "sm" + arch;
    metadata["target"] = {{"backend", "cuda"}, {"arch", optionValue(arch)}, {"warp_size", 32}};
  }
  return metadata;
}

/// `2026-01-31T12:00:00+00:00` of `2026-01-31 12:00 UTC`.
static std::string timestamp(const std::string &created) {
  constexpr size_t kDate = 10, kMinutes = 16;
  if (created.size() < kMinutes || created[kDate] != ' ')
    return created;
  return created.substr(0, kDate) + "T" + created.substr(kDate + 1, kMinutes - kDate - 1) +
         ":00+00:00";
}

static json eventOf(const char *type, const ReportData &data) {
  return {{"event_type", type},
          {"pid", 0},
          {"timestamp", timestamp(data.created)},
          {"stack", json::array()}};
}

static json compilation(const ReportData &data, const ReportKernel &kernel) {
  json files = json::object();
  for (const ReportStage &stage : kernel.stages)
    if (stage.id != "ast" && stage.id != "cubin" && !stage.text.empty())
      files[kernel.kernel + "." + stage.id] = stage.text;
  json event = eventOf("compilation", data);
  json &payload = event["payload"] = {{"metadata", metadataOf(kernel)},
                                      {"file_content", std::move(files)},
                                      {"file_path", json::object()}};
  if (kernel.isPython)
    payload["python_source"] = {
        {"file_path", kernel.path},
        {"start_line", 1},
        {"end_line", std::max<ptrdiff_t>(std::ranges::count(kernel.source, '\n'), 1)},
        {"code", kernel.source}};
  return event;
}

static json tensorArgument(const PlanTensor &tensor) {
  std::vector<int64_t> strides(tensor.shape.size());
  int64_t elements = 1;
  for (size_t i = tensor.shape.size(); i-- > 0; elements *= tensor.shape[i])
    strides[i] = elements;
  const auto size = static_cast<int64_t>(dtypeSize(tensor.dtype));
  return {{"type", "tensor"},
          {"shape", tensor.shape},
          {"dtype", torchName(tensor.dtype)},
          {"device", "cuda:0"},
          {"stride", strides},
          {"numel", elements},
          {"is_contiguous", true},
          {"element_size", size},
          {"storage_offset", 0},
          {"memory_usage", elements * size}};
}

static json scalarArgument(const PlanScalar &scalar) {
  const char *kTypes[] = {"bool", "int", "int", "float"};
  return std::visit(
      [&](auto value) {
        return json{{"type", kTypes[scalar.value.index()]}, {"value", value}};
      },
      scalar.value);
}

static json launch(const ReportData &data, const ReportKernel &kernel) {
  json arguments = json::object();
  for (const PlanArgument &argument : kernel.plan->args)
    arguments[argument.name] =
        argument.tensor() ? tensorArgument(*argument.tensor()) : scalarArgument(*argument.scalar());
  for (const auto &[name, value] : kernel.plan->constexprs) {
    const json known = optionValue(value);
    const char *type = known.is_boolean()          ? "bool"
                       : known.is_number_integer() ? "int"
                       : known.is_number()         ? "float"
                       : value == "None"           ? "NoneType"
                                                   : "str";
    arguments[name] = {{"type", type}, {"value", value == "None" ? json() : known}};
  }
  json event = eventOf("launch", data);
  event["name"] = kernel.kernel;
  event["stream"] = 0;
  event["grid"] = kernel.plan->grid;
  event["compilation_metadata"] = metadataOf(kernel);
  event["extracted_args"] = std::move(arguments);
  return event;
}

std::string tritonParse(const ReportData &data) {
  std::string text;
  const auto add = [&](const json &event) {
    text += event.dump(-1, ' ', false, json::error_handler_t::replace) + "\n";
  };
  for (const ReportKernel &kernel : data.kernels) {
    if (kernel.stages.empty())
      continue;
    add(compilation(data, kernel));
    if (kernel.plan)
      add(launch(data, kernel));
  }
  return text;
}

} // namespace tilescope::profiler
