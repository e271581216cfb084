// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/ModelBench.h"

#include "app/commands/TimeStatsJson.h"
#include "compiler/support/BytesText.h"
#include "profiler/data/Text.h"
#include "profiler/data/TimeText.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <numeric>

namespace tilescope::app {

using nlohmann::json;
using profiler::timeText;

static std::string kernelText(const ModelBench::Kernel &kernel) {
  if (!kernel.us)
    return "";
  const double us = kernel.us->median;
  std::string text = fmt::format("{:>10} ({} to {})  {}", timeText(us), timeText(kernel.us->min),
                                 timeText(kernel.us->max), bytesText(kernel.bytes));
  if (us > 0)
    text += fmt::format(", {:.1f} GB/s", static_cast<double>(kernel.bytes) / us / 1e3);
  if (us > 0 && kernel.flops > 0)
    text += fmt::format(", {:.1f} GFLOP/s", static_cast<double>(kernel.flops) / us / 1e3);
  if (kernel.leastUs && us > 0)
    text += fmt::format(", {:.0f} % of the ceiling", *kernel.leastUs / us * 100);
  return text + fmt::format("  {} of {}\n", kernel.function, kernel.node);
}

std::string benchText(const std::string &file, const ModelBench &bench) {
  std::vector<size_t> order(bench.kernels.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::stable_sort(order, std::ranges::greater(), [&](size_t i) {
    const auto &us = bench.kernels[i].us;
    return us ? us->median : 0;
  });
  std::string text = fmt::format("{} on {}\n", file, bench.device);
  for (const size_t i : order)
    text += kernelText(bench.kernels[i]);
  text += fmt::format("first run: {} to read and plan, {} to compile and run\n",
                      timeText(bench.readUs), timeText(bench.firstUs));
  text += fmt::format("a new shape: {} to plan again, and the kernels that it changes\n",
                      timeText(bench.shapeUs));
  text += fmt::format(
      "steady: {} (median of {} runs, {} to {}), {} kernels {}\n", timeText(bench.steadyUs.median),
      bench.steadyUs.n, timeText(bench.steadyUs.min), timeText(bench.steadyUs.max),
      bench.kernels.size(), bench.isGraph ? "as one CUDA graph" : "one after another");
  for (const std::string &note : bench.notes)
    text += "note: " + note + "\n";
  return profiler::printable(text) + (bench.variants ? variantsText(*bench.variants) : "");
}

json benchJson(const std::string &file, const ModelBench &bench) {
  json kernels = json::array();
  for (const ModelBench::Kernel &each : bench.kernels)
    kernels.push_back({{"function", each.function},
                       {"node", each.node},
                       {"bytes", each.bytes},
                       {"flops", each.flops},
                       {"us", each.us ? timeStatsJson(*each.us) : json()},
                       {"least_us", each.leastUs ? json(*each.leastUs) : json()},
                       {"start_us", each.span ? json(each.span->startUs) : json()},
                       {"span_us", each.span ? json(each.span->us) : json()}});
  json object = {{"file", file},
                 {"ok", true},
                 {"device", bench.device},
                 {"read_us", bench.readUs},
                 {"first_us", bench.firstUs},
                 {"shape_us", bench.shapeUs},
                 {"steady_us", timeStatsJson(bench.steadyUs)},
                 {"graph", bench.isGraph},
                 {"notes", bench.notes},
                 {"kernels", std::move(kernels)}};
  if (bench.variants)
    object["variants"] = variantsJson(*bench.variants);
  return object;
}

} // namespace tilescope::app
