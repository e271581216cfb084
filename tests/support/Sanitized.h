// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// What differs in programs that a sanitizer was built into.
#pragma once

#if !defined(__has_feature)
#define __has_feature(name) 0
#endif
#if __has_feature(address_sanitizer)
#include <sanitizer/lsan_interface.h>
#endif

namespace tilescope::tests {

/// Their address space cannot be bounded: the sanitizer's own bookkeeping maps terabytes.
inline constexpr bool kIsSanitized =
    __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);

/// Signals of other threads wait until a thread calls the C library, which compiled kernels never do.
inline constexpr bool kDefersSignals = __has_feature(thread_sanitizer);

/// How much longer work may take: they are not optimized, either.
inline constexpr int kSlowdown = kIsSanitized ? 10 : 1;

/// What is allocated while it lives may leak: for code of others that has no cleanup.
#if __has_feature(address_sanitizer)
using LeaksAllowed = __lsan::ScopedDisabler;
#else
struct LeaksAllowed {
  LeaksAllowed() {}
};
#endif

} // namespace tilescope::tests
