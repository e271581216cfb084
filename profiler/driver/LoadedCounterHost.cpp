// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/driver/CounterHost.h"
#include "profiler/driver/CuptiHost.h"

namespace tilescope::profiler {

namespace {
class LoadedCounterHost : public CounterHost {
public:
  LoadedCounterHost(const ProfilingLibrary &library, const CuptiHostApi &api)
      : m_library(library), m_api(api) {}

  Grant<std::vector<std::string>> chips() override;
  Grant<std::vector<std::string>> known(const std::string &chip,
                                        const std::vector<std::string> &metrics) override;
  Grant<int> numPasses(const std::string &chip, const std::vector<std::string> &metrics) override;

private:
  ProfilingLibrary m_library;
  CuptiHostApi m_api;
};
} // namespace

Grant<std::vector<std::string>> LoadedCounterHost::chips() {
  TILESCOPE_CUPTI_PARAMS(CUpti_Profiler_Host_GetSupportedChips_Params, params);
  TILESCOPE_CALL_CUPTI(cuptiProfilerHostGetSupportedChips, &params);
  return std::vector<std::string>(params.ppChipNames, params.ppChipNames + params.numChips);
}

Grant<std::vector<std::string>> LoadedCounterHost::known(const std::string &chip,
                                                         const std::vector<std::string> &metrics) {
  return knownMetrics(m_library, m_api, chip, {}, metrics);
}

Grant<int> LoadedCounterHost::numPasses(const std::string &chip,
                                        const std::vector<std::string> &metrics) {
  const std::vector<uint8_t> noImage;
  MetricSet set(m_library, m_api);
  if (Granted opened = set.open(chip, noImage); !opened)
    return opened.refusal();
  if (Granted added = set.add(metrics); !added)
    return added.refusal();
  const auto configuration = set.configuration();
  if (!configuration)
    return configuration.refusal();
  return set.numPasses(*configuration);
}

Grant<std::unique_ptr<CounterHost>> loadCounterHost() {
  const Grant<ProfilingLibrary> library = ProfilingLibrary::open();
  if (!library)
    return library.refusal();
  const Grant<CuptiHostApi> api = CuptiHostApi::load(*library);
  if (!api)
    return api.refusal();
  return std::unique_ptr<CounterHost>(std::make_unique<LoadedCounterHost>(*library, *api));
}

} // namespace tilescope::profiler
