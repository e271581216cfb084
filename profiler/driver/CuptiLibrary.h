// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/driver/DynamicLibrary.h"
#include "profiler/driver/Grant.h"

#include <cupti.h>

#include <optional>
#include <string>

/// libcupti and what it needs beside it. For the files of this folder that include CUPTI's headers.
namespace tilescope::profiler {

/// Opens libcupti, wherever the toolkit has put it. The error's hint says what provides it.
Result<DynamicLibrary> openCupti();

/// The library as the profiling interfaces need it: with its own helpers, and not too old.
class ProfilingLibrary {
public:
  static Grant<ProfilingLibrary> open();

  void *symbol(const char *name) const { return m_library.symbol(name); }
  /// Nothing when the call succeeded.
  std::optional<DriverRefusal> refusal(CUptiResult result, const char *function) const;
  /// That a function is not in the library.
  DriverRefusal missing(const char *function) const;

private:
  explicit ProfilingLibrary(DynamicLibrary library) : m_library(library) {}

  DynamicLibrary m_library;
  decltype(&::cuptiGetResultString) m_words = nullptr;
  uint32_t m_version = 0;
};

/// The context that is current in this thread; null without one.
CUcontext currentContext();

} // namespace tilescope::profiler

/// In a function that returns a `Grant`: calls a function of the member `m_api`, and returns the
/// refusal unless it succeeds.
#define TILESCOPE_CALL_CUPTI(function, ...)                                                        \
  if (auto refused = m_library.refusal(m_api.function##Fn(__VA_ARGS__), #function))                \
  return *refused

/// Declares the parameters of a function, all zero but their size.
#define TILESCOPE_CUPTI_PARAMS(type, name)                                                         \
  type name = {};                                                                                  \
  name.structSize = type##_STRUCT_SIZE

// One list of functions declares the pointers to them and finds them in the library.
#define TILESCOPE_DECLARE_CUPTI(function) decltype(&::function) function##Fn = nullptr;
#define TILESCOPE_FIND_CUPTI(function)                                                             \
  api.function##Fn = reinterpret_cast<decltype(api.function##Fn)>(library->symbol(#function));     \
  if (!api.function##Fn)                                                                           \
    return library->missing(#function);
