// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/driver/CuptiLibrary.h"

#include "profiler/driver/Cupti.h"

#include <vector>

namespace tilescope::profiler {

/// The loader's own search, then where the toolkit puts it.
static std::vector<std::string> candidates() {
  std::vector<std::string> names = {"libcupti.so.13", "libcupti.so.12", "libcupti.so"};
  for (const char *root : {"/usr/local/cuda", "/usr/local/cuda-13", "/usr/local/cuda-12"})
    for (const char *folder : {"/extras/CUPTI/lib64/", "/lib64/", "/lib/"})
      for (const char *name : {"libcupti.so.13", "libcupti.so.12"})
        names.push_back(std::string(root) + folder + name);
  return names;
}

Result<DynamicLibrary> openCupti() {
  Result<DynamicLibrary> library = DynamicLibrary::open(candidates());
  if (!library)
    return Error{ErrorCode::Environment, library.error().message,
                 "CUPTI comes with the CUDA Toolkit (libcupti.so.13 or .12); "
                 "LD_LIBRARY_PATH may name its folder"};
  return library;
}

std::string cuptiFolder() {
  const Result<DynamicLibrary> library = openCupti();
  return library ? library->folder() : std::string();
}

Grant<ProfilingLibrary> ProfilingLibrary::open() {
  // Records of samples have another size before CUPTI 12.4.
  constexpr uint32_t kOldestVersion = 22;
  Result<DynamicLibrary> opened = openCupti();
  if (!opened)
    return DriverRefusal{RefusalKind::LibraryMissing, opened.error().message};
  // CUPTI opens these by their bare names and does not look beside itself. Where they are missing,
  // its functions say so.
  const std::string folder = opened->folder();
  for (const char *name : {"libnvperf_host.so", "libnvperf_target.so"})
    if (!folder.empty())
      (void)DynamicLibrary::open({folder + "/" + name});
  ProfilingLibrary library(*opened);
  library.m_words =
      reinterpret_cast<decltype(library.m_words)>(opened->symbol("cuptiGetResultString"));
  const auto version =
      reinterpret_cast<decltype(&::cuptiGetVersion)>(opened->symbol("cuptiGetVersion"));
  if (version == nullptr || version(&library.m_version) != CUPTI_SUCCESS ||
      library.m_version < kOldestVersion)
    return DriverRefusal{RefusalKind::LibraryTooOld,
                         "this libcupti is older than the one of CUDA 12.4"};
  return library;
}

std::optional<DriverRefusal> ProfilingLibrary::refusal(CUptiResult result,
                                                       const char *function) const {
  if (result == CUPTI_SUCCESS)
    return std::nullopt;
  const char *words = nullptr;
  if (m_words)
    m_words(result, &words);
  return DriverRefusal{refusalKind(result), std::string(function) + " failed: " +
                                                (words ? words : std::to_string(result))};
}

DriverRefusal ProfilingLibrary::missing(const char *function) const {
  return {RefusalKind::LibraryTooOld,
          "libcupti (version " + std::to_string(m_version) + ") lacks `" + function + "`"};
}

CUcontext currentContext() {
  const Result<DynamicLibrary> driver = DynamicLibrary::open({"libcuda.so.1"});
  if (!driver)
    return nullptr;
  const auto get =
      reinterpret_cast<decltype(&::cuCtxGetCurrent)>(driver->symbol("cuCtxGetCurrent"));
  CUcontext context = nullptr;
  if (get == nullptr || get(&context) != CUDA_SUCCESS)
    return nullptr;
  return context;
}

// What `refusalKind` relies on.
static_assert(CUPTI_ERROR_INSUFFICIENT_PRIVILEGES == 35 && CUPTI_ERROR_HARDWARE_BUSY == 26 &&
              CUPTI_ERROR_NOT_SUPPORTED == 27 && CUPTI_ERROR_OUT_OF_MEMORY == 8 &&
              CUPTI_ERROR_VIRTUALIZED_DEVICE_NOT_SUPPORTED == 33 &&
              CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED == 39 &&
              CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES == 40 &&
              CUPTI_ERROR_WSL_DEVICE_NOT_SUPPORTED == 45);

} // namespace tilescope::profiler
