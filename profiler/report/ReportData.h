// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/analysis/Comparison.h"
#include "profiler/data/Measurement.h"
#include "profiler/package/LaunchPlan.h"
#include "profiler/report/ReportFacts.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

/// What a report shows, as plain values; each form of a report is a function of them.
namespace tilescope::profiler {

using NamedText = std::pair<std::string, std::string>;

/// One form of the kernel on its way to the machine.
struct ReportStage {
  /// `ttir`, `ptx`, …, and the title for readers.
  std::string id;
  std::string title;
  bool ok = true;
  double ms = 0;
  std::string text;
  /// For each line of `text`, the source lines it came from, from 0; may be shorter than the text.
  std::vector<std::vector<uint32_t>> sources;
  /// The share of non-empty lines that have a source, from 0 to 1.
  double mappedShare = 0;
  /// The share of samples of each line, from 0 to 1; may be shorter than the text.
  std::vector<double> sampleShares = {};
};

struct ReportPass {
  std::string stage;
  std::string name;
  double ms = 0;
  bool changed = false;
};

/// A diagnostic as it is printed; line and column from 1.
struct ReportMessage {
  std::string severity;
  std::string file;
  uint32_t line = 0;
  uint32_t column = 0;
  std::string text;
  std::vector<std::string> notes;
};

/// A tensor argument after the interpreter's run, in the order of the launch.
struct ReportOutput {
  std::string name;
  std::string dtype;
  std::vector<int64_t> shape;
  TensorSummary summary;
  /// With what the launch block expects; nothing where it expects nothing.
  std::optional<OutputComparison> comparison = std::nullopt;
};

/// The run in the interpreter.
struct ReportCpuRun {
  bool ok = true;
  /// Accesses in no order decide about the outputs.
  bool hasRaces = false;
  double ms = 0;
  uint64_t programs = 0;
  std::string printed;
  std::vector<ReportOutput> outputs;
};

/// A word of the source that is shown in its own style: `k`, `s`, … as `highlightLine` has
/// them. Lines and columns, in bytes, from 0.
struct CodeWord {
  uint32_t line = 0;
  uint32_t begin = 0;
  /// May lie behind the line's end.
  uint32_t end = 0;
  char style = 0;
};

/// One kernel in one launch.
struct ReportKernel {
  std::string kernel;
  std::string path;
  /// Which of the file's launches it is, with its sizes and the configuration that was chosen:
  /// ``launch `small`, line 5: n = 208; configuration B=64``. Empty without a launch block.
  std::string launchTitle;
  /// The file's other launches, which are not in the report: `rms_bwd, line 28`.
  std::vector<std::string> launchesLeftOut;
  std::string source;
  /// The source is a kernel file, not IR.
  bool isPython = false;
  /// Of a kernel file, in the order of the text.
  std::vector<CodeWord> sourceWords;
  std::string target;
  std::vector<NamedText> signature;
  std::vector<NamedText> constexprs;
  std::vector<NamedText> options;
  std::vector<std::string> assumptions;
  bool compiled = false;
  double compileMs = 0;
  std::vector<ReportStage> stages;
  std::vector<ReportPass> passes;
  std::vector<ReportMessage> messages;
  std::vector<ReportDiagram> diagrams;
  /// Layouts that are not drawn.
  size_t numDiagramsLeftOut = 0;
  /// The best first.
  std::vector<ReportHint> hints;
  /// The most wasteful first.
  std::vector<ReportAccess> accesses;
  /// Whose accesses they are: `all 512 programs`.
  std::string accessesOf;
  /// One request of the most wasteful one.
  std::optional<ReportDiagram> accessDiagram;
  /// One execution of the first bulk copy.
  std::optional<ReportDiagram> bulkDiagram;
  /// By offset.
  std::vector<ReportSharedBuffer> sharedBuffers;
  /// `24 KiB of 227 KiB (11 %): …`.
  std::string sharedOf;
  std::optional<ReportDiagram> sharedMap;
  /// One request of the access to shared memory that conflicts most.
  std::optional<ReportDiagram> sharedDiagram;
  /// In the order of the text.
  std::vector<ReportLoop> loops;
  /// Those with the most registers first.
  std::vector<ReportLiveValue> liveValues;
  /// `At most 58 registers are alive in SASS, at its line 307; …`
  std::string liveOf;
  std::optional<ReportDiagram> liveDiagram;
  /// Those in loops first, of them the dearest.
  std::vector<ReportConversion> conversions;
  /// Both layouts of the dearest one, with arrows.
  std::optional<ReportDiagram> conversionDiagram;
  /// Arguments that are arrays, and what is to be said of all programs.
  std::vector<ReportArray> arrays;
  std::string programsNote;
  std::optional<ReportDiagram> programsDiagram;
  std::optional<int64_t> registers;
  std::optional<int64_t> sharedBytes;
  std::optional<int64_t> spillBytes;
  std::optional<int64_t> threads;
  /// From resources and target alone, when there is no measurement.
  std::optional<Occupancy> occupancy;
  std::optional<LaunchPlan> plan;
  std::optional<ReportCpuRun> cpuRun;
  std::optional<Measurement> measurement;
  /// When, in UTC: `2026-03-01T14:05:09Z`. Empty: when the report was made.
  std::string measuredAt;
  /// `textDigest` of the SASS that offsets of samples are of; empty: of the stage in the report.
  std::string machineCode;
  /// Why there is no measurement; empty when there is one or none was asked for.
  std::string measurementMissing;
};

struct ReportData {
  std::string title;
  /// `Tilescope 0.1.0`.
  std::string generator;
  /// As it is shown: `2026-01-31 12:00 UTC`.
  std::string created;
  std::vector<NamedText> environment;
  std::vector<ReportKernel> kernels;
  /// The report says how its second kernel differs from its first.
  bool isComparison = false;
};

std::string htmlReport(const ReportData &data);
std::string jsonReport(const ReportData &data);
std::string markdownReport(const ReportData &data);
/// One line per kernel, for spreadsheets.
std::string csvReport(const ReportData &data);

} // namespace tilescope::profiler
