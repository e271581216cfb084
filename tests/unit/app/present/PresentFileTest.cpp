// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/present/PresentFile.h"

#include "app/present/PresentState.h"
#include "tests/support/TestFolder.h"

#include <catch2/catch.hpp>
#include <filesystem>

using namespace tilescope;
using namespace tilescope::app;

static const char *const kKernels = "import triton\n"
                                    "\n"
                                    "@triton.jit\n"
                                    "def first(x_ptr):\n"
                                    "    pass\n"
                                    "\n"
                                    "@triton.jit\n"
                                    "def second(x_ptr):\n"
                                    "    pass\n";

static const PresentViews kViews{{"editor", {}}, {"programs", {"Program x", "Iteration"}}};

static Result<PresentScript> read(const tests::TestFolder &folder, const std::string &steps) {
  folder.write("a.py", kKernels);
  folder.write("b.py", kKernels);
  folder.write("present.toml", "title = \"Talk\"\n" + steps);
  return readPresentScript((folder.path / "present.toml").string(), kViews);
}

/// What is said of a script, without its path.
static std::string errorOf(const std::string &steps) {
  const tests::TestFolder folder;
  const Result<PresentScript> script = read(folder, steps);
  REQUIRE_FALSE(script);
  const std::string path = (folder.path / "present.toml").string();
  REQUIRE(script.error().message.find(path) != std::string::npos);
  const size_t line = script.error().message.find("line ");
  REQUIRE(line != std::string::npos);
  return script.error().message.substr(line);
}

static const std::string kStep = "[[steps]]\ntitle = \"One\"\nfile = \"a.py\"\n";

TEST_CASE("A step has what its entry says, and of its places what the step before has") {
  const tests::TestFolder folder;
  const Result<PresentScript> script =
      read(folder, "loop = true\ntext_percent = 200\nseconds = 5\n" + kStep +
                       "line = 5\nat = \"def\"\nviews = [\"editor\", \"programs\"]\n"
                       "program = [2, 1]\nsliders = { Iteration = 3 }\n"
                       "[[steps]]\ntitle = \"Two\"\nkernel = \"second\"\nseconds = 9\n"
                       "[[steps]]\ntitle = \"Three\"\nelement = [7]\nargument = \"x_ptr\"\n"
                       "view = \"programs\"\nnotes = \"Say this.\"\n"
                       "[[steps]]\ntitle = \"Four\"\nfile = \"b.py\"\n");
  REQUIRE(script);
  CHECK(script->title == "Talk");
  CHECK(script->isLoop);
  CHECK(script->textPercent == 200);
  REQUIRE(script->steps.size() == 4);
  const PresentStep &one = script->steps[0];
  CHECK(one.file == std::filesystem::weakly_canonical(folder.path / "a.py").string());
  CHECK(one.cursor == Position{7, 0});
  CHECK(one.views == std::vector<std::string>{"editor", "programs"});
  CHECK(one.program == std::vector<int64_t>{2, 1});
  CHECK(one.sliders == std::map<std::string, int64_t>{{"Iteration", 3}});
  CHECK(one.seconds == 5);
  CHECK_FALSE(one.hasSpotlight);
  const PresentStep &two = script->steps[1];
  CHECK(two.file == one.file);
  CHECK(two.kernel == "second");
  CHECK(two.cursor.value().line == 6);
  CHECK(two.views == std::vector<std::string>{"editor"});
  CHECK(two.program.empty());
  CHECK(two.seconds == 9);
  const PresentStep &three = script->steps[2];
  CHECK(three.kernel == "second");
  CHECK(three.cursor == two.cursor);
  CHECK(three.hasSpotlight);
  CHECK(three.notes == std::vector<std::string>{"Say this."});
  // Places in one file say nothing of another.
  CHECK(script->steps[3].kernel.empty());
  CHECK_FALSE(script->steps[3].cursor);
}

TEST_CASE("What is wrong with a script is told with its file and line") {
  CHECK(errorOf("[[steps]]\ntitle = \n").starts_with("line 3: "));
  CHECK(errorOf("") == "line 1: a presentation has at least one step: write `[[steps]]`");
  CHECK(errorOf("[[steps]]\nfile = \"a.py\"\n") == "line 2: `title` is missing");
  CHECK(errorOf("[[steps]]\ntitle = \"x\"\n") ==
        "line 2: the first step needs `file`: a kernel file beside this script");
  CHECK(errorOf(kStep + "kernl = \"first\"\n") == "line 5: `kernl` is not a known key");
  CHECK(errorOf(kStep + "kernel = \"third\"\n") == "line 5: the file has no kernel `third`");
  CHECK(errorOf(kStep + "line = 99\n") == "line 5: the file has only 10 lines");
  CHECK(errorOf(kStep + "line = 0\n") ==
        "line 5: `line` must be a whole number from 1 to 2147483647");
  CHECK(errorOf(kStep + "line = 5\nat = \"first\"\n") ==
        "line 6: the file has no `first` from line 5 on");
  CHECK(errorOf(kStep + "view = \"picture\"\n") ==
        "line 5: there is no view `picture`; use one of editor, programs");
  CHECK(errorOf(kStep + "sliders = { Warp = 1 }\n") ==
        "line 5: no view of this step has a slider `Warp`");
  CHECK(errorOf(kStep + "view = \"programs\"\nsliders = { Iteration = -1 }\n") ==
        "line 6: `Iteration` must be 0 or more");
  CHECK(errorOf(kStep + "program = [1, 2, 3, 4]\n") ==
        "line 5: `program` has at most 3 numbers, each 0 or more");
  CHECK(errorOf(kStep + "seconds = nan\n") == "line 5: `seconds` is from 1 to 3600");
  CHECK(errorOf(kStep + "steps = 3\n") == "line 5: `steps` is not a known key");
  CHECK(errorOf("steps = 3\n") == "line 2: `steps` must be a list");
}

TEST_CASE("A step has notes for all of its views, or for each") {
  const tests::TestFolder folder;
  const std::string views = kStep + "views = [\"editor\", \"programs\"]\n";
  const Result<PresentScript> each = read(folder, views + "notes = [\"Ask.\", \"Show.\"]\n");
  REQUIRE(each);
  PresentState state(*each);
  CHECK(state.notes() == "Ask.");
  REQUIRE(state.go(1));
  CHECK(state.notes() == "Show.");
  const Result<PresentScript> all = read(folder, views + "notes = \"Say this.\"\n");
  REQUIRE(all);
  PresentState same(*all);
  REQUIRE(same.go(1));
  CHECK(same.notes() == "Say this.");
  CHECK(errorOf(views + "notes = [\"Ask.\"]\n") ==
        "line 6: `notes` is one text, or a list with one for each view, of which this step has 2");
}

TEST_CASE("A script shows files of its own folder, and no others") {
  for (const char *name : {"../a.py", "/etc/passwd", "sub/../../a.py"})
    CHECK(errorOf("[[steps]]\ntitle = \"x\"\nfile = \"" + std::string(name) + "\"\n") ==
          "line 4: `" + std::string(name) + "` is not in the folder of this script");
  CHECK(errorOf("[[steps]]\ntitle = \"x\"\nfile = \"none.py\"\n").starts_with("line 4: "));
}

TEST_CASE("A script is bounded") {
  std::string many;
  for (int i = 0; i < 501; ++i)
    many += kStep;
  CHECK(errorOf(many).find("at most 500 steps") != std::string::npos);
  CHECK(errorOf("notes = \"" + std::string(300'000, 'x') + "\"\n").starts_with("line "));
  std::string views = "views = [";
  for (int i = 0; i < 17; ++i)
    views += "\"editor\", ";
  CHECK(errorOf(kStep + views + "]\n") == "line 5: a step has at most 16 views");
}

TEST_CASE("A script is known by its name") {
  CHECK(isPresentScript("/talks/present.toml"));
  CHECK(isPresentScript("softmax.present.toml"));
  CHECK_FALSE(isPresentScript("/talks/lesson.toml"));
  CHECK_FALSE(isPresentScript("/present.toml/kernel.py"));
}
