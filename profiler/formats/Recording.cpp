// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/formats/Recording.h"

#include "profiler/data/BoundedJson.h"
#include "profiler/data/ProfileDocument.h"
#include "profiler/formats/NcuCsv.h"
#include "profiler/formats/NcuReport.h"
#include "profiler/formats/ProtonTree.h"
#include "profiler/formats/TritonParse.h"
#include "profiler/report/ReadReport.h"

#include <algorithm>

namespace tilescope::profiler {

using nlohmann::json;

std::string_view recordingTitle(RecordingKind kind) {
  switch (kind) {
  case RecordingKind::Report:
    return "a report";
  case RecordingKind::Measurement:
    return "a profile";
  case RecordingKind::NcuCsv:
    return "a table of Nsight Compute";
  case RecordingKind::NcuReport:
    return "a report of Nsight Compute";
  case RecordingKind::ProtonTree:
    return "a tree of Proton";
  case RecordingKind::TritonParse:
    return "a log of tritonparse";
  }
  return "";
}

ReportKernel recordedKernel(Measurement measurement) {
  ReportKernel kernel;
  kernel.kernel = measurement.kernel;
  // Somebody did, elsewhere.
  kernel.compiled = true;
  const DeviceInfo &device = measurement.device;
  if (device.computeMajor > 0)
    kernel.target =
        "cuda:" + std::to_string(device.computeMajor) + std::to_string(device.computeMinor);
  kernel.registers = measurement.registers;
  kernel.sharedBytes = measurement.sharedBytes;
  kernel.spillBytes = measurement.spillBytes;
  kernel.threads = measurement.threads;
  kernel.measurement = std::move(measurement);
  return kernel;
}

static Result<Recording> recordingOf(RecordingKind kind,
                                     Result<std::vector<Measurement>> measurements) {
  if (!measurements)
    return measurements.error();
  Recording recording{kind, {}};
  for (Measurement &measurement : *measurements)
    recording.data.kernels.push_back(recordedKernel(std::move(measurement)));
  return recording;
}

/// A measurement, or those of several launches; also one of a form that is yet to come.
static bool isProfile(const json &document) {
  if (!document.is_object())
    return false;
  const auto launches = document.find("launches");
  const bool isList = launches != document.end() && launches->is_array() && !launches->empty();
  const json &first = isList ? launches->front() : document;
  return first.is_object() && (first.contains("profile_version") ||
                               (first.contains("device") && first.contains("kernel")));
}

static Result<Recording> readProfiles(std::string_view text) {
  Result<std::vector<ProfileDocument>> profiles = profilesFromText(text);
  if (!profiles)
    return profiles.error();
  Recording recording{RecordingKind::Measurement, {}};
  for (ProfileDocument &profile : *profiles) {
    ReportKernel kernel = recordedKernel(std::move(profile.measurement));
    kernel.path = profile.sourcePath;
    kernel.source = profile.sourceText;
    kernel.isPython = profile.sourcePath.ends_with(".py");
    kernel.launchTitle = profile.launch;
    kernel.measuredAt = profile.measuredAt;
    kernel.machineCode = profile.machineCode;
    recording.data.kernels.push_back(std::move(kernel));
    recording.data.created = profile.measuredAt;
  }
  return recording;
}

/// Forms that only their own programs read, by their first bytes.
static std::optional<Error> unreadable(std::string_view bytes) {
  if (bytes.starts_with("\x1f\x8b"))
    return Error{ErrorCode::InvalidInput, "it is compressed", "`gunzip` unpacks it"};
  if (bytes.starts_with("\x28\xb5\x2f\xfd"))
    return Error{ErrorCode::InvalidInput, "it is compressed", "`zstd -d` unpacks it"};
  return std::nullopt;
}

/// Of JSON that does not parse: whether it begins like one of the documents below, so that what is
/// wrong with it should be said.
static bool beginsLikeOne(std::string_view text) {
  constexpr size_t kBeginning = 4096;
  const std::string_view head = text.substr(0, kBeginning);
  const auto has = [&](std::string_view word) { return head.find(word) != std::string_view::npos; };
  return (has("\"created\"") && has("\"environment\"")) || has("\"tilescope.report\"") ||
         (has("\"bytes\"") && has("\"cold_l2\"")) || (has("\"frame\"") && has("\"metrics\""));
}

static std::optional<Result<Recording>> readJsonRecording(std::string_view text) {
  // Scopes of Proton are as deep as the program's calls.
  const Result<json> document = parseJson(text, {size_t(64) << 20, 2048});
  if (!document)
    return beginsLikeOne(text) ? std::optional(Result<Recording>(document.error())) : std::nullopt;
  if (isReport(*document)) {
    Result<ReportData> data = reportFromJson(*document);
    if (!data)
      return data.error();
    return Recording{RecordingKind::Report, std::move(*data)};
  }
  if (isProfile(*document))
    return readProfiles(text);
  if (isProtonTree(*document))
    return recordingOf(RecordingKind::ProtonTree, readProtonTree(*document));
  return std::nullopt;
}

static Result<Recording> recordingOf(RecordingKind kind,
                                     Result<std::vector<ReportKernel>> kernels) {
  if (!kernels)
    return kernels.error();
  Recording recording{kind, {}};
  recording.data.kernels = std::move(*kernels);
  return recording;
}

std::optional<Result<Recording>> readRecording(std::string_view bytes) {
  if (std::optional<Error> error = unreadable(bytes))
    return *error;
  if (bytes.starts_with(kNcuReportMagic))
    return recordingOf(RecordingKind::NcuReport, readNcuReport(bytes));
  if (isReportPage(bytes)) {
    Result<ReportData> data = readReport(bytes);
    if (!data)
      return data.error();
    return Recording{RecordingKind::Report, std::move(*data)};
  }
  const size_t begin = bytes.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos)
    return std::nullopt;
  if (bytes[begin] == '{' && isTritonParse(bytes))
    return recordingOf(RecordingKind::TritonParse, readTritonParse(bytes));
  if (bytes[begin] == '{' || bytes[begin] == '[')
    return readJsonRecording(bytes);
  if (isNcuCsv(bytes))
    return recordingOf(RecordingKind::NcuCsv, readNcuCsv(bytes));
  return std::nullopt;
}

} // namespace tilescope::profiler
