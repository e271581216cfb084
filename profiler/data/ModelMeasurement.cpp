// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/data/ModelMeasurement.h"

#include "profiler/data/JsonFields.h"
#include "profiler/data/MeasurementJson.h"
#include "profiler/data/TimeFields.h"

namespace tilescope::profiler {

using nlohmann::json;

static constexpr const char *kEvents = "events";

template <typename Way, typename Step> static void stepFields(Way way, Step &step) {
  way.field("node", step.node);
  way.field("kernel", step.kernel);
  way.field("us", step.us);
  way.field("start_us", step.startUs);
  way.field("graph_us", step.graphUs);
  way.field("registers", step.registers);
  way.field("shared_bytes", step.sharedBytes);
  way.field("spill_bytes", step.spillBytes);
}

template <typename Way, typename Value> static void modelFields(Way way, Value &measurement) {
  way.field("prepare_us", measurement.prepareUs);
  way.field("first_us", measurement.firstUs);
  way.field("edges", measurement.edges);
  way.field("notes", measurement.notes);
}

json modelMeasurementToJson(const ModelMeasurement &measurement) {
  json object = json::object();
  modelFields(JsonFieldWriter{object}, measurement);
  object["device"] = measurement.device.name;
  object["device_info"] = deviceToJson(measurement.device);
  object["step_source"] = measurement.stepSource == TimeSource::Events ? kEvents : "cupti";
  if (measurement.graphUs)
    timeFields(JsonFieldWriter{object["graph_us"]}, *measurement.graphUs);
  object["steps"] = json::array();
  for (const StepMeasurement &step : measurement.steps)
    stepFields(JsonFieldWriter{object["steps"].emplace_back()}, step);
  return object;
}

ModelMeasurement modelMeasurementFromJson(const json &object) {
  ModelMeasurement measurement;
  modelFields(JsonFieldReader{object}, measurement);
  measurement.device = deviceFromJson(object.at("device_info"));
  measurement.device.name = jsonAs<std::string>(object.at("device"));
  if (jsonOr(object, "step_source", std::string()) == kEvents)
    measurement.stepSource = TimeSource::Events;
  if (object.contains("graph_us"))
    timeFields(JsonFieldReader{object.at("graph_us")}, measurement.graphUs.emplace());
  for (const json &step : object.at("steps"))
    stepFields(JsonFieldReader{step}, measurement.steps.emplace_back());
  return measurement;
}

} // namespace tilescope::profiler
