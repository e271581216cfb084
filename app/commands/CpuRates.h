// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

namespace tilescope::app {

/// What all processors of this machine do together, at most.
struct CpuRates {
  /// Of a copy that fits into no cache: bytes that are read and bytes that are written.
  double gbPerS = 0;
  /// Of fused multiply-adds of fp32 in the widest registers.
  double gflopPerS = 0;
};

/// Measures them, which takes about a third of a second.
CpuRates measureCpuRates();

} // namespace tilescope::app
