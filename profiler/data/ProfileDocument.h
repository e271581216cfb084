// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/support/Result.h"
#include "profiler/data/Measurement.h"

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

/// The document that `tilescope profile --json` prints, and that the window opens again.
namespace tilescope::profiler {

/// The form of the documents that this program writes. It reads those of smaller numbers, too:
///
///     0   a measurement alone; says not what it is of
///     1   with `profile_version`, `measured_at`, `source` and `machine_code`
inline constexpr int kProfileVersion = 1;

/// A measurement, and what it is one of. What is not known is empty.
struct ProfileDocument {
  Measurement measurement;
  /// Name of the launch block, where a document has several.
  std::string launch;
  /// Of the file that was compiled; its text decides whether the profile is outdated.
  std::string sourcePath;
  std::string sourceText;
  /// In UTC: `2026-03-01T14:05:09Z`.
  std::string measuredAt;
  /// `textDigest` of the SASS that offsets of samples are of.
  std::string machineCode;
};

/// Adds what is known besides the measurement to its object.
void addProfileFields(nlohmann::json &object, const ProfileDocument &profile);

/// The whole document of one profile.
std::string profileToText(const ProfileDocument &profile);

/// The profiles of a document: one, or those of all launches of a file. The error says why there
/// are none: the text is no such document, is of a newer form, or says that nothing was measured.
Result<std::vector<ProfileDocument>> profilesFromText(std::string_view text);

/// 16 hexadecimal digits; the same for the same text on all machines.
std::string textDigest(std::string_view text);
/// Now, as `ProfileDocument::measuredAt` has it.
std::string utcNow();

} // namespace tilescope::profiler
