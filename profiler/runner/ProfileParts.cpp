// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/runner/ProfileParts.h"

#include "profiler/data/ProfileJson.h"

namespace tilescope::profiler {

using nlohmann::json;

namespace {
struct Part {
  /// Of the job that makes it.
  const char *method;
  ProfileRung rung;
};
} // namespace

static Result<std::vector<Part>> partsOf(const json &request) {
  std::vector<Part> parts;
  const json params = request.value("params", json::object());
  if (!params.is_object() || request.value("method", "") != "run")
    return parts;
  if (params.contains("counters")) {
    if (params["counters"] != "quick" && params["counters"] != "full")
      return Error{ErrorCode::Usage, "`counters` is neither `quick` nor `full`", ""};
    parts.push_back({"counters", ProfileRung::Counters});
  }
  if (params.contains("pc_samples") && !params["pc_samples"].is_boolean())
    return Error{ErrorCode::Usage, "`pc_samples` is neither true nor false", ""};
  if (params.value("pc_samples", false))
    parts.push_back({"samples", ProfileRung::Samples});
  if (params.contains("executions") && !params["executions"].is_boolean())
    return Error{ErrorCode::Usage, "`executions` is neither true nor false", ""};
  if (params.value("executions", false))
    parts.push_back({"executions", ProfileRung::Executions});
  if (params.contains("traced_packages") || params.contains("traced_packages_base64"))
    parts.push_back({"trace", ProfileRung::Trace});
  return parts;
}

/// Adds what a part's child answered.
static void addPart(json &result, const json &answer) {
  for (const char *list : {"refusals", "notes"})
    if (answer.contains(list))
      for (const json &each : answer.at(list))
        result[list].push_back(each);
  for (const char *part : {"counters", "pc_samples", "executions", "device_wide", "trace"})
    if (answer.contains(part))
      result[part] = answer.at(part);
}

/// Refused by the driver; what ended its process may do so again.
static bool isRefused(const json &result, std::string_view rung) {
  for (const json &refusal : result.value("refusals", json::array()))
    if (refusal.value("rung", "") == rung && refusal.value("kind", "") != "interrupted")
      return true;
  return false;
}

Result<json> runWithParts(const ChildCommand &command, const json &request,
                          const ChildLimits &limits, const ChildHooks &hooks) {
  const Result<std::vector<Part>> parts = partsOf(request);
  if (!parts)
    return parts.error();
  Result<json> result = runInChild(command, request, limits, hooks);
  if (!result)
    return result;
  std::vector<Part> left(parts->rbegin(), parts->rend());
  while (!left.empty()) {
    const Part part = left.back();
    left.pop_back();
    if (hooks.onPartial)
      hooks.onPartial(*result);
    json partRequest = request;
    partRequest["method"] = part.method;
    ChildHooks partHooks = hooks;
    partHooks.onProgress = [&](const json &progress) {
      json told = progress;
      told["part"] = part.method;
      if (hooks.onProgress)
        hooks.onProgress(told);
    };
    const Result<json> answer = runInChild(command, partRequest, limits, partHooks);
    if (!answer && answer.error().code == ErrorCode::Cancelled)
      return answer.error();
    addPart(*result, answer
                         ? *answer
                         : json{{"refusals",
                                 refusalsToJson({{part.rung, RefusalKind::Interrupted,
                                                  answer.error().message, answer.error().hint}})}});
    // What the device counts of itself needs none of what keeps others from counting.
    if (part.rung == ProfileRung::Counters && isRefused(*result, "counters"))
      left.push_back({"device_wide", ProfileRung::DeviceWide});
  }
  return result;
}

} // namespace tilescope::profiler
