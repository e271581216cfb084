// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/profile/ProfileSections.h"

#include "profiler/analysis/PredictionWords.h"
#include "profiler/analysis/ProfileFigures.h"
#include "views/profile/PredictionSection.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>

namespace tilescope::views {

using namespace profiler;

static constexpr size_t kHotLines = 14, kReasons = 3;

static QString tr(const char *source) { return QCoreApplication::translate("ProfileView", source); }

static QString text(std::string_view value) {
  return QString::fromUtf8(value.data(), static_cast<qsizetype>(value.size()));
}

QString profilePartTitle(ProfilePart part) {
  switch (part) {
  case ProfilePart::Times:
    return tr("Times");
  case ProfilePart::Prediction:
    return tr("Predicted | measured");
  case ProfilePart::SpeedOfLight:
    return tr("Speed of light");
  case ProfilePart::Memory:
    return tr("Memory chart");
  case ProfilePart::Compute:
    return tr("Compute pipes");
  case ProfilePart::Scheduler:
    return tr("Scheduler");
  case ProfilePart::WarpStates:
    return tr("Warp states");
  case ProfilePart::Occupancy:
    return tr("Occupancy");
  case ProfilePart::Roofline:
    return tr("Roofline");
  case ProfilePart::HotLines:
    return tr("Hot lines");
  }
  return {};
}

static QString number(double value, int digits) { return QString::number(value, 'f', digits); }

static QString counted(uint64_t value) {
  return QLocale(QLocale::English).toString(static_cast<qulonglong>(value));
}

static QString notMeasured() { return tr("not measured"); }

/// A row of a value that may be missing.
template <typename Value, typename Words>
static ProfileRow rowOf(const QString &name, const std::optional<Value> &value, const Words &words,
                        const QString &description = {}) {
  return value ? ProfileRow{name, words(*value), description}
               : ProfileRow{name, notMeasured(), description, true};
}

static QString rangeText(const ValueRange &range, const QString &unit, int digits) {
  return range.least == range.most
             ? number(range.most, digits) + unit
             : tr("%1 to %2").arg(number(range.least, digits), number(range.most, digits)) + unit;
}

static void addConditions(const Measurement &measurement, std::vector<ProfileRow> &rows) {
  const DeviceConditions conditions = measurement.conditions.value_or(DeviceConditions());
  const auto with = [](const char *unit, int digits) {
    return [unit = QString::fromUtf8(unit), digits](const ValueRange &range) {
      return rangeText(range, unit, digits);
    };
  };
  const QString around =
      tr("Read between batches of timed runs, while the device rests: during a run it takes more.");
  const auto counted = measurement.counters ? metricValue(*measurement.counters, "sm_clock")
                                            : std::optional<double>();
  rows.push_back(rowOf(
      tr("SM clock, while it was counted"), counted,
      [](double hertz) { return number(hertz / 1e6, 0) + QStringLiteral(" MHz"); },
      tr("The mean of the launches whose counters were read.")));
  rows.push_back(
      rowOf(tr("SM clock, between runs"), conditions.smClockMhz, with(" MHz", 0), around));
  rows.push_back(
      rowOf(tr("Memory clock, between runs"), conditions.memoryClockMhz, with(" MHz", 0), around));
  rows.push_back(rowOf(tr("Power, between runs"), conditions.powerW, with(" W", 0), around));
  rows.push_back(
      rowOf(tr("Temperature, between runs"), conditions.temperatureC, with(" °C", 0), around));
  if (!measurement.conditions) {
    rows.push_back({tr("Throttling"), notMeasured(), {}, true});
    return;
  }
  QStringList reasons;
  for (const std::string &reason : conditions.throttleReasons)
    reasons << text(reason);
  rows.push_back({tr("Throttling"),
                  reasons.isEmpty() ? tr("none") : reasons.join(QStringLiteral(", ")),
                  tr("Why clocks were held below the highest ones, at any reading.")});
}

static void addThroughput(const Measurement &measurement, std::vector<ProfileRow> &rows) {
  rows.push_back(rowOf(
      tr("Stated bytes"), measurement.gbPerS,
      [](double value) { return tr("%1 GB/s").arg(number(value, 0)); },
      tr("The bytes that the launch block states, over the median. DRAM may move fewer, where "
         "L2 keeps what is written, or more, where it is read again.")));
  rows.push_back(rowOf(tr("Stated bytes, of the peak bandwidth"), measurement.peakFraction,
                       [](double value) { return number(value * 100, 1) + QStringLiteral(" %"); }));
  rows.push_back(rowOf(
      tr("Measured copy"), measurement.copyGbPerS,
      [](double value) { return tr("%1 GB/s").arg(number(value, 0)); },
      tr("What a copy on the device reached, reads and writes counted.")));
  rows.push_back(rowOf(
      tr("Stated operations"), measurement.tflopPerS,
      [](double value) { return tr("%1 TFLOP/s").arg(number(value, 2)); },
      tr("The operations that the launch block states, over the median.")));
}

static QString sourceText(TimeSource source) {
  switch (source) {
  case TimeSource::Cupti:
    return tr("the device's own records");
  case TimeSource::Events:
    return tr("events: some launch overhead is in them");
  case TimeSource::Interpreter:
    return tr("the interpreter's clock: says nothing about a GPU");
  }
  return {};
}

static ProfileSection timesSection(const Measurement &measurement) {
  ProfileSection section{ProfilePart::Times};
  const auto us = [](double value) { return text(microsecondsText(value)); };
  if (const std::optional<TimeStats> &time = measurement.timeUs) {
    if (auto picture = timePicture(*time))
      section.picture = std::move(*picture);
    section.rows = {{tr("Median"), us(time->median)},
                    {tr("95 % interval"),
                     time->n > 1 ? tr("%1 to %2 (± %3 %)")
                                       .arg(us(time->median * (1 - time->spread)),
                                            us(time->median * (1 + time->spread)),
                                            number(time->spread * 100, 2))
                                 : notMeasured(),
                     tr("Where the median lies with 95 % confidence."), time->n <= 1},
                    {tr("Fastest, slowest"), us(time->min) + QStringLiteral(", ") + us(time->max)},
                    {tr("Runs"), QString::number(time->n)},
                    {tr("L2 cache"), measurement.coldL2 ? tr("cold: emptied before each run")
                                                        : tr("warm: as the run before left it")},
                    {tr("Measured with"), sourceText(measurement.timeSource)}};
  } else {
    section.remarks << tr("Not measured.");
  }
  if (const auto &overhead = measurement.launchOverhead) {
    section.rows.push_back({tr("Launch: the call"), us(overhead->callUs),
                            tr("What the driver's call takes that puts a launch into the queue; "
                               "not a part of the times above.")});
    section.rows.push_back({tr("Launch: a lone one"), us(overhead->aloneUs),
                            tr("What a launch on an idle device takes beyond the kernel, from the "
                               "call until its end is known.")});
  }
  addThroughput(measurement, section.rows);
  addConditions(measurement, section.rows);
  if (measurement.conditions && measurement.conditions->hasUnstableClock())
    section.remarks << tr("The clock changed by more than 2 % while it was measured: times of "
                          "another run may differ as much.");
  for (const std::string &note : measurement.notes)
    section.remarks << text(note) + u'.';
  return section;
}

/// Why a part that comes from counters is empty.
static QString whyNoCounters(const Measurement &measurement) {
  if (measurement.counters)
    return measurement.counters->isFull
               ? tr("Not measured: the device has no such counters, or the kernel gave them "
                    "nothing "
                    "to count.")
               : tr("Not measured: the quick set of counters has none of it. Profile with all "
                    "counters.");
  for (const LadderRung &rung : ladderRungs(measurement))
    if (rung.name == "Counters")
      return tr("Not measured. Counters: %1.").arg(text(rung.words));
  return {};
}

static ProfileRow metricRow(const Measurement &measurement, const Metric &metric) {
  const QString description = tr("%1 (%2)").arg(text(metric.description), text(metric.name));
  const auto found = measurement.counters->values.find(std::string(metric.name));
  if (found == measurement.counters->values.end())
    return {text(metric.label), notMeasured(), description, true};
  return {text(metric.label), text(formatMetric(metric.unit, found->second)), description};
}

/// The rows of a section, if any of them was measured, without those that a bar shows.
static void addMetrics(const Measurement &measurement, MetricSection which,
                       ProfileSection &section) {
  if (!measurement.counters)
    return;
  const auto *bars = std::get_if<BarPicture>(&section.picture);
  std::vector<ProfileRow> rows;
  bool isAny = false;
  for (const Metric *metric : metricsOf(measurement.counters->chip, true)) {
    const bool isDrawn = bars && std::ranges::find(bars->rows, std::string(metric->label),
                                                   &BarRow::name) != bars->rows.end();
    if (metric->section != which || isDrawn)
      continue;
    rows.push_back(metricRow(measurement, *metric));
    isAny = isAny || !rows.back().isMissing;
  }
  if (isAny)
    section.rows.insert(section.rows.end(), rows.begin(), rows.end());
}

static void addBars(BarPicture picture, ProfileSection &section) {
  if (!picture.rows.empty())
    section.picture = std::move(picture);
}

static ProfileSection speedOfLightSection(const Measurement &measurement) {
  ProfileSection section{ProfilePart::SpeedOfLight};
  if (measurement.counters) {
    addBars(speedOfLightBars(*measurement.counters), section);
    if (const auto roofline = measuredRoofline(*measurement.counters);
        roofline && !roofline->bound.empty())
      section.remarks << tr("Of the peaks of the roofline, which counts bytes and operations, %1 "
                            "is nearest, with "
                            "%2 %. Bars are about the busiest part of each unit.")
                             .arg(text(roofline->bound), number(roofline->boundShare * 100, 0));
  }
  addMetrics(measurement, MetricSection::Overview, section);
  if (const auto &wide = measurement.deviceWide) {
    for (const DeviceWideRow &row : deviceWideRows(*wide))
      section.rows.push_back({text(row.name), text(row.value), text(row.description)});
    section.remarks << tr("Of %1.").arg(text(deviceWideScope(*wide)));
  }
  return section;
}

static ProfileSection memorySection(const Measurement &measurement) {
  ProfileSection section{ProfilePart::Memory};
  if (measurement.counters)
    if (auto picture = memoryPicture(*measurement.counters)) {
      section.remarks << tr("What one launch moved. The wider an arrow, the more bytes.");
      section.picture = std::move(*picture);
    }
  addMetrics(measurement, MetricSection::Memory, section);
  return section;
}

static ProfileSection warpStatesSection(const Measurement &measurement) {
  ProfileSection section{ProfilePart::WarpStates};
  if (!measurement.counters)
    return section;
  addBars(warpStateBars(*measurement.counters), section);
  if (!section.isEmpty())
    section.remarks << tr(
        "Cycles that a warp spends in each state between two of its instructions; "
        "what is no wait is fainter.");
  return section;
}

static ProfileSection occupancySection(const Measurement &measurement) {
  ProfileSection section{ProfilePart::Occupancy};
  addBars(occupancyBars(measurement), section);
  section.rows.push_back(rowOf(tr("Theoretical"), measurement.occupancy, [](const Occupancy &it) {
    return tr("%1 of %2 warps").arg(it.warpsPerSm).arg(it.maxWarpsPerSm);
  }));
  const auto achieved = measurement.counters
                            ? metricValue(*measurement.counters, "achieved_occupancy")
                            : std::nullopt;
  section.rows.push_back(rowOf(
      tr("Achieved"), achieved,
      [](double value) { return number(value, 1) + QStringLiteral(" %"); },
      tr("The mean of the cycles in which a multiprocessor had warps.")));
  section.rows.push_back(rowOf(tr("Limited by"), measurement.occupancy,
                               [](const Occupancy &it) { return text(it.limiter); }));
  const auto plain = [](int64_t value) { return counted(static_cast<uint64_t>(value)); };
  section.rows.push_back(rowOf(tr("Registers of a thread"), measurement.registers, plain));
  section.rows.push_back(rowOf(tr("Shared memory of a program"), measurement.sharedBytes,
                               [&](int64_t value) { return tr("%1 bytes").arg(plain(value)); }));
  section.rows.push_back(rowOf(tr("Threads of a program"), measurement.threads, plain));
  if (achieved && measurement.occupancy && *achieved < measurement.occupancy->fraction * 80)
    section.remarks << tr("Achieved is far below theoretical: the grid is too small to fill the "
                          "device, or programs end at different times.");
  return section;
}

static ProfileSection rooflineSection(const Measurement &measurement) {
  ProfileSection section{ProfilePart::Roofline};
  if (!measurement.counters)
    return section;
  if (auto picture = rooflinePicture(*measurement.counters))
    section.picture = std::move(*picture);
  const auto roofline = measuredRoofline(*measurement.counters);
  if (!roofline)
    return section;
  for (const RooflineUnits &units : roofline->units)
    section.rows.push_back(
        {text(units.name),
         tr("%1 of %2 TFLOP/s").arg(number(units.perS / 1e12, 3), number(units.peakPerS / 1e12, 1)),
         tr("What the kernel did with these units, of what they can do.")});
  for (const RooflineRoof &roof : roofline->roofs) {
    const bool isMissing = !roof.unmeasured.empty();
    QString words = tr("What the kernel took, of what the memory delivers.");
    if (isMissing)
      words = text(roof.unmeasured);
    else if (roof.name == "L1")
      words += u' ' + tr("To registers: what is stored is not among it.");
    section.rows.push_back(
        {text(roof.name), isMissing ? notMeasured() : text(roof.text()), words, isMissing});
  }
  if (std::holds_alternative<std::monostate>(section.picture))
    section.remarks << tr("The kernel did no arithmetic that counters count: there is no point to "
                          "draw.");
  return section;
}

QString stallWords(const std::vector<std::pair<std::string, uint64_t>> &reasons, uint64_t samples,
                   size_t most) {
  // Less says nothing.
  constexpr double kLeast = 0.005;
  QStringList words;
  for (size_t i = 0; i < std::min(reasons.size(), most) && samples > 0; ++i)
    if (const double share = double(reasons[i].second) / double(samples); share >= kLeast)
      words << QStringLiteral("%1 %2 %").arg(text(stallLabel(reasons[i].first)),
                                             number(share * 100, 0));
  return words.join(QStringLiteral(", "));
}

QString lineText(std::string_view source, uint32_t line) {
  for (; line > 0 && !source.empty(); --line)
    source.remove_prefix(std::min(source.find('\n'), source.size() - 1) + 1);
  return text(source.substr(0, source.find('\n'))).trimmed();
}

static QString samplesRemark(const SampleData &samples) {
  return tr("%1 samples of the kernel in %2 launches, one every %3 cycles; %4 were dropped, %5 "
            "are "
            "of "
            "other functions and %6 of the driver's kernels.")
      .arg(counted(samples.kernelSamples()), counted(static_cast<uint64_t>(samples.launches)),
           counted(samples.periodCycles), counted(samples.dropped), counted(samples.otherFunctions),
           counted(samples.nonUser));
}

/// `line 12  x = tl.load(p)`, or `/*0120*/` where lines are not known.
static QString placeText(bool isLine, uint32_t place, std::string_view source) {
  if (!isLine)
    return QStringLiteral("/*%1*/").arg(place, 4, 16, QChar(u'0'));
  const QString where = tr("line %1").arg(place + 1), code = lineText(source, place);
  return code.isEmpty() ? where : where + QStringLiteral("  ") + code;
}

/// What was counted at a place; empty without it.
static QString countsAt(const Measurement &measurement, bool isLine, uint32_t place) {
  if (!measurement.executions)
    return {};
  const ExecutionCounts *counts = isLine ? countsOfLine(*measurement.executions, place)
                                         : countsOfOffset(*measurement.executions, place);
  return counts ? text(executionsText(*counts)) : QString();
}

/// The lines with most executions, where there are no samples that say which are hot.
static void addExecutedLines(const ProfileDocument &profile, ProfileSection &section) {
  const std::vector<LineExecutions> lines = mostExecuted(*profile.measurement.executions);
  section.remarks << tr("The lines with most executions, as they were counted in one launch.");
  for (size_t i = 0; i < std::min(lines.size(), kHotLines); ++i) {
    ProfileRow row{placeText(true, lines[i].line, profile.sourceText),
                   text(executionsText(lines[i].counts))};
    row.line = lines[i].line;
    section.rows.push_back(std::move(row));
  }
}

static ProfileSection hotLinesSection(const ProfileDocument &profile) {
  ProfileSection section{ProfilePart::HotLines};
  const Measurement &measurement = profile.measurement;
  if (!measurement.samples) {
    for (const LadderRung &rung : ladderRungs(measurement))
      if (rung.name == "Samples")
        section.remarks << tr("Not measured. Samples: %1.").arg(text(rung.words));
    if (measurement.executions)
      addExecutedLines(profile, section);
    return section;
  }
  const SampleData &samples = *measurement.samples;
  section.remarks << samplesRemark(samples);
  section.remarks << (samples.mappedShare
                          ? tr("%1 % of them belong to a line of the source.")
                                .arg(number(*samples.mappedShare * 100, 1))
                          : tr("They are not given to lines of the source: offsets are shown."));
  const bool hasLines = !samples.lines.empty();
  const auto places = hasLines ? hottestLines(samples) : hottestOffsets(samples);
  for (size_t i = 0; i < std::min(places.size(), kHotLines); ++i) {
    const SamplePlace &place = places[i];
    const QString counts = countsAt(measurement, hasLines, place.place);
    ProfileRow row{placeText(hasLines, place.place, profile.sourceText),
                   stallWords(place.reasons, place.samples, kReasons),
                   tr("%1: %2 % of the samples. %3")
                       .arg(placeText(hasLines, place.place, {}), number(place.share * 100, 1),
                            stallWords(place.reasons, place.samples, place.reasons.size()))};
    if (!counts.isEmpty())
      row.description += QStringLiteral("; ") + counts;
    if (hasLines)
      row.line = place.place;
    row.share = place.share;
    section.rows.push_back(std::move(row));
  }
  return section;
}

std::vector<ProfileSection> profileSections(const ProfileDocument &profile) {
  const Measurement &measurement = profile.measurement;
  ProfileSection compute{ProfilePart::Compute}, scheduler{ProfilePart::Scheduler};
  if (measurement.counters)
    addBars(pipeBars(*measurement.counters), compute);
  addMetrics(measurement, MetricSection::Compute, compute);
  addMetrics(measurement, MetricSection::Scheduler, scheduler);
  std::vector<ProfileSection> sections;
  sections.push_back(timesSection(measurement));
  sections.push_back(predictionSection(profile));
  sections.push_back(speedOfLightSection(measurement));
  sections.push_back(memorySection(measurement));
  sections.push_back(std::move(compute));
  sections.push_back(std::move(scheduler));
  sections.push_back(warpStatesSection(measurement));
  sections.push_back(occupancySection(measurement));
  sections.push_back(rooflineSection(measurement));
  sections.push_back(hotLinesSection(profile));
  for (ProfileSection &section : sections)
    if (section.isEmpty() && section.remarks.isEmpty())
      section.remarks << whyNoCounters(measurement);
  return sections;
}

} // namespace tilescope::views
