// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// What a file is, by its contents.
#include "profiler/data/ProfileDocument.h"
#include "profiler/formats/NcuCsv.h"
#include "profiler/formats/ProtonTree.h"
#include "profiler/formats/ReportForms.h"
#include "profiler/formats/TritonParse.h"
#include "tests/unit/profiler/formats/Samples.h"

#include <algorithm>
#include <nlohmann/json.hpp>

using namespace tilescope;
using namespace tilescope::profiler;
using namespace tilescope::profiler::test;
using Catch::Matchers::Contains;
using nlohmann::json;

static Recording read(const std::string &bytes) {
  const auto recording = readRecording(bytes);
  REQUIRE(recording);
  if (!*recording)
    FAIL(recording->error().message);
  return **recording;
}

static Error errorOf(const std::string &bytes) {
  const auto recording = readRecording(bytes);
  REQUIRE(recording);
  REQUIRE_FALSE(*recording);
  return recording->error();
}

TEST_CASE("a recording is known by its contents", "[profiler]") {
  const Measurement add = recorded("vector_add");
  ReportData data = reportOf({add});
  CHECK(read(htmlReport(data)).kind == RecordingKind::Report);
  CHECK(read(jsonReport(data)).kind == RecordingKind::Report);
  CHECK(read(ncuCsv(data)).kind == RecordingKind::NcuCsv);
  CHECK(read(protonTree(data)).kind == RecordingKind::ProtonTree);
  const Recording profile = read(measurementToText(add));
  CHECK(profile.kind == RecordingKind::Measurement);
  CHECK(profile.data.kernels.at(0).measurement == add);
  CHECK(profile.data.kernels.at(0).target == "cuda:90");
  // Of several launches.
  const std::string both =
      "{\"launches\": [" + measurementToText(add) + "," + measurementToText(add) + "]}";
  CHECK(read(both).data.kernels.size() == 2);
  data.kernels = {compiledKernel()};
  CHECK(read(tritonParse(data)).kind == RecordingKind::TritonParse);
}

TEST_CASE("a profile brings the source that it is of", "[profiler]") {
  ProfileDocument profile;
  profile.measurement = recorded("vector_add");
  profile.sourcePath = "k.py";
  profile.sourceText = "@triton.jit";
  profile.measuredAt = "2026-01-31T12:00:00Z";
  json document = json::parse(measurementToText(profile.measurement));
  addProfileFields(document, profile);
  const Recording recording = read(document.dump());
  CHECK(recording.data.created == profile.measuredAt);
  const ReportKernel &kernel = recording.data.kernels.at(0);
  CHECK(kernel.source == profile.sourceText);
  CHECK(kernel.isPython);
  document["profile_version"] = 99;
  CHECK_THAT(errorOf(document.dump()).message, Contains("it is of form 99"));
}

TEST_CASE("a table has no time of a compilation that was not there", "[profiler]") {
  const ReportData data = reportOf({recorded("vector_add")});
  const std::string csv = csvReport(data);
  CHECK_THAT(csv, Contains("compiled,compile_ms,registers"));
  CHECK_THAT(csv, Contains(",yes,,"));
}

TEST_CASE("other files are no recordings", "[profiler]") {
  for (const char *bytes : {"", " \n", "{", "[1, 2]", "{\"a\": 1}", "a,b\n1,2\n", "@triton.jit\n",
                            "<html></html>", "{\"traceEvents\": []}"})
    CHECK_FALSE(readRecording(bytes).has_value());
}

TEST_CASE("forms of other programs are named with what makes them readable", "[profiler]") {
  CHECK_THAT(errorOf(std::string("NVR\0\x01", 5)).hint,
             Contains("ncu --import FILE.ncu-rep --csv --page raw"));
  CHECK_THAT(errorOf("\x1f\x8b\x08").hint, Contains("gunzip"));
  CHECK_THAT(errorOf("\x28\xb5\x2f\xfd").hint, Contains("zstd -d"));
}

TEST_CASE("recordings that are cut off are refused as what they are", "[profiler]") {
  const ReportData data = reportOf({recorded("vector_add")});
  for (const std::string &text : {jsonReport(data), htmlReport(data), protonTree(data),
                                  measurementToText(recorded("matmul"))})
    CHECK_THAT(errorOf(text.substr(0, text.size() / 2 + text.size() / 3)).message,
               Contains("not JSON"));
}

TEST_CASE("recordings that are cut off anywhere are read, refused, or no recordings",
          "[profiler]") {
  ReportData data = reportOf({recorded("vector_add")});
  data.kernels[0].measurement->timeUs->samples.resize(3);
  data.kernels[0].measurement->samples.reset();
  for (const std::string &text : {jsonReport(data), ncuCsv(data), protonTree(data)})
    for (size_t size = 0; size < text.size(); size += 7) {
      const auto recording = readRecording(std::string_view(text).substr(0, size));
      CHECK((!recording || *recording || !recording->error().message.empty()));
    }
}

/// All places of a document, the document itself included.
static std::vector<json::json_pointer> placesOf(const json &document) {
  std::vector<json::json_pointer> places{json::json_pointer()};
  const json flat = document.flatten();
  for (const auto &[place, value] : flat.items()) {
    json::json_pointer pointer(place);
    for (; !pointer.empty(); pointer.pop_back())
      if (std::ranges::find(places, pointer) == places.end())
        places.push_back(pointer);
  }
  return places;
}

/// Whatever is accepted can be written in every form.
static void checkSurvives(const std::string &bytes) {
  const auto recording = readRecording(bytes);
  if (!recording)
    return;
  if (!*recording) {
    CHECK_FALSE(recording->error().message.empty());
    return;
  }
  for (const ReportForm &form : reportForms())
    CHECK((renderReport((*recording)->data, form) || form.needs != FormNeeds::Nothing));
}

TEST_CASE("no value of a document, in whatever place, does harm", "[profiler]") {
  ReportData report = reportOf({recorded("vector_add")});
  report.kernels.push_back(compiledKernel());
  report.kernels[0].measurement->counters->values = {{"gpu__time_duration.sum", 5}};
  report.kernels[0].measurement->samples.reset();
  const std::string log = tritonParse(report);
  std::vector<json> documents = {json::parse(jsonReport(report)), json::parse(protonTree(report)),
                                 json::parse(log.substr(0, log.find('\n'))),
                                 json::parse(log.substr(log.find('\n') + 1))};
  const std::string first = documents[2].dump();
  for (const json &document : documents)
    for (const json::json_pointer &place : placesOf(document))
      for (const json &value :
           {json(), json(-1), json(1e300), json(UINT64_MAX), json("x"), json(true), json::array(),
            json::object(), json::array({json::object()})}) {
        json changed = document;
        changed[place] = value;
        checkSurvives(changed.dump());
        // A launch says nothing alone.
        if (&document == &documents.back())
          checkSurvives(first + "\n" + changed.dump());
      }
}

TEST_CASE("the ending of a name says the form of a report", "[profiler]") {
  const auto title = [](const char *name) {
    const ReportForm *form = reportForm(name);
    return form ? std::string(form->ending) : "";
  };
  CHECK(title("a.html") == ".html");
  CHECK(title("a.csv") == ".csv");
  CHECK(title("a.ncu.csv") == ".ncu.csv");
  CHECK(title("a.json") == ".json");
  CHECK(title("a.trace.json") == ".trace.json");
  CHECK(title("a.hatchet") == ".hatchet");
  CHECK(title("a.chrome_trace") == ".chrome_trace");
  CHECK(title("a.ndjson") == ".ndjson");
  CHECK(title("a.docx").empty());
}

TEST_CASE("a form without contents is refused, with what would fill it", "[profiler]") {
  const ReportData measured = reportOf({recorded("vector_add")});
  ReportData compiled;
  compiled.kernels = {compiledKernel()};
  for (const ReportForm &form : reportForms()) {
    CAPTURE(form.ending);
    const bool needsNothing = form.needs == FormNeeds::Nothing;
    CHECK(bool(renderReport(measured, form)) == (needsNothing || form.needs == FormNeeds::Times));
    CHECK(bool(renderReport(compiled, form)) == (needsNothing || form.needs == FormNeeds::Compile));
  }
  const auto tree = renderReport(compiled, *reportForm("a.hatchet"));
  CHECK(tree.error().message ==
        "`*.hatchet` holds nothing else than what a GPU measured, and none did");
  CHECK(tree.error().hint == "`--on cuda` measures");
}
