// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/driver/CuptiLibrary.h"
#include "profiler/driver/InstructionCounter.h"

#include <cupti_profiler_target.h>
#include <cupti_sass_metrics.h>
#include <cupti_target.h>

#include <map>

namespace tilescope::profiler {

namespace {
struct Api {
#define TILESCOPE_SASS_FUNCTIONS(X)                                                                \
  X(cuptiProfilerInitialize)                                                                       \
  X(cuptiProfilerDeviceSupported)                                                                  \
  X(cuptiDeviceGetChipName)                                                                        \
  X(cuptiSassMetricsGetProperties)                                                                 \
  X(cuptiSassMetricsSetConfig)                                                                     \
  X(cuptiSassMetricsUnsetConfig)                                                                   \
  X(cuptiSassMetricsEnable)                                                                        \
  X(cuptiSassMetricsDisable)                                                                       \
  X(cuptiSassMetricsGetDataProperties)                                                             \
  X(cuptiSassMetricsFlushData)
  TILESCOPE_SASS_FUNCTIONS(TILESCOPE_DECLARE_CUPTI)
};

class LoadedInstructionCounter : public InstructionCounter {
public:
  LoadedInstructionCounter(const ProfilingLibrary &library, const Api &api)
      : m_library(library), m_api(api) {}

  Granted open(int ordinal, const std::vector<std::string> &metrics) override;
  Granted start() override;
  Grant<std::vector<InstructionRecord>> take() override;
  Granted close() override;

private:
  Granted checkSupport(int ordinal);
  Granted findMetrics(const char *chip, const std::vector<std::string> &metrics);
  Grant<std::vector<InstructionRecord>> flush();

  ProfilingLibrary m_library;
  Api m_api;
  CUcontext m_context = nullptr;
  uint32_t m_device = 0;
  std::map<uint64_t, std::string> m_names;
};
} // namespace

Granted LoadedInstructionCounter::checkSupport(int ordinal) {
  TILESCOPE_CUPTI_PARAMS(CUpti_Profiler_DeviceSupported_Params, params);
  params.cuDevice = ordinal;
  params.api = CUPTI_PROFILER_SASS_METRICS;
  TILESCOPE_CALL_CUPTI(cuptiProfilerDeviceSupported, &params);
  if (params.isSupported != CUPTI_PROFILER_CONFIGURATION_SUPPORTED)
    return DriverRefusal{RefusalKind::DeviceUnsupported,
                         "instructions cannot be counted on this device, or not as it is shared"};
  return granted();
}

Granted LoadedInstructionCounter::findMetrics(const char *chip,
                                              const std::vector<std::string> &metrics) {
  for (const std::string &name : metrics) {
    TILESCOPE_CUPTI_PARAMS(CUpti_SassMetrics_GetProperties_Params, params);
    params.pChipName = chip;
    params.pMetricName = name.c_str();
    if (m_api.cuptiSassMetricsGetPropertiesFn(&params) == CUPTI_SUCCESS)
      m_names.emplace(params.metric.metricId, name);
  }
  if (m_names.empty())
    return DriverRefusal{RefusalKind::DeviceUnsupported,
                         "CUPTI counts no instructions on " + std::string(chip)};
  return granted();
}

Granted LoadedInstructionCounter::open(int ordinal, const std::vector<std::string> &metrics) {
  // Without this the functions below do not refuse: they end the process.
  TILESCOPE_CUPTI_PARAMS(CUpti_Profiler_Initialize_Params, initialize);
  TILESCOPE_CALL_CUPTI(cuptiProfilerInitialize, &initialize);
  m_context = currentContext();
  m_device = static_cast<uint32_t>(ordinal);
  if (Granted supported = checkSupport(ordinal); !supported)
    return supported.refusal();
  TILESCOPE_CUPTI_PARAMS(CUpti_Device_GetChipName_Params, name);
  name.deviceIndex = m_device;
  TILESCOPE_CALL_CUPTI(cuptiDeviceGetChipName, &name);
  if (Granted found = findMetrics(name.pChipName, metrics); !found)
    return found.refusal();
  std::vector<CUpti_SassMetrics_Config> configurations;
  for (const auto &[id, metric] : m_names)
    configurations.push_back({id, CUPTI_SASS_METRICS_OUTPUT_GRANULARITY_GPU});
  TILESCOPE_CUPTI_PARAMS(CUpti_SassMetricsSetConfig_Params, params);
  params.numOfMetricConfig = configurations.size();
  params.pConfigs = configurations.data();
  params.deviceIndex = m_device;
  TILESCOPE_CALL_CUPTI(cuptiSassMetricsSetConfig, &params);
  return granted();
}

Granted LoadedInstructionCounter::start() {
  TILESCOPE_CUPTI_PARAMS(CUpti_SassMetricsEnable_Params, params);
  params.ctx = m_context;
  // Code is added to what is launched, not to all functions of the process.
  params.enableLazyPatching = 1;
  TILESCOPE_CALL_CUPTI(cuptiSassMetricsEnable, &params);
  return granted();
}

/// A record is of one metric at one instruction, and has a value for each instance: one, for the
/// whole device.
Grant<std::vector<InstructionRecord>> LoadedInstructionCounter::flush() {
  TILESCOPE_CUPTI_PARAMS(CUpti_SassMetricsGetDataProperties_Params, properties);
  properties.ctx = m_context;
  TILESCOPE_CALL_CUPTI(cuptiSassMetricsGetDataProperties, &properties);
  const size_t numInstances = properties.numOfInstances;
  std::vector<CUpti_SassMetrics_Data> data(properties.numOfPatchedInstructionRecords);
  std::vector<CUpti_SassMetrics_InstanceValue> values(data.size() * numInstances);
  for (size_t i = 0; i < data.size(); ++i) {
    data[i].structSize = sizeof(CUpti_SassMetrics_Data);
    data[i].pInstanceValues = values.data() + i * numInstances;
  }
  TILESCOPE_CUPTI_PARAMS(CUpti_SassMetricsFlushData_Params, params);
  params.ctx = m_context;
  params.numOfPatchedInstructionRecords = data.size();
  params.numOfInstances = numInstances;
  params.pMetricsData = data.data();
  if (!data.empty())
    TILESCOPE_CALL_CUPTI(cuptiSassMetricsFlushData, &params);
  std::vector<InstructionRecord> records;
  for (const CUpti_SassMetrics_Data &each : data)
    for (size_t k = 0; k < numInstances; ++k)
      if (const auto name = m_names.find(each.pInstanceValues[k].metricId); name != m_names.end())
        records.push_back({each.functionName ? each.functionName : "", each.pcOffset, name->second,
                           each.pInstanceValues[k].value});
  return records;
}

Grant<std::vector<InstructionRecord>> LoadedInstructionCounter::take() {
  auto records = flush();
  if (!records)
    return records.refusal();
  TILESCOPE_CUPTI_PARAMS(CUpti_SassMetricsDisable_Params, params);
  params.ctx = m_context;
  TILESCOPE_CALL_CUPTI(cuptiSassMetricsDisable, &params);
  return records;
}

Granted LoadedInstructionCounter::close() {
  TILESCOPE_CUPTI_PARAMS(CUpti_SassMetricsUnsetConfig_Params, params);
  params.deviceIndex = m_device;
  TILESCOPE_CALL_CUPTI(cuptiSassMetricsUnsetConfig, &params);
  return granted();
}

Grant<std::unique_ptr<InstructionCounter>> loadInstructionCounter() {
  const Grant<ProfilingLibrary> library = ProfilingLibrary::open();
  if (!library)
    return library.refusal();
  Api api;
  TILESCOPE_SASS_FUNCTIONS(TILESCOPE_FIND_CUPTI)
  return std::unique_ptr<InstructionCounter>(
      std::make_unique<LoadedInstructionCounter>(*library, api));
}

} // namespace tilescope::profiler
