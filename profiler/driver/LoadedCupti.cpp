// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/driver/Cupti.h"
#include "profiler/driver/CuptiLibrary.h"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <mutex>

namespace tilescope::profiler {

// CUPTI 12 fills the ninth layout of kernel records, 13 the tenth; what is read here is in both.
static_assert(offsetof(CUpti_ActivityKernel9, start) == offsetof(CUpti_ActivityKernel10, start));
static_assert(offsetof(CUpti_ActivityKernel9, name) == offsetof(CUpti_ActivityKernel10, name));
static_assert(offsetof(CUpti_ActivityKernel9, gridX) == offsetof(CUpti_ActivityKernel10, gridX));
static_assert(offsetof(CUpti_ActivityKernel9, dynamicSharedMemory) ==
              offsetof(CUpti_ActivityKernel10, dynamicSharedMemory));
static_assert(offsetof(CUpti_ActivityKernel9, graphNodeId) ==
              offsetof(CUpti_ActivityKernel10, graphNodeId));

namespace {
struct Api {
#define TILESCOPE_CUPTI_FUNCTIONS(X)                                                               \
  X(cuptiActivityRegisterCallbacks)                                                                \
  X(cuptiActivityEnable)                                                                           \
  X(cuptiActivityDisable)                                                                          \
  X(cuptiActivityFlushAll)                                                                         \
  X(cuptiActivityGetNextRecord)                                                                    \
  X(cuptiGetResultString)
#define TILESCOPE_DECLARE(function) decltype(&::function) function##Fn = nullptr;
  TILESCOPE_CUPTI_FUNCTIONS(TILESCOPE_DECLARE)
#undef TILESCOPE_DECLARE
};

/// Where CUPTI's callbacks, which carry no pointer of ours and come on CUPTI's own thread, put what
/// they got. The only state of the program that is not passed along.
struct Inbox {
  std::mutex mutex;
  Api api;
  std::vector<KernelRecord> records;
};
} // namespace

static Inbox &inbox() {
  static Inbox instance;
  return instance;
}

static constexpr size_t kBufferBytes = 4 << 20;
static constexpr size_t kBufferAlignment = 8;

static void CUPTIAPI bufferRequested(uint8_t **buffer, size_t *size, size_t *maxNumRecords) {
  *buffer = static_cast<uint8_t *>(std::aligned_alloc(kBufferAlignment, kBufferBytes));
  *size = *buffer ? kBufferBytes : 0;
  *maxNumRecords = 0;
}

static KernelRecord toRecord(const CUpti_ActivityKernel9 &activity) {
  KernelRecord record;
  record.name = activity.name ? activity.name : "";
  record.startNs = activity.start;
  record.endNs = activity.end;
  record.grid = {activity.gridX, activity.gridY, activity.gridZ};
  record.registers = activity.registersPerThread;
  record.staticSharedBytes = activity.staticSharedMemory;
  record.dynamicSharedBytes = activity.dynamicSharedMemory;
  record.graphNode = activity.graphNodeId;
  return record;
}

static void CUPTIAPI bufferCompleted(CUcontext, uint32_t, uint8_t *buffer, size_t, size_t valid) {
  Inbox &box = inbox();
  std::lock_guard lock(box.mutex);
  CUpti_Activity *activity = nullptr;
  while (box.api.cuptiActivityGetNextRecordFn(buffer, valid, &activity) == CUPTI_SUCCESS)
    if (activity->kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL ||
        activity->kind == CUPTI_ACTIVITY_KIND_KERNEL)
      box.records.push_back(toRecord(*reinterpret_cast<CUpti_ActivityKernel9 *>(activity)));
  std::free(buffer);
}

namespace {
class LoadedCupti : public Cupti {
public:
  explicit LoadedCupti(const Api &api) : m_api(api) {}

  Status enable() override;
  Status disable() override;
  Result<std::vector<KernelRecord>> take() override;

private:
  Status check(CUptiResult result, const char *function) const;
  Api m_api;
};
} // namespace

Status LoadedCupti::check(CUptiResult result, const char *function) const {
  if (result == CUPTI_SUCCESS)
    return {};
  const char *words = nullptr;
  m_api.cuptiGetResultStringFn(result, &words);
  return Error{ErrorCode::Environment,
               std::string(function) + " failed: " + (words ? words : std::to_string(result)),
               result == CUPTI_ERROR_INSUFFICIENT_PRIVILEGES
                   ? "the driver lets only administrators profile: set "
                     "NVreg_RestrictProfilingToAdminUsers=0"
                   : ""};
}

Status LoadedCupti::enable() {
  inbox().api = m_api;
  if (Status status =
          check(m_api.cuptiActivityRegisterCallbacksFn(bufferRequested, bufferCompleted),
                "cuptiActivityRegisterCallbacks");
      !status)
    return status;
  return check(m_api.cuptiActivityEnableFn(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL),
               "cuptiActivityEnable");
}

Status LoadedCupti::disable() {
  return check(m_api.cuptiActivityDisableFn(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL),
               "cuptiActivityDisable");
}

Result<std::vector<KernelRecord>> LoadedCupti::take() {
  if (Status status = check(m_api.cuptiActivityFlushAllFn(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED),
                            "cuptiActivityFlushAll");
      !status)
    return status.error();
  Inbox &box = inbox();
  std::lock_guard lock(box.mutex);
  std::vector<KernelRecord> records = std::move(box.records);
  box.records.clear();
  std::sort(records.begin(), records.end(),
            [](const KernelRecord &a, const KernelRecord &b) { return a.startNs < b.startNs; });
  return records;
}

Result<std::unique_ptr<Cupti>> loadCupti() {
  Result<DynamicLibrary> library = openCupti();
  if (!library)
    return library.error();
  Api api;
  const char *missing = nullptr;
#define TILESCOPE_RESOLVE(function)                                                                \
  api.function##Fn = reinterpret_cast<decltype(api.function##Fn)>(library->symbol(#function));     \
  if (!api.function##Fn)                                                                           \
    missing = #function;
  TILESCOPE_CUPTI_FUNCTIONS(TILESCOPE_RESOLVE)
#undef TILESCOPE_RESOLVE
  if (missing)
    return Error{ErrorCode::Environment, "libcupti lacks `" + std::string(missing) + "`",
                 "it should be of the CUDA Toolkit 12 or 13"};
  return std::unique_ptr<Cupti>(std::make_unique<LoadedCupti>(api));
}

} // namespace tilescope::profiler
