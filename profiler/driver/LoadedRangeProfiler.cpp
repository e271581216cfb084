// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/driver/CuptiHost.h"
#include "profiler/driver/RangeProfiler.h"

#include <cupti_profiler_target.h>
#include <cupti_range_profiler.h>
#include <cupti_target.h>

#include <algorithm>
#include <cmath>

namespace tilescope::profiler {

namespace {
struct Api {
#define TILESCOPE_RANGE_FUNCTIONS(X)                                                               \
  X(cuptiProfilerInitialize)                                                                       \
  X(cuptiProfilerDeInitialize)                                                                     \
  X(cuptiProfilerDeviceSupported)                                                                  \
  X(cuptiProfilerGetCounterAvailability)                                                           \
  X(cuptiDeviceGetChipName)                                                                        \
  X(cuptiRangeProfilerEnable)                                                                      \
  X(cuptiRangeProfilerDisable)                                                                     \
  X(cuptiRangeProfilerGetCounterDataSize)                                                          \
  X(cuptiRangeProfilerCounterDataImageInitialize)                                                  \
  X(cuptiRangeProfilerSetConfig)                                                                   \
  X(cuptiRangeProfilerStart)                                                                       \
  X(cuptiRangeProfilerStop)                                                                        \
  X(cuptiRangeProfilerDecodeData)                                                                  \
  X(cuptiRangeProfilerGetCounterDataInfo)
  TILESCOPE_RANGE_FUNCTIONS(TILESCOPE_DECLARE_CUPTI)
};

class LoadedRangeProfiler : public RangeProfiler {
public:
  LoadedRangeProfiler(const ProfilingLibrary &library, const CuptiHostApi &hostApi, const Api &api)
      : m_library(library), m_hostApi(hostApi), m_api(api), m_metricSet(m_library, m_hostApi) {}

  Grant<std::string> open(int ordinal) override;
  Grant<int> configure(const std::vector<std::string> &metrics) override;
  Granted startPass() override;
  Grant<bool> stopPass() override;
  Grant<std::vector<std::optional<double>>> values() override;
  Granted close() override;

private:
  Granted checkSupport();
  Granted readAvailability();
  Granted makeCounterData();
  Granted setConfiguration();

  ProfilingLibrary m_library;
  CuptiHostApi m_hostApi;
  Api m_api;
  CUcontext m_context = nullptr;
  std::string m_chip;
  std::vector<uint8_t> m_availability;
  MetricSet m_metricSet;
  std::vector<std::string> m_asked;
  std::vector<std::string> m_known;
  std::vector<uint8_t> m_configuration;
  std::vector<uint8_t> m_counterData;
  CUpti_RangeProfiler_Object *m_object = nullptr;
};
} // namespace

/// What keeps the device from being profiled, in words.
static std::string obstacle(const CUpti_Profiler_DeviceSupported_Params &support) {
  const auto isMissing = [](CUpti_Profiler_Support_Level level) {
    return level == CUPTI_PROFILER_CONFIGURATION_UNSUPPORTED ||
           level == CUPTI_PROFILER_CONFIGURATION_DISABLED;
  };
  if (support.vGpu == CUPTI_PROFILER_CONFIGURATION_DISABLED)
    return "profiling is not enabled for this virtual GPU";
  if (isMissing(support.vGpu))
    return "this virtual GPU cannot be profiled";
  if (isMissing(support.confidentialCompute))
    return "confidential computing is on, which bars counters";
  if (isMissing(support.wsl))
    return "counters are barred under this WSL";
  if (isMissing(support.sli))
    return "SLI is on, which bars counters";
  if (isMissing(support.cmp))
    return "mining processors cannot be profiled";
  return "devices of this architecture cannot be profiled";
}

Granted LoadedRangeProfiler::checkSupport() {
  TILESCOPE_CUPTI_PARAMS(CUpti_Profiler_DeviceSupported_Params, params);
  params.api = CUPTI_PROFILER_RANGE_PROFILING;
  TILESCOPE_CALL_CUPTI(cuptiProfilerDeviceSupported, &params);
  if (params.isSupported != CUPTI_PROFILER_CONFIGURATION_SUPPORTED)
    return DriverRefusal{RefusalKind::DeviceUnsupported, obstacle(params)};
  return granted();
}

Granted LoadedRangeProfiler::readAvailability() {
  TILESCOPE_CUPTI_PARAMS(CUpti_Profiler_GetCounterAvailability_Params, params);
  params.ctx = m_context;
  TILESCOPE_CALL_CUPTI(cuptiProfilerGetCounterAvailability, &params);
  m_availability.resize(params.counterAvailabilityImageSize);
  params.pCounterAvailabilityImage = m_availability.data();
  TILESCOPE_CALL_CUPTI(cuptiProfilerGetCounterAvailability, &params);
  return granted();
}

Grant<std::string> LoadedRangeProfiler::open(int ordinal) {
  TILESCOPE_CUPTI_PARAMS(CUpti_Profiler_Initialize_Params, initialize);
  TILESCOPE_CALL_CUPTI(cuptiProfilerInitialize, &initialize);
  m_context = currentContext();
  if (Granted supported = checkSupport(); !supported)
    return supported.refusal();
  TILESCOPE_CUPTI_PARAMS(CUpti_Device_GetChipName_Params, name);
  name.deviceIndex = static_cast<size_t>(ordinal);
  TILESCOPE_CALL_CUPTI(cuptiDeviceGetChipName, &name);
  m_chip = name.pChipName;
  if (Granted available = readAvailability(); !available)
    return available.refusal();
  return m_chip;
}

Granted LoadedRangeProfiler::makeCounterData() {
  std::vector<const char *> names = namePointers(m_known);
  TILESCOPE_CUPTI_PARAMS(CUpti_RangeProfiler_GetCounterDataSize_Params, size);
  size.pRangeProfilerObject = m_object;
  size.pMetricNames = names.data();
  size.numMetrics = names.size();
  size.maxNumOfRanges = 1;
  size.maxNumRangeTreeNodes = 1;
  TILESCOPE_CALL_CUPTI(cuptiRangeProfilerGetCounterDataSize, &size);
  m_counterData.assign(size.counterDataSize, 0);
  TILESCOPE_CUPTI_PARAMS(CUpti_RangeProfiler_CounterDataImage_Initialize_Params, params);
  params.pRangeProfilerObject = m_object;
  params.counterDataSize = m_counterData.size();
  params.pCounterData = m_counterData.data();
  TILESCOPE_CALL_CUPTI(cuptiRangeProfilerCounterDataImageInitialize, &params);
  return granted();
}

/// Every launch between start and stop is a range of its own, and the launches are repeated by the
/// user: CUPTI's own replay would not know of our cache policy.
Granted LoadedRangeProfiler::setConfiguration() {
  TILESCOPE_CUPTI_PARAMS(CUpti_RangeProfiler_SetConfig_Params, params);
  params.pRangeProfilerObject = m_object;
  params.configSize = m_configuration.size();
  params.pConfig = m_configuration.data();
  params.counterDataImageSize = m_counterData.size();
  params.pCounterDataImage = m_counterData.data();
  params.range = CUPTI_AutoRange;
  params.replayMode = CUPTI_UserReplay;
  params.maxRangesPerPass = 1;
  params.numNestingLevels = 1;
  params.minNestingLevel = 1;
  params.passIndex = 0;
  params.targetNestingLevel = 1;
  TILESCOPE_CALL_CUPTI(cuptiRangeProfilerSetConfig, &params);
  return granted();
}

Grant<int> LoadedRangeProfiler::configure(const std::vector<std::string> &metrics) {
  m_asked = metrics;
  auto known = knownMetrics(m_library, m_hostApi, m_chip, m_availability, metrics);
  if (!known)
    return known.refusal();
  m_known = *std::move(known);
  if (m_known.empty())
    return DriverRefusal{RefusalKind::LibraryTooOld,
                         "libcupti knows none of the counters of `" + m_chip + "`"};
  if (Granted opened = m_metricSet.open(m_chip, m_availability); !opened)
    return opened.refusal();
  if (Granted added = m_metricSet.add(m_known); !added)
    return added.refusal();
  auto configuration = m_metricSet.configuration();
  if (!configuration)
    return configuration.refusal();
  m_configuration = *std::move(configuration);
  TILESCOPE_CUPTI_PARAMS(CUpti_RangeProfiler_Enable_Params, enable);
  enable.ctx = m_context;
  TILESCOPE_CALL_CUPTI(cuptiRangeProfilerEnable, &enable);
  m_object = enable.pRangeProfilerObject;
  if (Granted made = makeCounterData(); !made)
    return made.refusal();
  if (Granted set = setConfiguration(); !set)
    return set.refusal();
  return m_metricSet.numPasses(m_configuration);
}

Granted LoadedRangeProfiler::startPass() {
  TILESCOPE_CUPTI_PARAMS(CUpti_RangeProfiler_Start_Params, params);
  params.pRangeProfilerObject = m_object;
  TILESCOPE_CALL_CUPTI(cuptiRangeProfilerStart, &params);
  return granted();
}

Grant<bool> LoadedRangeProfiler::stopPass() {
  TILESCOPE_CUPTI_PARAMS(CUpti_RangeProfiler_Stop_Params, params);
  params.pRangeProfilerObject = m_object;
  TILESCOPE_CALL_CUPTI(cuptiRangeProfilerStop, &params);
  return params.isAllPassSubmitted != 0;
}

Grant<std::vector<std::optional<double>>> LoadedRangeProfiler::values() {
  TILESCOPE_CUPTI_PARAMS(CUpti_RangeProfiler_DecodeData_Params, decode);
  decode.pRangeProfilerObject = m_object;
  TILESCOPE_CALL_CUPTI(cuptiRangeProfilerDecodeData, &decode);
  TILESCOPE_CUPTI_PARAMS(CUpti_RangeProfiler_GetCounterDataInfo_Params, info);
  info.pCounterDataImage = m_counterData.data();
  info.counterDataImageSize = m_counterData.size();
  TILESCOPE_CALL_CUPTI(cuptiRangeProfilerGetCounterDataInfo, &info);
  if (decode.numOfRangeDropped > 0 || info.numTotalRanges != 1)
    return DriverRefusal{RefusalKind::Other,
                         "CUPTI recorded " + std::to_string(info.numTotalRanges) +
                             " launches and dropped " + std::to_string(decode.numOfRangeDropped) +
                             " where one was expected"};
  const auto numbers = m_metricSet.evaluate(m_counterData, m_known);
  if (!numbers)
    return numbers.refusal();
  std::vector<std::optional<double>> values;
  for (const std::string &metric : m_asked) {
    const auto at = std::ranges::find(m_known, metric);
    const double value = at == m_known.end() ? NAN : (*numbers)[size_t(at - m_known.begin())];
    values.push_back(std::isfinite(value) ? std::optional(value) : std::nullopt);
  }
  return values;
}

Granted LoadedRangeProfiler::close() {
  if (m_object) {
    TILESCOPE_CUPTI_PARAMS(CUpti_RangeProfiler_Disable_Params, disable);
    disable.pRangeProfilerObject = std::exchange(m_object, nullptr);
    TILESCOPE_CALL_CUPTI(cuptiRangeProfilerDisable, &disable);
  }
  TILESCOPE_CUPTI_PARAMS(CUpti_Profiler_DeInitialize_Params, params);
  TILESCOPE_CALL_CUPTI(cuptiProfilerDeInitialize, &params);
  return granted();
}

Grant<std::unique_ptr<RangeProfiler>> loadRangeProfiler() {
  const Grant<ProfilingLibrary> library = ProfilingLibrary::open();
  if (!library)
    return library.refusal();
  const Grant<CuptiHostApi> hostApi = CuptiHostApi::load(*library);
  if (!hostApi)
    return hostApi.refusal();
  Api api;
  TILESCOPE_RANGE_FUNCTIONS(TILESCOPE_FIND_CUPTI)
  return std::unique_ptr<RangeProfiler>(
      std::make_unique<LoadedRangeProfiler>(*library, *hostApi, api));
}

} // namespace tilescope::profiler
