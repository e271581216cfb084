// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/driver/CuptiHost.h"

namespace tilescope::profiler {

Grant<CuptiHostApi> CuptiHostApi::load(const ProfilingLibrary &opened) {
  const ProfilingLibrary *library = &opened;
  CuptiHostApi api;
  TILESCOPE_HOST_FUNCTIONS(TILESCOPE_FIND_CUPTI)
  return api;
}

std::vector<const char *> namePointers(const std::vector<std::string> &names) {
  std::vector<const char *> pointers;
  for (const std::string &name : names)
    pointers.push_back(name.c_str());
  return pointers;
}

MetricSet::~MetricSet() {
  if (!m_object)
    return;
  TILESCOPE_CUPTI_PARAMS(CUpti_Profiler_Host_Deinitialize_Params, params);
  params.pHostObject = m_object;
  (void)m_api.cuptiProfilerHostDeinitializeFn(&params);
}

Granted MetricSet::open(const std::string &chip, const std::vector<uint8_t> &availability) {
  m_chip = chip;
  TILESCOPE_CUPTI_PARAMS(CUpti_Profiler_Host_Initialize_Params, params);
  params.profilerType = CUPTI_PROFILER_TYPE_RANGE_PROFILER;
  params.pChipName = m_chip.c_str();
  params.pCounterAvailabilityImage = availability.empty() ? nullptr : availability.data();
  TILESCOPE_CALL_CUPTI(cuptiProfilerHostInitialize, &params);
  m_object = params.pHostObject;
  return granted();
}

Granted MetricSet::add(const std::vector<std::string> &metrics) {
  std::vector<const char *> names = namePointers(metrics);
  TILESCOPE_CUPTI_PARAMS(CUpti_Profiler_Host_ConfigAddMetrics_Params, params);
  params.pHostObject = m_object;
  params.ppMetricNames = names.data();
  params.numMetrics = names.size();
  TILESCOPE_CALL_CUPTI(cuptiProfilerHostConfigAddMetrics, &params);
  return granted();
}

Grant<std::vector<uint8_t>> MetricSet::configuration() {
  TILESCOPE_CUPTI_PARAMS(CUpti_Profiler_Host_GetConfigImageSize_Params, size);
  size.pHostObject = m_object;
  TILESCOPE_CALL_CUPTI(cuptiProfilerHostGetConfigImageSize, &size);
  std::vector<uint8_t> image(size.configImageSize);
  TILESCOPE_CUPTI_PARAMS(CUpti_Profiler_Host_GetConfigImage_Params, params);
  params.pHostObject = m_object;
  params.configImageSize = image.size();
  params.pConfigImage = image.data();
  TILESCOPE_CALL_CUPTI(cuptiProfilerHostGetConfigImage, &params);
  return image;
}

Grant<int> MetricSet::numPasses(const std::vector<uint8_t> &configuration) {
  TILESCOPE_CUPTI_PARAMS(CUpti_Profiler_Host_GetNumOfPasses_Params, params);
  params.configImageSize = configuration.size();
  params.pConfigImage = const_cast<uint8_t *>(configuration.data());
  TILESCOPE_CALL_CUPTI(cuptiProfilerHostGetNumOfPasses, &params);
  return static_cast<int>(params.numOfPasses);
}

Grant<std::vector<double>> MetricSet::evaluate(const std::vector<uint8_t> &counterData,
                                               const std::vector<std::string> &metrics) {
  std::vector<const char *> names = namePointers(metrics);
  std::vector<double> values(metrics.size());
  TILESCOPE_CUPTI_PARAMS(CUpti_Profiler_Host_EvaluateToGpuValues_Params, params);
  params.pHostObject = m_object;
  params.pCounterDataImage = counterData.data();
  params.counterDataImageSize = counterData.size();
  params.ppMetricNames = names.data();
  params.numMetrics = names.size();
  params.pMetricValues = values.data();
  TILESCOPE_CALL_CUPTI(cuptiProfilerHostEvaluateToGpuValues, &params);
  return values;
}

/// Whether a chip has all of the metrics. A set to which something could not be added takes nothing
/// more, so each question needs one of its own.
static Grant<bool> hasAll(const ProfilingLibrary &library, const CuptiHostApi &api,
                          const std::string &chip, const std::vector<uint8_t> &availability,
                          const std::vector<std::string> &metrics) {
  MetricSet set(library, api);
  if (Granted opened = set.open(chip, availability); !opened)
    return opened.refusal();
  return bool(set.add(metrics));
}

Grant<std::vector<std::string>> knownMetrics(const ProfilingLibrary &library,
                                             const CuptiHostApi &api, const std::string &chip,
                                             const std::vector<uint8_t> &availability,
                                             const std::vector<std::string> &metrics) {
  const Grant<bool> all = hasAll(library, api, chip, availability, metrics);
  if (!all)
    return all.refusal();
  if (*all)
    return metrics;
  std::vector<std::string> known;
  for (const std::string &metric : metrics) {
    const Grant<bool> one = hasAll(library, api, chip, availability, {metric});
    if (one && *one)
      known.push_back(metric);
  }
  return known;
}

} // namespace tilescope::profiler
