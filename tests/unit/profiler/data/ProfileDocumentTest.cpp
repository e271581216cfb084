// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/data/ProfileDocument.h"

#include "profiler/data/FileIo.h"
#include "profiler/data/MeasurementJson.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

using namespace tilescope;
using namespace tilescope::profiler;
using Catch::Matchers::Contains;
using nlohmann::json;

static json documentOf(const ProfileDocument &profile) {
  json object = measurementToJson(profile.measurement);
  addProfileFields(object, profile);
  return object;
}

static ProfileDocument sampleProfile() {
  ProfileDocument profile;
  profile.measurement.device.name = "NVIDIA H100";
  profile.measurement.kernel = "k";
  profile.measurement.timeUs = TimeStats{12, 11, 13, 3, 0.01, {11, 12, 13}};
  profile.sourcePath = "k.py";
  profile.sourceText = "@triton.jit\ndef k(): pass\n";
  profile.measuredAt = "2026-03-01T14:05:09Z";
  profile.machineCode = textDigest("EXIT ;");
  return profile;
}

static std::string refusal(const std::string &text) {
  const auto profiles = profilesFromText(text);
  return profiles ? "read" : profiles.error().message;
}

TEST_CASE("a profile comes back as it was written", "[profiler]") {
  const ProfileDocument profile = sampleProfile();
  const auto read = profilesFromText(profileToText(profile));
  REQUIRE(read);
  REQUIRE(read->size() == 1);
  const ProfileDocument &back = read->front();
  CHECK(back.measurement == profile.measurement);
  CHECK(back.sourcePath == "k.py");
  CHECK(back.sourceText == profile.sourceText);
  CHECK(back.measuredAt == profile.measuredAt);
  CHECK(back.machineCode == profile.machineCode);
}

TEST_CASE("a measurement from before profiles had a form is read", "[profiler]") {
  const auto read = profilesFromText(measurementToText(sampleProfile().measurement));
  REQUIRE(read);
  CHECK(read->front().sourceText.empty());
  CHECK(read->front().measurement.timeUs->median == 12);
}

TEST_CASE("all launches of a file are as many profiles, without those that failed", "[profiler]") {
  json first = documentOf(sampleProfile()), second = first;
  first["launch"] = "small";
  second["launch"] = "large";
  const json failed = {{"ok", false}, {"error", "the kernel does not compile"}, {"launch", "bad"}};
  const json all = {{"ok", false}, {"launches", {first, failed, second}}};
  const auto read = profilesFromText(all.dump());
  REQUIRE(read);
  REQUIRE(read->size() == 2);
  CHECK((*read)[0].launch == "small");
  CHECK((*read)[1].launch == "large");
  CHECK_THAT(refusal(json{{"launches", {failed}}}.dump()),
             Contains("nothing was measured: the kernel does not compile"));
  CHECK_THAT(refusal(R"({"launches": []})"), Contains("it lists no launch"));
}

TEST_CASE("what is no profile is refused with the reason", "[profiler]") {
  CHECK_THAT(refusal("not json"), Contains("not a profile: "));
  CHECK_THAT(refusal("[1, 2]"), Contains("expected an object"));
  CHECK_THAT(refusal("{}"), Contains("it has no `device` and `kernel`"));
  CHECK_THAT(refusal(R"({"ok": false, "error": "there is no GPU"})"),
             Contains("nothing was measured: there is no GPU"));
  json newer = documentOf(sampleProfile());
  newer["profile_version"] = kProfileVersion + 1;
  CHECK_THAT(refusal(newer.dump()), Contains("it is of form 2, and this version of Tilescope reads "
                                             "up to form 1"));
  json odd = documentOf(sampleProfile());
  odd["time_us"]["median"] = "fast";
  CHECK_THAT(refusal(odd.dump()), Contains("not a profile: "));
}

TEST_CASE("the recorded profiles of the examples can be opened", "[profiler]") {
  for (const char *name : {"matmul", "fused_softmax", "transpose"}) {
    INFO(name);
    const auto text = readTextFile(std::string(TILESCOPE_EXAMPLES) + "/profiles/" + name + ".json");
    REQUIRE(text);
    const auto read = profilesFromText(*text);
    REQUIRE(read);
    const ProfileDocument &profile = read->front();
    CHECK(profile.measurement.kernel == name);
    CHECK_THAT(profile.sourceText, Contains("@triton.jit"));
    CHECK(profile.measurement.counters->isFull);
    CHECK(profile.measurement.samples->mappedShare > 0.95);
    CHECK_FALSE(profile.machineCode.empty());
  }
}
