// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/data/MeasurementJson.h"

#include "profiler/data/JsonFields.h"
#include "profiler/data/ProfileJson.h"
#include "profiler/data/TimeFields.h"
#include "profiler/data/TraceJson.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace tilescope::profiler {

using nlohmann::json;

template <typename Way, typename Device> static void deviceFields(Way way, Device &device) {
  way.field("ordinal", device.ordinal);
  way.field("name", device.name);
  way.field("pci_bus_id", device.pciBusId);
  way.field("uuid", device.uuid);
  way.field("compute_major", device.computeMajor);
  way.field("compute_minor", device.computeMinor);
  way.field("sms", device.numSms);
  way.field("memory_bytes", device.memoryBytes);
  way.field("l2_bytes", device.l2Bytes);
  way.field("sm_clock_khz", device.smClockKHz);
  way.field("memory_clock_khz", device.memoryClockKHz);
  way.field("memory_bus_bits", device.memoryBusBits);
  way.field("registers_per_sm", device.registersPerSm);
  way.field("shared_bytes_per_sm", device.sharedBytesPerSm);
  way.field("shared_bytes_per_block", device.sharedBytesPerBlock);
  way.field("reserved_shared_bytes_per_block", device.reservedSharedBytesPerBlock);
  way.field("threads_per_sm", device.threadsPerSm);
  way.field("blocks_per_sm", device.blocksPerSm);
  way.field("driver_version", device.driverVersion);
}

template <typename Way, typename Value> static void overheadFields(Way way, Value &overhead) {
  way.field("call_us", overhead.callUs);
  way.field("alone_us", overhead.aloneUs);
  way.field("n", overhead.n);
}

template <typename Way, typename Value> static void occupancyFields(Way way, Value &occupancy) {
  way.field("blocks_per_sm", occupancy.blocksPerSm);
  way.field("warps_per_sm", occupancy.warpsPerSm);
  way.field("max_warps_per_sm", occupancy.maxWarpsPerSm);
  way.field("fraction", occupancy.fraction);
  way.field("limiter", occupancy.limiter);
  way.field("blocks_by_limit", occupancy.blocksByLimit);
}

NLOHMANN_JSON_SERIALIZE_ENUM(MatchDoubt, {{MatchDoubt::None, "none"},
                                          {MatchDoubt::Races, "races"},
                                          {MatchDoubt::Threads, "threads"},
                                          {MatchDoubt::Order, "order"},
                                          {MatchDoubt::Undefined, "undefined"},
                                          {MatchDoubt::Outside, "outside"},
                                          {MatchDoubt::Hang, "hang"},
                                          {MatchDoubt::Unchanged, "unchanged"},
                                          {MatchDoubt::Foregone, "foregone"},
                                          {MatchDoubt::Zeros, "zeros"},
                                          {MatchDoubt::Tolerance, "tolerance"},
                                          {MatchDoubt::Bias, "bias"},
                                          {MatchDoubt::NarrowSums, "narrow_sums"},
                                          {MatchDoubt::Fractions, "fractions"},
                                          {MatchDoubt::LeftOut, "left_out"}})

template <typename Way, typename Value> static void comparisonFields(Way way, Value &comparison) {
  way.field("max_abs_error", comparison.maxAbsError);
  way.field("max_rel_error", comparison.maxRelError);
  way.field("rel_error_in_norm", comparison.relErrorInNorm);
  way.field("elements", comparison.elements);
  way.field("mismatches", comparison.mismatches);
  way.field("unwritten", comparison.unwritten);
  way.field("first_actual", comparison.firstActual);
  way.field("first_expected", comparison.firstExpected);
  way.field("worst", comparison.worst);
  way.field("worst_actual", comparison.worstActual);
  way.field("worst_expected", comparison.worstExpected);
  way.field("absolute_tolerance", comparison.absoluteTolerance);
  way.field("relative_tolerance", comparison.relativeTolerance);
  way.field("tolerance_per_element", comparison.isTolerancePerElement);
  way.field("with_expected", comparison.isWithExpected);
  way.field("undefined", comparison.undefined);
  way.field("indistinct", comparison.indistinct);
  way.field("loose", comparison.loose);
  way.field("unlikely", comparison.unlikely);
  way.field("unexplained", comparison.unexplained);
  way.field("bias", comparison.bias);
  way.field("differ_wide", comparison.differWide);
  way.field("fractions", comparison.fractions);
  way.field("doubt", comparison.doubt);
  way.field("fault", comparison.fault);
}

template <typename Way, typename Value> static void outputFields(Way way, Value &output) {
  way.field("name", output.name);
  way.field("dtype", output.dtype);
  way.field("shape", output.shape);
  way.field("changed", output.changed);
  way.field("never_written", output.neverWritten);
  way.field("nan", output.numNan);
  way.field("infinite", output.numInfinite);
}

template <typename Way, typename Value> static void plainFields(Way way, Value &measurement) {
  way.field("kernel", measurement.kernel);
  way.field("grid", measurement.grid);
  way.field("launches", measurement.launches);
  way.field("cold_l2", measurement.coldL2);
  way.field("bytes", measurement.bytes);
  way.field("flops", measurement.flops);
  way.field("gb_per_s", measurement.gbPerS);
  way.field("tflop_per_s", measurement.tflopPerS);
  way.field("peak_fraction", measurement.peakFraction);
  way.field("peak_gb_per_s", measurement.peakGbPerS);
  way.field("copy_gb_per_s", measurement.copyGbPerS);
  way.field("peak_fp32_tflop_per_s", measurement.peakFp32TflopPerS);
  way.field("registers", measurement.registers);
  way.field("shared_bytes", measurement.sharedBytes);
  way.field("spill_bytes", measurement.spillBytes);
  way.field("threads", measurement.threads);
  way.field("notes", measurement.notes);
}

template <typename Way, typename Value> static void executionFields(Way way, Value &execution) {
  way.field("native", execution.isNative);
  way.field("checked", execution.isChecked);
  way.field("compile_us", execution.compileUs);
  way.field("interpreted_programs", execution.interpretedPrograms);
  way.field("interpreted_us", execution.interpretedUs);
  way.field("why_interpreted", execution.whyInterpreted);
}

static json outputToJson(const OutputResult &output) {
  json object = json::object();
  outputFields(JsonFieldWriter{object}, output);
  if (!output.path.empty())
    object["path"] = output.path;
  if (!output.firstNeverWritten.empty())
    object["first_never_written"] = output.firstNeverWritten;
  if (output.comparison) {
    comparisonFields(JsonFieldWriter{object}, *output.comparison);
    object.erase("fault");
    if (!output.comparison->fault.empty())
      object["fault"] = output.comparison->fault;
    if (!output.comparison->firstMismatch.empty())
      object["first_mismatch"] = output.comparison->firstMismatch;
  }
  return object;
}

static OutputResult outputFromJson(const json &object) {
  OutputResult output;
  outputFields(JsonFieldReader{object}, output);
  JsonFieldReader{object}.field("path", output.path);
  JsonFieldReader{object}.field("first_never_written", output.firstNeverWritten);
  if (object.contains("mismatches")) {
    output.comparison.emplace();
    comparisonFields(JsonFieldReader{object}, *output.comparison);
    JsonFieldReader{object}.field("first_mismatch", output.comparison->firstMismatch);
  }
  return output;
}

json deviceToJson(const DeviceInfo &device) {
  json object = json::object();
  deviceFields(JsonFieldWriter{object}, device);
  return object;
}

DeviceInfo deviceFromJson(const json &object) {
  DeviceInfo device;
  deviceFields(JsonFieldReader{object}, device);
  return device;
}

/// By TimeSource.
static constexpr std::array<std::string_view, 3> kTimeSourceNames = {"cupti", "events",
                                                                     "interpreter"};

json measurementToJson(const Measurement &measurement) {
  json object = json::object();
  plainFields(JsonFieldWriter{object}, measurement);
  object["device"] = measurement.device.name;
  object["device_info"] = deviceToJson(measurement.device);
  if (measurement.timeUs) {
    object["time_source"] = kTimeSourceNames[static_cast<size_t>(measurement.timeSource)];
    object["time_us"] = json::object();
    timeFields(JsonFieldWriter{object["time_us"]}, *measurement.timeUs);
  }
  if (measurement.launchOverhead) {
    object["launch_overhead"] = json::object();
    overheadFields(JsonFieldWriter{object["launch_overhead"]}, *measurement.launchOverhead);
  }
  if (measurement.occupancy) {
    object["occupancy"] = json::object();
    occupancyFields(JsonFieldWriter{object["occupancy"]}, *measurement.occupancy);
  }
  if (measurement.execution) {
    object["execution"] = json::object();
    executionFields(JsonFieldWriter{object["execution"]}, *measurement.execution);
  }
  if (measurement.counters)
    object["counters"] = counterDataToJson(*measurement.counters);
  if (measurement.samples)
    object["pc_samples"] = sampleDataToJson(*measurement.samples);
  if (measurement.executions)
    object["executions"] = executionDataToJson(*measurement.executions);
  if (measurement.deviceWide)
    object["device_wide"] = deviceWideToJson(*measurement.deviceWide);
  if (measurement.prediction)
    object["prediction"] = predictionToJson(measurement);
  if (measurement.trace)
    object["trace"] = traceDataToJson(*measurement.trace);
  if (measurement.conditions)
    object["conditions"] = conditionsToJson(*measurement.conditions);
  if (!measurement.refusals.empty())
    object["refusals"] = refusalsToJson(measurement.refusals);
  object["outputs"] = json::array();
  for (const OutputResult &output : measurement.outputs)
    object["outputs"].push_back(outputToJson(output));
  return object;
}

Measurement measurementFromJson(const json &object) {
  Measurement measurement;
  plainFields(JsonFieldReader{object}, measurement);
  if (object.contains("device_info"))
    deviceFields(JsonFieldReader{object.at("device_info")}, measurement.device);
  measurement.device.name = object.at("device").get<std::string>();
  if (object.contains("time_us")) {
    measurement.timeUs.emplace();
    timeFields(JsonFieldReader{object.at("time_us")}, *measurement.timeUs);
    const auto *source = std::ranges::find(kTimeSourceNames, object.value("time_source", "cupti"));
    if (source != kTimeSourceNames.end())
      measurement.timeSource = static_cast<TimeSource>(source - kTimeSourceNames.begin());
  }
  if (object.contains("launch_overhead")) {
    measurement.launchOverhead.emplace();
    overheadFields(JsonFieldReader{object.at("launch_overhead")}, *measurement.launchOverhead);
  }
  if (object.contains("occupancy")) {
    measurement.occupancy.emplace();
    occupancyFields(JsonFieldReader{object.at("occupancy")}, *measurement.occupancy);
  }
  if (object.contains("execution")) {
    measurement.execution.emplace();
    executionFields(JsonFieldReader{object.at("execution")}, *measurement.execution);
  }
  if (object.contains("counters"))
    measurement.counters = counterDataFromJson(object.at("counters"));
  if (object.contains("pc_samples"))
    measurement.samples = sampleDataFromJson(object.at("pc_samples"));
  if (object.contains("executions"))
    measurement.executions = executionDataFromJson(object.at("executions"));
  if (object.contains("device_wide"))
    measurement.deviceWide = deviceWideFromJson(object.at("device_wide"));
  if (object.contains("prediction"))
    measurement.prediction = predictionFromJson(object.at("prediction"));
  if (object.contains("trace"))
    measurement.trace = traceDataFromJson(object.at("trace"));
  if (object.contains("conditions"))
    measurement.conditions = conditionsFromJson(object.at("conditions"));
  if (object.contains("refusals"))
    measurement.refusals = refusalsFromJson(object.at("refusals"));
  for (const json &output : object.at("outputs"))
    measurement.outputs.push_back(outputFromJson(output));
  return measurement;
}

std::string measurementToText(const Measurement &measurement) {
  return measurementToJson(measurement).dump(2, ' ', false, json::error_handler_t::replace);
}

Result<Measurement> measurementFromText(std::string_view text) {
  return readJson(text, "a measurement", measurementFromJson);
}

} // namespace tilescope::profiler
