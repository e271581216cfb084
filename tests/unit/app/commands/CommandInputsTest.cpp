// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/DiagnosticText.h"
#include "app/commands/RunLaunch.h"
#include "app/commands/SelectionOptions.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

using namespace tilescope;
using namespace tilescope::app;
using compiler::StageId;

using Assignments = std::map<std::string, std::string>;

TEST_CASE("lists of assignments are taken apart at their own commas", "[app]") {
  const auto check = [](const char *text, const Assignments &expected) {
    const Result<Assignments> parsed = parseAssignments(text);
    REQUIRE(parsed);
    CHECK(*parsed == expected);
  };
  check("x_ptr=*fp32:16, n=i32:16 ,flag=i1",
        {{"x_ptr", "*fp32:16"}, {"n", "i32:16"}, {"flag", "i1"}});
  check("ACT=\"a,b\",D=tl.float16", {{"ACT", "\"a,b\""}, {"D", "tl.float16"}});
  check("T=(1, 2),E=max(a, b)", {{"T", "(1, 2)"}, {"E", "max(a, b)"}});
  check("d=tensordesc<fp16[1,2]>", {{"d", "tensordesc<fp16[1,2]>"}});
  check("n=1,n=2,", {{"n", "2"}});
  check("", {});
}

TEST_CASE("what is not an assignment is wrong usage", "[app]") {
  for (const char *text : {"n", "=1", "n=", "a=1,b"}) {
    const Result<Assignments> parsed = parseAssignments(text);
    REQUIRE_FALSE(parsed);
    CHECK(parsed.error().code == ErrorCode::Usage);
  }
}

TEST_CASE("lists given several times accumulate", "[app]") {
  SelectionOptions options;
  options.signature = {"x=*fp32", "n=i32"};
  options.options = {"num_warps=8"};
  const Result<compiler::Selection> selection = toSelection(options);
  REQUIRE(selection);
  CHECK(selection->signature == Assignments{{"x", "*fp32"}, {"n", "i32"}});
  CHECK(selection->options == Assignments{{"num_warps", "8"}});
}

TEST_CASE("places to run are read", "[app]") {
  CHECK(parseRunPlace("cpu")->kind == RunPlace::Kind::Cpu);
  CHECK(parseRunPlace("cuda")->kind == RunPlace::Kind::Cuda);
  CHECK(parseRunPlace("cuda:3")->device == 3);
  const Result<RunPlace> far = parseRunPlace("ssh://me@host/1");
  REQUIRE(far);
  CHECK(far->kind == RunPlace::Kind::Ssh);
  CHECK(far->host == "me@host");
  CHECK(far->device == 1);
  for (const char *text : {"gpu", "cuda:x", "cuda:-1", "ssh://", "ssh://-oProxyCommand=x"}) {
    const Result<RunPlace> place = parseRunPlace(text);
    REQUIRE_FALSE(place);
    CHECK(place.error().code == ErrorCode::Usage);
  }
}

TEST_CASE("diagnostics are written with places that start at 1", "[app]") {
  compiler::Diagnostic diagnostic;
  diagnostic.kind = compiler::DiagnosticKind::PassFailed;
  diagnostic.range = {{2, 4}, {2, 9}, 0};
  diagnostic.message = "found `x`";
  diagnostic.labels = {{{{0, 0}, {0, 1}, 1}, "called here"}};
  diagnostic.notes = {"a hint"};
  const std::vector<compiler::SourceFile> files{{"k.py", ""}, {"lib.py", ""}};
  CHECK(diagnosticText(diagnostic, files) == "k.py:3:5: error: found `x`\n"
                                             "lib.py:1:1: note: called here\n"
                                             "k.py:3:5: note: a hint\n");
  const nlohmann::json object = diagnosticJson(diagnostic, files);
  CHECK(object["severity"] == "error");
  CHECK(object["file"] == "k.py");
  CHECK(object["line"] == 3);
  CHECK(object["column"] == 5);
  CHECK(object["end_line"] == 3);
  CHECK(object["end_column"] == 10);
  CHECK(object["message"] == "found `x`");
  CHECK(object["notes"].size() == 1);
}
