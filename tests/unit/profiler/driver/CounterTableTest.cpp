// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// The table of counters against CUPTI itself, which needs no GPU for this.
#include "profiler/data/Metric.h"
#include "profiler/driver/CounterHost.h"
#include "tests/support/Sanitized.h"

#include <catch2/catch.hpp>
#include <set>

using namespace tilescope::profiler;

/// Null, with the reason printed, where CUPTI is missing.
static std::unique_ptr<CounterHost> hostOrSkip() {
  if (tilescope::tests::kIsSanitized) {
    WARN("skipped: CUPTI binds its own library deeply, which sanitizers do not allow");
    return nullptr;
  }
  Grant<std::unique_ptr<CounterHost>> host = loadCounterHost();
  if (host)
    return *std::move(host);
  WARN("skipped: " << host.refusal().words);
  return nullptr;
}

static std::vector<std::string> namesOf(const std::string &chip, bool full) {
  std::vector<std::string> names;
  for (const Metric *metric : metricsOf(chip, full))
    names.emplace_back(metric->name);
  return names;
}

/// The chips of CUPTI that the table is for.
static std::vector<std::string> tableChips(CounterHost &host) {
  const auto chips = host.chips();
  REQUIRE(chips);
  std::vector<std::string> result;
  for (const std::string &chip : *chips)
    if (chipFamily(chip))
      result.push_back(chip);
  REQUIRE(result.size() >= 10);
  return result;
}

TEST_CASE("every chip has all the metrics that the table asks of it", "[profiler]") {
  const auto host = hostOrSkip();
  if (!host)
    return;
  for (const std::string &chip : tableChips(*host)) {
    const std::vector<std::string> names = namesOf(chip, true);
    const auto known = host->known(chip, names);
    REQUIRE(known);
    for (const std::string &name : names) {
      INFO(chip << " has no " << name);
      CHECK(std::ranges::count(*known, name) == 1);
    }
  }
}

TEST_CASE("the quick metrics take at most two passes on every chip", "[profiler]") {
  const auto host = hostOrSkip();
  if (!host)
    return;
  for (const std::string &chip : tableChips(*host)) {
    INFO(chip);
    const auto quick = host->numPasses(chip, namesOf(chip, false));
    const auto full = host->numPasses(chip, namesOf(chip, true));
    REQUIRE(quick);
    REQUIRE(full);
    CHECK(*quick >= 1);
    CHECK(*quick <= 2);
    CHECK(*full > *quick);
    CHECK(*full <= 25);
  }
}

TEST_CASE("metrics that no chip has are told from others", "[profiler]") {
  const auto host = hostOrSkip();
  if (!host)
    return;
  const auto known = host->known("GH100", {"sm__no_such_counter.sum", "gpu__time_duration.sum"});
  REQUIRE(known);
  CHECK(*known == std::vector<std::string>{"gpu__time_duration.sum"});
  const auto passes = host->numPasses("GH100", {"sm__no_such_counter.sum"});
  CHECK_FALSE(passes);
}

TEST_CASE("a chip that CUPTI does not know is a refusal", "[profiler]") {
  const auto host = hostOrSkip();
  if (!host)
    return;
  CHECK_FALSE(host->numPasses("GX999", {"gpu__time_duration.sum"}));
}
