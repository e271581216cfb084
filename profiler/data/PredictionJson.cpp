// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/data/JsonFields.h"
#include "profiler/data/ProfileJson.h"

#include <algorithm>
#include <stdexcept>

namespace tilescope::profiler {

using nlohmann::json;

static constexpr size_t kMostLines = size_t(1) << 20;

template <typename Way, typename Value> static void predictionFields(Way way, Value &prediction) {
  way.field("device", prediction.device);
  way.field("us", prediction.us);
  way.field("bottleneck", prediction.bottleneck);
}

json predictionToJson(const Measurement &measurement) {
  const Prediction &prediction = *measurement.prediction;
  const std::optional<PredictionBeside> beside = besidePrediction(measurement);
  json object = json::object();
  predictionFields(JsonFieldWriter{object}, prediction);
  object["confidence"] = prediction.isFromPtx ? "ptx" : "machine code";
  if (measurement.timeUs)
    object["measured_us"] = realToJson(measurement.timeUs->median);
  if (beside->ratio)
    object["measured_over_predicted"] = realToJson(*beside->ratio);
  if (beside->source != ShareSource::None)
    object["measured_from"] = shareSourceName(beside->source);
  object["lines"] = json::array();
  for (const LineShares &line : beside->lines) {
    json row = {{"line", line.line + 1}};
    JsonFieldWriter{row}.field("predicted", line.predicted);
    JsonFieldWriter{row}.field("measured", line.measured);
    object["lines"].push_back(std::move(row));
  }
  return object;
}

Prediction predictionFromJson(const json &object) {
  Prediction prediction;
  predictionFields(JsonFieldReader{object}, prediction);
  prediction.isFromPtx = jsonOr<std::string>(object, "confidence", "") == "ptx";
  const json lines = object.value("lines", json::array());
  if (lines.size() > kMostLines)
    throw std::out_of_range("`lines` has too many entries");
  for (const json &row : lines)
    if (const double share = jsonOr(row, "predicted", 0.0); share > 0)
      prediction.lines.push_back({std::max(jsonAs<uint32_t>(row.at("line")), 1u) - 1, share});
  std::ranges::sort(prediction.lines, {}, &PredictedLine::line);
  return prediction;
}

} // namespace tilescope::profiler
