// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/data/Measurement.h"

#include <nlohmann/json_fwd.hpp>

/// The parts of a profile as the document of `MeasurementJson.h` has them. Reading throws an
/// exception of the standard library or of nlohmann-json for what is none, or is larger than any
/// profile.
namespace tilescope::profiler {

nlohmann::json counterDataToJson(const CounterData &counters);
CounterData counterDataFromJson(const nlohmann::json &object);
nlohmann::json sampleDataToJson(const SampleData &samples);
SampleData sampleDataFromJson(const nlohmann::json &object);
nlohmann::json executionDataToJson(const ExecutionData &executions);
ExecutionData executionDataFromJson(const nlohmann::json &object);
/// Has what was measured beside it, which is not read.
nlohmann::json predictionToJson(const Measurement &measurement);
Prediction predictionFromJson(const nlohmann::json &object);
nlohmann::json deviceWideToJson(const DeviceWideData &data);
DeviceWideData deviceWideFromJson(const nlohmann::json &object);
nlohmann::json conditionsToJson(const DeviceConditions &conditions);
DeviceConditions conditionsFromJson(const nlohmann::json &object);
nlohmann::json refusalsToJson(const std::vector<Refusal> &refusals);
std::vector<Refusal> refusalsFromJson(const nlohmann::json &list);

} // namespace tilescope::profiler
