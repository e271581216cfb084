// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <utility>

namespace tilescope::app {

/// What can be compiled for, with the machines that have it.
inline constexpr std::pair<const char *, const char *> kTargets[] = {
    {"cuda:80", "cuda:80  A100"},
    {"cuda:86", "cuda:86  RTX 30"},
    {"cuda:89", "cuda:89  RTX 40"},
    {"cuda:90", "cuda:90  H100, H200"},
    {"cuda:100", "cuda:100  B200"},
    {"cuda:120", "cuda:120  RTX 50"},
    {"cpu:native", "cpu:native  this processor"},
    {"cpu:x86-64-v3", "cpu:x86-64-v3  AVX2"},
    {"cpu:x86-64-v4", "cpu:x86-64-v4  AVX-512"},
    {"cpu:sapphirerapids", "cpu:sapphirerapids  AMX"},
    {"cpu:neoverse-v1", "cpu:neoverse-v1  SVE"}};

} // namespace tilescope::app
