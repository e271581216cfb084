// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// What a traced kernel writes for each warp. Whoever decodes it says the same in
// `profiler/data/Trace.h`.
#pragma once

#include <cstdint>

namespace tilescope::compiler {

inline constexpr int64_t kTraceHeaderBytes = 64, kTraceRecordBytes = 8;
/// "TRC1", little-endian.
inline constexpr int64_t kTraceMagic = 0x31435254;
/// Places in the header. The multiprocessor is behind the magic number, each clock behind its time.
inline constexpr int64_t kTraceMagicAt = 0, kTraceStartAt = 8, kTraceEndAt = 24, kTraceCountAt = 40;
/// Values that were waited for are stored there; they say nothing.
inline constexpr int64_t kTraceAwaitedAt = 48;
/// The first record.
inline constexpr int64_t kTraceRecordsAt = kTraceHeaderBytes;

} // namespace tilescope::compiler
