// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/OtherOrder.h"

#include "app/commands/DiagnosticText.h"

#include <algorithm>

namespace tilescope::app {

using profiler::MatchDoubt;
using profiler::OutputComparison;
using profiler::OutputResult;

/// Whether it is more than sums in another order may differ by.
static bool isWrongAnyhow(const OutputResult &output) {
  constexpr double kMostOfRounding = 1e-2;
  const OutputComparison *comparison = output.comparison ? &*output.comparison : nullptr;
  const bool isFloat = output.dtype.starts_with("fp") || output.dtype.starts_with("bf");
  return comparison && comparison->fault.empty() && comparison->mismatches > 0 &&
         (!isFloat || comparison->relErrorInNorm > kMostOfRounding);
}

void doubtOrder(const LaunchRun &native, LaunchRun &interpreted) {
  if (!native.measurement || !interpreted.measurement || hasErrors(native.diagnostics))
    return;
  for (OutputResult &output : interpreted.measurement->outputs) {
    const auto other =
        std::ranges::find(native.measurement->outputs, output.name, &OutputResult::name);
    if (!output.comparison || !output.comparison->ok() ||
        output.comparison->doubt != MatchDoubt::None ||
        other == native.measurement->outputs.end() || !isWrongAnyhow(*other))
      continue;
    output.comparison->doubt = MatchDoubt::Order;
    const int64_t wrong = other->comparison->mismatches;
    interpreted.measurement->notes.push_back(
        "native code combines elements in another order, and leaves " + std::to_string(wrong) +
        (wrong == 1 ? " element of `" : " elements of `") + output.name + "` wrong");
  }
}

} // namespace tilescope::app
