// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/serve/InferenceStatistics.h"

namespace tilescope::profiler {

using nlohmann::json;

static json timeJson(const CountedTime &counted) {
  return {{"count", counted.count}, {"ns", counted.time.count()}};
}

json statisticsJson(const ServedModel &model, const InferenceStatistics &statistics) {
  const json all = {{"success", timeJson(statistics.success)},
                    {"fail", timeJson(statistics.failure)},
                    {"queue", timeJson(statistics.queue)},
                    // The tensors' way to the device and back is a part of the inference.
                    {"compute_input", timeJson({})},
                    {"compute_infer", timeJson(statistics.compute)},
                    {"compute_output", timeJson({})}};
  const json one = {{"name", model.name},
                    {"version", kServedVersion},
                    {"last_inference", statistics.lastMs},
                    {"inference_count", statistics.success.count},
                    {"execution_count", statistics.success.count},
                    {"inference_stats", all},
                    {"batch_stats", json::array()}};
  return {{"model_stats", json::array({one})}};
}

static json portsJson(const std::vector<ServedTensor> &tensors) {
  json list = json::array();
  for (const ServedTensor &tensor : tensors)
    list.push_back({{"name", tensor.name},
                    {"data_type", "TYPE_" + std::string(datatypeName(tensor.dtype))},
                    {"dims", tensor.shape}});
  return list;
}

json configurationJson(const ServedModel &model) {
  return {{"name", model.name},
          {"platform", "tilescope"},
          {"backend", "tilescope"},
          // The first axis is one of the shape, and no batch that the server makes.
          {"max_batch_size", 0},
          {"input", portsJson(commonInputs(model))},
          {"output", portsJson(commonOutputs(model))}};
}

} // namespace tilescope::profiler
