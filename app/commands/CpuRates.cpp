// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/CpuRates.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <functional>
#include <thread>
#include <vector>

namespace tilescope::app {

using Clock = std::chrono::steady_clock;

/// The best of these counts: others had the processors in the meantime.
static constexpr int kTries = 5;
static constexpr size_t kCopiedBytes = size_t{96} << 20;
static constexpr uint64_t kRounds = 256'000'000;
/// Independent sums, which hide how long each step takes.
static constexpr size_t kNumSums = 12;

using Lanes4 [[gnu::vector_size(16)]] = float;
using Lanes8 [[gnu::vector_size(32)]] = float;
using Lanes16 [[gnu::vector_size(64)]] = float;

/// Floating-point operations of one thread. `sum`: so that there is a result.
template <typename Lanes>
[[gnu::always_inline]] static inline double multiplyAdd(volatile float &sum) {
  Lanes sums[kNumSums] = {};
  const Lanes factor = Lanes{} + 0.999F, addend = Lanes{} + 0.001F;
  for (uint64_t round = 0; round < kRounds / sizeof(Lanes); ++round)
    for (Lanes &each : sums)
      each = each * factor + addend;
  for (const Lanes &each : sums)
    sum = sum + each[0];
  return 2.0 * kNumSums * double(kRounds / sizeof(Lanes)) * double(sizeof(Lanes) / sizeof(float));
}

static double multiplyAdd4(volatile float &sum) { return multiplyAdd<Lanes4>(sum); }

#if defined(__x86_64__)
[[gnu::target("avx2,fma")]] static double multiplyAdd8(volatile float &sum) {
  return multiplyAdd<Lanes8>(sum);
}
[[gnu::target("avx512f,fma")]] static double multiplyAdd16(volatile float &sum) {
  return multiplyAdd<Lanes16>(sum);
}
#endif

static double (*widest())(volatile float &) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f"))
    return multiplyAdd16;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    return multiplyAdd8;
#endif
  return multiplyAdd4;
}

/// The most that the threads do in a nanosecond; `work` returns how much one of them has done.
static double bestRate(unsigned numThreads, const std::function<double(unsigned thread)> &work) {
  double best = 0;
  for (int i = 0; i < kTries; ++i) {
    std::vector<double> done(numThreads);
    const auto begin = Clock::now();
    {
      std::vector<std::jthread> threads;
      for (unsigned thread = 0; thread < numThreads; ++thread)
        threads.emplace_back([&, thread] { done[thread] = work(thread); });
    }
    const double ns = std::chrono::duration<double, std::nano>(Clock::now() - begin).count();
    double sum = 0;
    for (const double each : done)
      sum += each;
    best = std::max(best, sum / ns);
  }
  return best;
}

CpuRates measureCpuRates() {
  const unsigned numThreads = std::max(1U, std::thread::hardware_concurrency());
  // Touched here, so that the first copy is not the one that gets its memory.
  std::vector<char> from(kCopiedBytes, 1), to(kCopiedBytes, 2);
  const size_t share = kCopiedBytes / numThreads;
  CpuRates rates;
  rates.gbPerS = bestRate(numThreads, [&](unsigned thread) {
    std::memcpy(to.data() + thread * share, from.data() + thread * share, share);
    return 2.0 * double(share);
  });
  std::vector<float> sums(numThreads);
  rates.gflopPerS = bestRate(numThreads, [&](unsigned thread) {
    volatile float sum = 0;
    const double done = widest()(sum);
    sums[thread] = sum;
    return done;
  });
  return rates;
}

} // namespace tilescope::app
