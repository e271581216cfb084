// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/native/ProgramCalls.h"

#include "compiler/conversion/tt_to_cpu/Calls.h"
#include "compiler/native/ProgramGuard.h"

#include <atomic>
#include <chrono>
#include <cstring>
#include <span>
#include <thread>

namespace tilescope::native {

using compiler::interpreter::PrintedValue;

void ProgramCalls::print(const int32_t *launch, size_t number, const std::byte *const *elements) {
  if (m_prints.size() >= m_maxPrints)
    return;
  const KernelPrint &print = m_kernel.prints()[number];
  std::vector<PrintedValue> values = print.values;
  for (size_t i = 0; i < values.size(); ++i)
    values[i].elements = elements[i];
  const std::array<int32_t, 3> programId{launch[0], launch[1], launch[2]};
  m_prints.push_back(
      {programId, number,
       compiler::interpreter::printText(programId, print.prefix, print.isHex, values)});
}

void ProgramCalls::assemble(size_t number, std::byte *const *arrays) const {
  const KernelAssembly &assembly = m_kernel.assemblies()[number];
  const size_t numResults = assembly.parsed.results.size();
  const std::span arguments(arrays + numResults, assembly.parsed.arguments.size());
  runAssembly(assembly.parsed, {arrays, numResults}, {arguments.data(), arguments.size()},
              assembly.numElements);
}

void setCalls(int32_t *launch, ProgramCalls *calls) {
  std::memcpy(launch + cpu::kCallsWord, &calls, sizeof(calls));
}

static ProgramCalls &callsOf(const int32_t *launch) {
  ProgramCalls *calls = nullptr;
  std::memcpy(&calls, launch + cpu::kCallsWord, sizeof(calls));
  return *calls;
}

// Both take memory, and so may not be left in the middle.

static void print(int32_t *launch, int32_t number, const std::byte *const *values) {
  callWhole(__builtin_return_address(0),
            [&] { callsOf(launch).print(launch, static_cast<size_t>(number), values); });
}

static void assemble(int32_t *launch, int32_t number, std::byte *const *arrays) {
  callWhole(__builtin_return_address(0),
            [&] { callsOf(launch).assemble(static_cast<size_t>(number), arrays); });
}

static int64_t valueAt(const std::byte *memory, int64_t bytes) {
  const auto look = [&]<typename T>(T) -> int64_t {
    T *cell = reinterpret_cast<T *>(const_cast<std::byte *>(memory));
    return std::atomic_ref<T>(*cell).load(std::memory_order_acquire);
  };
  return bytes == 2 ? look(int16_t()) : bytes == 4 ? look(int32_t()) : look(int64_t());
}

/// It holds nothing, and so may be left in the middle.
static bool poll(const std::byte *memory, int64_t expected, int64_t bytes, int64_t timeoutNs) {
  using Clock = std::chrono::steady_clock;
  const auto since = Clock::now();
  while (valueAt(memory, bytes) != expected) {
    if (timeoutNs >= 0 && Clock::now() - since > std::chrono::nanoseconds(timeoutNs))
      return false;
    std::this_thread::yield();
  }
  return true;
}

void *callsFunction(std::string_view symbol) {
  if (symbol == std::string_view(cpu::kPrintFunction))
    return reinterpret_cast<void *>(&print);
  if (symbol == std::string_view(cpu::kAssembleFunction))
    return reinterpret_cast<void *>(&assemble);
  if (symbol == std::string_view(cpu::kPollFunction))
    return reinterpret_cast<void *>(&poll);
  return nullptr;
}

} // namespace tilescope::native
