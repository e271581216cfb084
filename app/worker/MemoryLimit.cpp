// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/worker/MemoryLimit.h"

#include <algorithm>
#include <cstdlib>
#include <sys/resource.h>
#include <unistd.h>

namespace tilescope::app {

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
static constexpr bool kSanitized = true;
#else
static constexpr bool kSanitized = false;
#endif
#else
static constexpr bool kSanitized = false;
#endif

/// The libraries alone map half of it.
static constexpr uint64_t kLeastBytes = uint64_t{1} << 30;

uint64_t shareOfMemory(uint64_t allBytes, unsigned numWorkers) {
  const uint64_t share = allBytes / std::max(1u, numWorkers);
  return std::max(share, std::min(allBytes, kLeastBytes));
}

/// For all workers.
static rlim_t limitBytes() {
  if (const char *text = std::getenv("TILESCOPE_MEMORY_LIMIT_MB"))
    if (const long long megabytes = std::atoll(text); megabytes > 0)
      return static_cast<rlim_t>(megabytes) << 20;
  const auto physical =
      static_cast<rlim_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<rlim_t>(sysconf(_SC_PAGE_SIZE));
  return std::max<rlim_t>(physical / 4 * 3, rlim_t{2} << 30);
}

void limitMemory(unsigned numWorkers) {
  if (kSanitized)
    return;
  const rlim_t bytes = shareOfMemory(limitBytes(), numWorkers);
  const rlimit limit{bytes, bytes};
  setrlimit(RLIMIT_AS, &limit);
}

} // namespace tilescope::app
