// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

namespace tilescope::profiler {

/// The fields of `TimeStats`, for JsonFields.h.
template <typename Way, typename Time> void timeFields(Way way, Time &time) {
  way.field("median", time.median);
  way.field("min", time.min);
  way.field("max", time.max);
  way.field("n", time.n);
  way.field("spread", time.spread);
  way.field("samples", time.samples);
}

} // namespace tilescope::profiler
