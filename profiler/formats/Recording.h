// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/support/Result.h"
#include "profiler/report/ReportData.h"

#include <optional>
#include <string_view>

/// Files in which this program or another one has written down what a kernel did. They are known by
/// their contents, not by their names.
namespace tilescope::profiler {

enum class RecordingKind : uint8_t {
  /// Of this program, as a page or as JSON.
  Report,
  /// What `run --json` and `profile --json` print.
  Measurement,
  /// The table that Nsight Compute prints with `--csv`.
  NcuCsv,
  /// The report that Nsight Compute writes (`.ncu-rep`).
  NcuReport,
  /// A tree of Proton (`.hatchet`).
  ProtonTree,
  /// Events of tritonparse, one on each line.
  TritonParse,
};
/// As users read it: `Proton's tree of times`.
std::string_view recordingTitle(RecordingKind kind);

struct Recording {
  RecordingKind kind{};
  /// Of a kernel whose source is not recorded, `source` is empty.
  ReportData data;
};

/// What a file holds. Nothing: it is no recording, but something else. An error: it is one, and
/// cannot be read; with the place, or with the command that makes a readable form of it.
std::optional<Result<Recording>> readRecording(std::string_view bytes);

/// A measurement as a part of a report, for which nothing was compiled.
ReportKernel recordedKernel(Measurement measurement);

} // namespace tilescope::profiler
