// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/driver/CuptiLibrary.h"

#include <cupti_profiler_host.h>

#include <vector>

/// The half of CUPTI's range profiler that runs on the host. For the files of this folder.
namespace tilescope::profiler {

struct CuptiHostApi {
#define TILESCOPE_HOST_FUNCTIONS(X)                                                                \
  X(cuptiProfilerHostGetSupportedChips)                                                            \
  X(cuptiProfilerHostInitialize)                                                                   \
  X(cuptiProfilerHostDeinitialize)                                                                 \
  X(cuptiProfilerHostConfigAddMetrics)                                                             \
  X(cuptiProfilerHostGetConfigImageSize)                                                           \
  X(cuptiProfilerHostGetConfigImage)                                                               \
  X(cuptiProfilerHostGetNumOfPasses)                                                               \
  X(cuptiProfilerHostEvaluateToGpuValues)
  TILESCOPE_HOST_FUNCTIONS(TILESCOPE_DECLARE_CUPTI)

  static Grant<CuptiHostApi> load(const ProfilingLibrary &library);
};

/// A set of metrics of one chip. Not copied: CUPTI holds an object of it.
class MetricSet {
public:
  MetricSet(const ProfilingLibrary &library, const CuptiHostApi &api)
      : m_library(library), m_api(api) {}
  ~MetricSet();
  MetricSet(const MetricSet &) = delete;
  MetricSet &operator=(const MetricSet &) = delete;

  /// `availability`: what `cuptiProfilerGetCounterAvailability` said of the device; may be empty,
  /// and must live as long as this.
  Granted open(const std::string &chip, const std::vector<uint8_t> &availability);
  /// All or none.
  Granted add(const std::vector<std::string> &metrics);
  /// How the device has to be configured, and for how many passes.
  Grant<std::vector<uint8_t>> configuration();
  Grant<int> numPasses(const std::vector<uint8_t> &configuration);
  /// The values of the one range; NaN where there is none.
  Grant<std::vector<double>> evaluate(const std::vector<uint8_t> &counterData,
                                      const std::vector<std::string> &metrics);

private:
  const ProfilingLibrary &m_library;
  const CuptiHostApi &m_api;
  std::string m_chip;
  CUpti_Profiler_Host_Object *m_object = nullptr;
};

/// Those of the metrics that a chip has.
Grant<std::vector<std::string>> knownMetrics(const ProfilingLibrary &library,
                                             const CuptiHostApi &api, const std::string &chip,
                                             const std::vector<uint8_t> &availability,
                                             const std::vector<std::string> &metrics);

/// The names as CUPTI takes them; valid while the strings live unchanged.
std::vector<const char *> namePointers(const std::vector<std::string> &names);

} // namespace tilescope::profiler
