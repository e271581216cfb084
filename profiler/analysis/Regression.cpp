// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/analysis/Regression.h"

#include "profiler/analysis/InterleavedRun.h"
#include "profiler/data/BoundedJson.h"
#include "profiler/data/Dtype.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tilescope::profiler {

using nlohmann::json;

static constexpr const char *kFormat = "tilescope-bench";
static constexpr int kVersion = 1;
/// Clocks that differ by a larger part make other times.
static constexpr double kSameClock = 0.03;

std::string workText(const LaunchPlan &plan) {
  std::string text;
  for (const auto &[name, value] : plan.sizes)
    text += fmt::format("{}{} = {}", text.empty() ? "" : "; ", name, value);
  for (const PlanArgument &argument : plan.args)
    if (const PlanTensor *tensor = argument.tensor())
      text += fmt::format("{}{} {}[{}]", text.empty() ? "" : "; ", argument.name,
                          dtypeName(tensor->dtype), fmt::join(tensor->shape, ", "));
  return text;
}

static json roundsToJson(const TimeRounds &rounds) {
  json list = json::array();
  for (const std::vector<double> &round : rounds) {
    json times = json::array();
    // The clock of the records ticks every 32 ns.
    for (const double time : round)
      times.push_back(std::round(time * 1000) / 1000);
    list.push_back(std::move(times));
  }
  return list;
}

std::string baselineToText(const std::vector<BenchRecord> &records, const std::string &created) {
  json list = json::array();
  for (const BenchRecord &record : records) {
    json key = {
        {"gpu", record.key.gpu}, {"driver", record.key.driver}, {"compiler", record.key.compiler}};
    if (record.key.smClockMhz)
      key["sm_clock_mhz"] = *record.key.smClockMhz;
    list.push_back({{"file", record.file},
                    {"launch", record.launch},
                    {"kernel", record.kernel},
                    {"work", record.work},
                    {"key", std::move(key)},
                    {"rounds_us", roundsToJson(record.rounds)}});
  }
  // A line for each record, so that differences between baselines can be read.
  std::string text = fmt::format("{{\"format\": \"{}\", \"version\": {}, \"created\": {},\n"
                                 "\"records\": [",
                                 kFormat, kVersion, json(created).dump());
  for (size_t i = 0; i < list.size(); ++i)
    text += (i == 0 ? "\n" : ",\n") + list[i].dump(-1, ' ', false, json::error_handler_t::replace);
  return text + "\n]}\n";
}

static BenchRecord recordFromJson(const json &object) {
  BenchRecord record;
  record.file = jsonAs<std::string>(object.at("file"));
  record.launch = jsonAs<std::string>(object.at("launch"));
  record.kernel = jsonAs<std::string>(object.at("kernel"));
  record.work = jsonOr(object, "work", std::string());
  const json &key = object.at("key");
  record.key.gpu = jsonAs<std::string>(key.at("gpu"));
  record.key.driver = jsonAs<std::string>(key.at("driver"));
  record.key.compiler = jsonAs<std::string>(key.at("compiler"));
  if (key.contains("sm_clock_mhz"))
    record.key.smClockMhz = jsonAs<double>(key.at("sm_clock_mhz"));
  record.rounds = roundsFromJson(object.at("rounds_us"));
  return record;
}

Result<std::vector<BenchRecord>> baselineFromText(std::string_view text) {
  return readJson(text, "a baseline", [](const json &document) {
    if (jsonOr(document, "format", std::string()) != kFormat)
      throw std::invalid_argument("its `format` is not `" + std::string(kFormat) + "`");
    const int version = jsonOr(document, "version", 0);
    if (version != kVersion)
      throw std::invalid_argument("it has version " + std::to_string(version) +
                                  ", and this program reads " + std::to_string(kVersion));
    std::vector<BenchRecord> records;
    for (const json &record : document.at("records"))
      records.push_back(recordFromJson(record));
    return records;
  });
}

const char *benchStatusName(BenchStatus status) {
  switch (status) {
  case BenchStatus::Unchanged:
    return "unchanged";
  case BenchStatus::Regressed:
    return "regressed";
  case BenchStatus::Improved:
    return "improved";
  case BenchStatus::New:
    return "new";
  case BenchStatus::NotComparable:
    return "not comparable";
  case BenchStatus::Failed:
    return "failed";
  }
  return "";
}

/// Why the times of two records cannot be compared; empty when they can.
static std::string difference(const BenchRecord &now, const BenchRecord &then) {
  const auto changed = [](const char *what, const std::string &after, const std::string &before) {
    return after == before
               ? std::string()
               : fmt::format("{} `{}`, and the baseline's is `{}`", what, after, before);
  };
  std::string reason = changed("the GPU is", now.key.gpu, then.key.gpu);
  if (reason.empty())
    reason = changed("the driver is", now.key.driver, then.key.driver);
  if (reason.empty())
    reason = changed("the compiler is", now.key.compiler, then.key.compiler);
  if (reason.empty())
    reason = changed("it computes", now.work, then.work);
  if (!reason.empty() || !now.key.smClockMhz || !then.key.smClockMhz)
    return reason;
  const double larger = std::max(*now.key.smClockMhz, *then.key.smClockMhz);
  if (std::fabs(*now.key.smClockMhz - *then.key.smClockMhz) > kSameClock * larger)
    return fmt::format("the multiprocessors ran at {:.0f} MHz, and for the baseline at {:.0f} MHz",
                       *now.key.smClockMhz, *then.key.smClockMhz);
  return {};
}

BenchJudgment judge(const BenchRecord &record, const std::vector<BenchRecord> &baseline,
                    double threshold) {
  BenchJudgment judgment;
  const auto then =
      std::ranges::find_if(baseline, [&](const BenchRecord &each) { return each.isOf(record); });
  if (then == baseline.end())
    return judgment;
  judgment.status = BenchStatus::NotComparable;
  judgment.reason = difference(record, *then);
  if (!judgment.reason.empty())
    return judgment;
  TimeComparisonOptions options;
  options.together = false;
  options.resolution = threshold;
  const TimeComparison comparison = compareTimes(then->rounds, record.rounds, options);
  switch (comparison.verdict) {
  case TimeVerdict::Slower:
    judgment.status = BenchStatus::Regressed;
    break;
  case TimeVerdict::Faster:
    judgment.status = BenchStatus::Improved;
    break;
  case TimeVerdict::NoDifference:
    judgment.status = BenchStatus::Unchanged;
    break;
  case TimeVerdict::Undecided:
    judgment.reason = "one of the two has too few launches";
    return judgment;
  }
  judgment.comparison = comparison;
  return judgment;
}

} // namespace tilescope::profiler
