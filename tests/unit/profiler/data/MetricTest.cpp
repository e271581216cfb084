// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/data/Metric.h"

#include <catch2/catch.hpp>
#include <set>

using namespace tilescope::profiler;

TEST_CASE("every row of the metrics says what it is", "[profiler]") {
  for (const Metric &metric : metricTable()) {
    INFO(metric.name);
    CHECK_FALSE(metric.id.empty());
    CHECK_FALSE(metric.label.empty());
    CHECK(metric.description.ends_with('.'));
    CHECK(metric.chips != 0);
  }
}

TEST_CASE("no chip has two metrics of one id", "[profiler]") {
  for (const char *chip :
       {"GA100", "GA102", "GA10B", "AD102", "GH100", "GB100", "GB110", "GB10B", "GB202", "GB20B"}) {
    std::set<std::string_view> ids, names;
    for (const Metric *metric : metricsOf(chip, true)) {
      INFO(chip << " " << metric->id);
      CHECK(ids.insert(metric->id).second);
      CHECK(names.insert(metric->name).second);
    }
  }
}

TEST_CASE("the quick metrics are a part of all", "[profiler]") {
  const auto quick = metricsOf("GH100", false), full = metricsOf("GH100", true);
  CHECK(quick.size() < full.size());
  for (const Metric *metric : quick)
    CHECK(std::ranges::count(full, metric) == 1);
}

TEST_CASE("each section has metrics on every chip", "[profiler]") {
  for (const char *chip : {"GA100", "AD102", "GH100", "GB100", "GB202"}) {
    std::set<MetricSection> sections;
    for (const Metric *metric : metricsOf(chip, true))
      sections.insert(metric->section);
    CHECK(sections.size() == kNumMetricSections);
  }
}

TEST_CASE("a chip that is not known is asked for what the newest has", "[profiler]") {
  CHECK_FALSE(chipFamily("GX999"));
  CHECK(metricsOf("GX999", true) == metricsOf("GB100", true));
  CHECK(metricsOf("GB299", true) == metricsOf("GB202", true));
}

TEST_CASE("a value is found by its id whatever the chip calls it", "[profiler]") {
  CounterData hopper, blackwell;
  hopper.values = {{"dram__bytes_read.sum", 128}};
  blackwell.values = {{"dram__bytes_op_read.sum", 256}};
  CHECK(metricValue(hopper, "dram_read") == 128);
  CHECK(metricValue(blackwell, "dram_read") == 256);
  CHECK_FALSE(metricValue(hopper, "dram_write"));
  CHECK(measuredMetric(blackwell, "dram_read")->name == "dram__bytes_op_read.sum");
  CHECK(measuredMetric(hopper, "dram_write") == nullptr);
}

TEST_CASE("values are printed with their units", "[profiler]") {
  CHECK(formatMetric(MetricUnit::Nanoseconds, 181300) == "181.30 µs");
  CHECK(formatMetric(MetricUnit::Percent, 43.24) == "43.2 %");
  CHECK(formatMetric(MetricUnit::Bytes, 0) == "0 B");
  CHECK(formatMetric(MetricUnit::Bytes, 1.5e6) == "1.50 MB");
  CHECK(formatMetric(MetricUnit::Bytes, 268435456) == "268 MB");
  CHECK(formatMetric(MetricUnit::Sectors, 12) == "12");
  CHECK(formatMetric(MetricUnit::Sectors, 8388608) == "8.39 M");
  CHECK(formatMetric(MetricUnit::Hertz, 1.98e9) == "1.98 GHz");
  CHECK(formatMetric(MetricUnit::PerCycle, 0.5) == "0.50");
}
