// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/SweepFinish.h"

#include "app/commands/DiagnosticText.h"
#include "app/commands/SweepWinner.h"
#include "profiler/data/FileIo.h"
#include "profiler/data/Text.h"
#include "profiler/report/SweepReport.h"

#include <algorithm>
#include <cstdio>
#include <optional>

namespace tilescope::app {

using nlohmann::json;
using profiler::Sweep;
using profiler::SweepPoint;
using profiler::SweepStatus;

static Result<std::string> writeWinner(const SweepPlan &plan, const InputFile &input,
                                       const profiler::SweepWinner &winner) {
  const Result<std::string> text =
      textWithWinner(input.text, input.entry, plan.sweep.kernel, plan.block, winner);
  if (!text)
    return text.error();
  const Result<std::string> now = profiler::readTextFile(input.path);
  if (!now)
    return now.error();
  // Hours may have passed.
  if (*now != input.text)
    return Error{ErrorCode::InvalidInput,
                 "`" + input.path + "` was changed during the sweep, and is left as it is", ""};
  if (Status status = profiler::writeFile(input.path, *text); !status)
    return status.error();
  return "wrote " + profiler::valuesText(winner.configuration) + " into " + input.path;
}

static json pointJson(const SweepPoint &point) {
  json object = {{"values", point.values}, {"status", profiler::sweepStatusName(point.status)}};
  const auto add = [&](const char *name, const auto &value) {
    if (value)
      object[name] = *value;
  };
  if (!point.reason.empty())
    object["reason"] = point.reason;
  add("median_us", point.medianUs);
  add("min_us", point.minUs);
  add("max_us", point.maxUs);
  add("predicted_us", point.predictedUs);
  add("gb_per_s", point.gbPerS);
  add("tflop_per_s", point.tflopPerS);
  add("registers", point.registers);
  add("spill_bytes", point.spillBytes);
  add("shared_bytes", point.sharedBytes);
  add("threads", point.threads);
  add("occupancy", point.occupancy);
  add("gpu", point.gpu);
  for (const auto &[name, text] : {std::pair("model", &SweepPoint::model),
                                   {"place", &SweepPoint::place},
                                   {"uuid", &SweepPoint::uuid}})
    if (!(point.*text).empty())
      object[name] = point.*text;
  return object;
}

static json sweepJson(const Sweep &sweep) {
  json document = {{"ok", true},
                   {"file", sweep.file},
                   {"kernel", sweep.kernel},
                   {"target", sweep.target},
                   {"device", sweep.device},
                   {"points", json::array()},
                   {"notes", sweep.notes}};
  for (const SweepPoint &point : sweep.points)
    document["points"].push_back(pointJson(point));
  const auto winnerJson = [](const profiler::SweepWinner &winner) {
    return json{{"values", winner.configuration}, {"slowdown", winner.slowdown}};
  };
  if (const auto winner = profiler::sweepWinner(sweep)) {
    document["winner"] = winnerJson(*winner);
    document["winner"]["points"] = winner->points;
  }
  if (!sweep.models.empty()) {
    document["models"] = sweep.models;
    document["winners"] = json::object();
    for (const Sweep &part : profiler::sweepsByModel(sweep))
      if (const auto winner = profiler::sweepWinner(part))
        document["winners"][part.device] = winnerJson(*winner);
  }
  return document;
}

int finishSweep(const SweepPlan &plan, const SweepOptions &options, const InputFile &input,
                const SweepEnd &end) {
  const auto winner = profiler::sweepWinner(plan.sweep);
  std::string told;
  std::optional<Error> fault;
  if (end.writeReports)
    if (Status status = end.writeReports(); !status)
      fault = status.error();
  if (end.writeReports && !fault)
    told = "report    " + end.reportPath + "\n";
  if (options.write && winner && !winner->configuration.empty()) {
    const Result<std::string> written = writeWinner(plan, input, *winner);
    if (written)
      told += *written + "\n";
    else
      fault = written.error();
  } else if (options.write && !winner) {
    fault = Error{ErrorCode::InvalidInput,
                  plan.sweep.models.empty()
                      ? "there is no winner to write into the file"
                      : "each model of GPU has a winner of its own, and the file takes one",
                  plan.sweep.models.empty() ? "" : "`--on` with GPUs of one model chooses"};
  }
  if (options.json) {
    json document = sweepJson(plan.sweep);
    document.update(end.more);
    printJson(document);
  } else {
    std::fputs(profiler::printable(end.head + profiler::sweepText(plan.sweep) + told).c_str(),
               stdout);
  }
  std::fflush(stdout);
  if (fault)
    return reportError(*fault);
  const bool allFailed = std::ranges::all_of(plan.sweep.points, [](const SweepPoint &point) {
    return point.status == SweepStatus::Failed;
  });
  return allFailed ? 1 : 0;
}

} // namespace tilescope::app
