// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/driver/CuptiLibrary.h"
#include "profiler/driver/PcSampler.h"

#include <cupti_pcsampling.h>

#include <array>
#include <cstdlib>
#include <set>

namespace tilescope::profiler {

/// Records that one call returns.
static constexpr size_t kRecordsAtOnce = 2048;

namespace {
struct Api {
#define TILESCOPE_SAMPLING_FUNCTIONS(X)                                                            \
  X(cuptiPCSamplingEnable)                                                                         \
  X(cuptiPCSamplingDisable)                                                                        \
  X(cuptiPCSamplingGetNumStallReasons)                                                             \
  X(cuptiPCSamplingGetStallReasons)                                                                \
  X(cuptiPCSamplingSetConfigurationAttribute)                                                      \
  X(cuptiPCSamplingStart)                                                                          \
  X(cuptiPCSamplingStop)                                                                           \
  X(cuptiPCSamplingGetData)
  TILESCOPE_SAMPLING_FUNCTIONS(TILESCOPE_DECLARE_CUPTI)
};

/// A buffer that CUPTI writes records of samples to.
class SampleBuffer {
public:
  explicit SampleBuffer(size_t numReasons);
  SampleBuffer(const SampleBuffer &) = delete;
  SampleBuffer &operator=(const SampleBuffer &) = delete;
  CUpti_PCSamplingData *data() { return &m_data; }
  const CUpti_PCSamplingData &operator*() const { return m_data; }
  void clear() { m_data.totalNumPcs = 0; }

private:
  std::vector<CUpti_PCSamplingPCData> m_records;
  std::vector<CUpti_PCSamplingStallReason> m_reasons;
  CUpti_PCSamplingData m_data = {};
};

class LoadedPcSampler : public PcSampler {
public:
  LoadedPcSampler(const ProfilingLibrary &library, const Api &api)
      : m_library(library), m_api(api) {}

  Grant<std::map<uint32_t, std::string>> open(const PcSamplerSetup &setup) override;
  Granted start() override;
  Granted stop() override;
  Grant<PcRecords> take() override;
  Granted close() override;

private:
  Grant<std::map<uint32_t, std::string>> readReasons();
  Granted configure(const PcSamplerSetup &setup);

  ProfilingLibrary m_library;
  Api m_api;
  CUcontext m_context = nullptr;
  std::vector<uint32_t> m_reasonNumbers;
  /// CUPTI keeps the first as long as it samples; records are fetched into the second.
  std::unique_ptr<SampleBuffer> m_configured;
  std::unique_ptr<SampleBuffer> m_fetched;
};
} // namespace

SampleBuffer::SampleBuffer(size_t numReasons)
    : m_records(kRecordsAtOnce), m_reasons(kRecordsAtOnce * numReasons) {
  for (size_t i = 0; i < m_records.size(); ++i) {
    m_records[i] = {};
    m_records[i].size = sizeof(CUpti_PCSamplingPCData);
    m_records[i].stallReason = m_reasons.data() + i * numReasons;
  }
  m_data.size = sizeof(CUpti_PCSamplingData);
  m_data.collectNumPcs = m_records.size();
  m_data.pPcData = m_records.data();
}

Grant<std::map<uint32_t, std::string>> LoadedPcSampler::readReasons() {
  size_t count = 0;
  CUpti_PCSamplingGetNumStallReasonsParams number = {};
  number.size = CUpti_PCSamplingGetNumStallReasonsParamsSize;
  number.ctx = m_context;
  number.numStallReasons = &count;
  TILESCOPE_CALL_CUPTI(cuptiPCSamplingGetNumStallReasons, &number);
  if (count == 0)
    return DriverRefusal{RefusalKind::LibraryTooOld,
                         "CUPTI names no stall reasons: libcupti may be of another version than "
                         "the driver supports"};
  std::vector<std::array<char, CUPTI_STALL_REASON_STRING_SIZE>> texts(count);
  std::vector<char *> names;
  for (auto &text : texts) {
    text = {};
    names.push_back(text.data());
  }
  m_reasonNumbers.assign(count, 0);
  CUpti_PCSamplingGetStallReasonsParams params = {};
  params.size = CUpti_PCSamplingGetStallReasonsParamsSize;
  params.ctx = m_context;
  params.numStallReasons = count;
  params.stallReasonIndex = m_reasonNumbers.data();
  params.stallReasons = names.data();
  TILESCOPE_CALL_CUPTI(cuptiPCSamplingGetStallReasons, &params);
  std::map<uint32_t, std::string> reasons;
  for (size_t i = 0; i < count; ++i)
    reasons.emplace(m_reasonNumbers[i], names[i]);
  return reasons;
}

static CUpti_PCSamplingConfigurationInfo
attribute(CUpti_PCSamplingConfigurationAttributeType type) {
  CUpti_PCSamplingConfigurationInfo info = {};
  info.attributeType = type;
  return info;
}

Granted LoadedPcSampler::configure(const PcSamplerSetup &setup) {
  constexpr size_t kScratchBytes = size_t(16) << 20;
  auto reasons = attribute(CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_STALL_REASON);
  reasons.attributeData.stallReasonData.stallReasonCount = m_reasonNumbers.size();
  reasons.attributeData.stallReasonData.pStallReasonIndex = m_reasonNumbers.data();
  auto period = attribute(CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_SAMPLING_PERIOD);
  period.attributeData.samplingPeriodData.samplingPeriod = setup.periodExponent;
  auto mode = attribute(CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_COLLECTION_MODE);
  mode.attributeData.collectionModeData.collectionMode =
      CUPTI_PC_SAMPLING_COLLECTION_MODE_CONTINUOUS;
  auto scratch = attribute(CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_SCRATCH_BUFFER_SIZE);
  scratch.attributeData.scratchBufferSizeData.scratchBufferSize = kScratchBytes;
  auto hardware = attribute(CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_HARDWARE_BUFFER_SIZE);
  hardware.attributeData.hardwareBufferSizeData.hardwareBufferSize = setup.hardwareBufferBytes;
  auto control = attribute(CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_ENABLE_START_STOP_CONTROL);
  control.attributeData.enableStartStopControlData.enableStartStopControl = 1;
  auto buffer = attribute(CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_SAMPLING_DATA_BUFFER);
  buffer.attributeData.samplingDataBufferData.samplingDataBuffer = m_configured->data();
  std::array attributes = {reasons, period, mode, scratch, hardware, control, buffer};
  CUpti_PCSamplingConfigurationInfoParams params = {};
  params.size = CUpti_PCSamplingConfigurationInfoParamsSize;
  params.ctx = m_context;
  params.numAttributes = attributes.size();
  params.pPCSamplingConfigurationInfo = attributes.data();
  TILESCOPE_CALL_CUPTI(cuptiPCSamplingSetConfigurationAttribute, &params);
  for (const CUpti_PCSamplingConfigurationInfo &info : attributes)
    if (auto refused =
            m_library.refusal(info.attributeStatus, "setting an attribute of cuptiPCSampling"))
      return *refused;
  return granted();
}

Grant<std::map<uint32_t, std::string>> LoadedPcSampler::open(const PcSamplerSetup &setup) {
  m_context = currentContext();
  CUpti_PCSamplingEnableParams enable = {};
  enable.size = CUpti_PCSamplingEnableParamsSize;
  enable.ctx = m_context;
  TILESCOPE_CALL_CUPTI(cuptiPCSamplingEnable, &enable);
  auto reasons = readReasons();
  if (!reasons)
    return reasons.refusal();
  m_configured = std::make_unique<SampleBuffer>(m_reasonNumbers.size());
  m_fetched = std::make_unique<SampleBuffer>(m_reasonNumbers.size());
  if (Granted configured = configure(setup); !configured)
    return configured.refusal();
  return reasons;
}

Granted LoadedPcSampler::start() {
  CUpti_PCSamplingStartParams params = {};
  params.size = CUpti_PCSamplingStartParamsSize;
  params.ctx = m_context;
  TILESCOPE_CALL_CUPTI(cuptiPCSamplingStart, &params);
  return granted();
}

Granted LoadedPcSampler::stop() {
  CUpti_PCSamplingStopParams params = {};
  params.size = CUpti_PCSamplingStopParamsSize;
  params.ctx = m_context;
  TILESCOPE_CALL_CUPTI(cuptiPCSamplingStop, &params);
  return granted();
}

/// Appends what a buffer holds. `names`: strings that CUPTI has allocated, one for many records.
static void append(const CUpti_PCSamplingData &data, PcRecords &all, std::set<char *> &names) {
  all.total += data.totalSamples;
  all.dropped += data.droppedSamples;
  all.nonUser += data.nonUsrKernelsTotalSamples;
  for (size_t i = 0; i < data.totalNumPcs; ++i) {
    const CUpti_PCSamplingPCData &pc = data.pPcData[i];
    PcRecord record;
    record.function = pc.functionName ? pc.functionName : "";
    record.offset = pc.pcOffset;
    for (size_t k = 0; k < pc.stallReasonCount; ++k)
      record.reasons.emplace_back(pc.stallReason[k].pcSamplingStallReasonIndex,
                                  pc.stallReason[k].samples);
    all.records.push_back(std::move(record));
    names.insert(pc.functionName);
  }
}

Grant<PcRecords> LoadedPcSampler::take() {
  PcRecords all;
  std::set<char *> names;
  CUpti_PCSamplingGetDataParams params = {};
  params.size = CUpti_PCSamplingGetDataParamsSize;
  params.ctx = m_context;
  params.pcSamplingData = m_fetched->data();
  do {
    m_fetched->clear();
    TILESCOPE_CALL_CUPTI(cuptiPCSamplingGetData, &params);
    if ((**m_fetched).hardwareBufferFull != 0)
      return DriverRefusal{RefusalKind::OutOfMemory, "the buffer for samples is full"};
    append(**m_fetched, all, names);
  } while ((**m_fetched).remainingNumPcs > 0);
  for (char *name : names)
    std::free(name);
  return all;
}

Granted LoadedPcSampler::close() {
  CUpti_PCSamplingDisableParams params = {};
  params.size = CUpti_PCSamplingDisableParamsSize;
  params.ctx = m_context;
  TILESCOPE_CALL_CUPTI(cuptiPCSamplingDisable, &params);
  return granted();
}

Grant<std::unique_ptr<PcSampler>> loadPcSampler() {
  const Grant<ProfilingLibrary> library = ProfilingLibrary::open();
  if (!library)
    return library.refusal();
  Api api;
  TILESCOPE_SAMPLING_FUNCTIONS(TILESCOPE_FIND_CUPTI)
  return std::unique_ptr<PcSampler>(std::make_unique<LoadedPcSampler>(*library, api));
}

} // namespace tilescope::profiler
