// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/data/ProfileDocument.h"

#include "profiler/data/BoundedJson.h"
#include "profiler/data/MeasurementJson.h"

#include <array>
#include <ctime>
#include <stdexcept>

namespace tilescope::profiler {

using nlohmann::json;

/// More launches than any file has.
static constexpr size_t kMostProfiles = 1000;

void addProfileFields(json &object, const ProfileDocument &profile) {
  object["profile_version"] = kProfileVersion;
  if (!profile.measuredAt.empty())
    object["measured_at"] = profile.measuredAt;
  if (!profile.sourceText.empty())
    object["source"] = {{"path", profile.sourcePath}, {"text", profile.sourceText}};
  if (!profile.machineCode.empty())
    object["machine_code"] = profile.machineCode;
}

std::string profileToText(const ProfileDocument &profile) {
  json object = measurementToJson(profile.measurement);
  if (!profile.launch.empty())
    object["launch"] = profile.launch;
  addProfileFields(object, profile);
  return object.dump(1, ' ', false, json::error_handler_t::replace) + "\n";
}

/// An error that the program wrote in place of a measurement.
static std::string failureOf(const json &object) {
  return object.contains("device") ? "" : jsonOr<std::string>(object, "error", "");
}

static ProfileDocument profileFromJson(const json &object) {
  if (!object.is_object())
    throw std::invalid_argument("expected an object");
  const int version = jsonOr(object, "profile_version", 0);
  if (version > kProfileVersion)
    throw std::invalid_argument("it is of form " + std::to_string(version) +
                                ", and this version of Tilescope reads up to form " +
                                std::to_string(kProfileVersion) + "; a newer one opens it");
  if (const std::string failure = failureOf(object); !failure.empty())
    throw std::invalid_argument("nothing was measured: " + failure);
  if (!object.contains("device") || !object.contains("kernel"))
    throw std::invalid_argument(
        "it has no `device` and `kernel`; `tilescope profile --json` writes "
        "such documents");
  ProfileDocument profile;
  profile.measurement = measurementFromJson(object);
  profile.launch = jsonOr<std::string>(object, "launch", "");
  profile.measuredAt = jsonOr<std::string>(object, "measured_at", "");
  profile.machineCode = jsonOr<std::string>(object, "machine_code", "");
  if (const auto source = object.find("source"); source != object.end()) {
    profile.sourcePath = jsonOr<std::string>(*source, "path", "");
    profile.sourceText = jsonOr<std::string>(*source, "text", "");
  }
  return profile;
}

/// Those of the launches that have one.
static std::vector<ProfileDocument> launchesFromJson(const json &launches) {
  if (!launches.is_array() || launches.size() > kMostProfiles)
    throw std::invalid_argument("`launches` is not a list of launches");
  std::vector<ProfileDocument> profiles;
  std::string failure = "it lists no launch";
  for (const json &launch : launches) {
    if (const std::string why = launch.is_object() ? failureOf(launch) : ""; !why.empty())
      failure = "nothing was measured: " + why;
    else
      profiles.push_back(profileFromJson(launch));
  }
  if (profiles.empty())
    throw std::invalid_argument(failure);
  return profiles;
}

Result<std::vector<ProfileDocument>> profilesFromText(std::string_view text) {
  return readJson(text, "a profile", [](const json &document) {
    if (document.is_object() && document.contains("launches") && document.at("launches").is_array())
      return launchesFromJson(document.at("launches"));
    return std::vector{profileFromJson(document)};
  });
}

std::string textDigest(std::string_view text) {
  // FNV-1a.
  uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text)
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  std::string digits(16, '0');
  for (size_t i = digits.size(); i-- > 0; hash >>= 4)
    digits[i] = "0123456789abcdef"[hash & 15];
  return digits;
}

std::string utcNow() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  std::array<char, 32> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text.data();
}

} // namespace tilescope::profiler
