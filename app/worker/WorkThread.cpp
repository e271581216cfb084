// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/worker/WorkThread.h"

#include "app/worker/LastWords.h"

#include <algorithm>
#include <pthread.h>
#include <sys/resource.h>

namespace tilescope::app {

static constexpr size_t kStackBytes = size_t{512} << 20;
static constexpr size_t kLeastStackBytes = size_t{8} << 20;

static void *runWork(void *work) {
  reportStackOverflows();
  (*static_cast<const std::function<void()> *>(work))();
  return nullptr;
}

void runWithLargeStack(const std::function<void()> &work) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_t thread;
  void *argument = const_cast<std::function<void()> *>(&work);
  rlimit memory{};
  getrlimit(RLIMIT_AS, &memory);
  bool started = false;
  for (size_t size = std::min<rlim_t>(kStackBytes, memory.rlim_cur / 8);
       !started && size >= kLeastStackBytes; size /= 2)
    started = pthread_attr_setstacksize(&attributes, size) == 0 &&
              pthread_create(&thread, &attributes, &runWork, argument) == 0;
  pthread_attr_destroy(&attributes);
  if (started)
    pthread_join(thread, nullptr);
  else
    runWork(argument);
}

} // namespace tilescope::app
