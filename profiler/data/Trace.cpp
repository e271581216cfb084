// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/data/Trace.h"

#include <algorithm>
#include <array>

namespace tilescope::profiler {

namespace {
struct KindText {
  std::string_view name;
  std::string_view title;
};
} // namespace

/// By the enumeration's values.
static constexpr auto kKinds = std::to_array<KindText>({{"load", "Loads"},
                                                        {"copy", "Copies"},
                                                        {"wait", "Waits"},
                                                        {"product", "Products"},
                                                        {"barrier", "Barriers"},
                                                        {"store", "Stores"},
                                                        {"exchange", "Exchanges"}});
static_assert(kKinds.size() == kNumTraceKinds);

std::string_view traceKindName(TraceKind kind) { return kKinds[static_cast<size_t>(kind)].name; }

std::string_view traceKindTitle(TraceKind kind) { return kKinds[static_cast<size_t>(kind)].title; }

std::optional<TraceKind> traceKindNamed(std::string_view name) {
  const auto *found = std::ranges::find(kKinds, name, &KindText::name);
  if (found == kKinds.end())
    return std::nullopt;
  return static_cast<TraceKind>(found - kKinds.begin());
}

const TraceScope *TraceTable::scope(uint32_t id) const {
  const auto found = std::ranges::find(scopes, id, &TraceScope::id);
  return found == scopes.end() ? nullptr : &*found;
}

int64_t TraceTable::scratchBytes() const {
  const auto numParts = static_cast<int64_t>(programs.size() * warps.size());
  return numParts * (kTraceHeaderBytes + records * kTraceRecordBytes);
}

} // namespace tilescope::profiler
