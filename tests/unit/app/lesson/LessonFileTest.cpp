// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/lesson/LessonFile.h"

#include "tests/support/TestFolder.h"

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

using namespace tilescope;
using namespace tilescope::app;
namespace fs = std::filesystem;

namespace {

/// A folder with the files of a lesson.
class LessonFolder {
public:
  explicit LessonFolder(const std::string &toml) {
    write("lesson.toml", toml);
    write("text.md", "# Text\n");
    write("start.py", "start");
    write("solution.py", "solution");
  }

  void write(const char *name, const std::string &text) const { m_folder.write(name, text); }
  void remove(const char *name) const { fs::remove(m_folder.path / name); }
  std::string path() const { return m_folder.path.string(); }

private:
  tests::TestFolder m_folder;
};

} // namespace

static const std::string kHeader = "title = \"T\"\nsummary = \"S\"\nminutes = 20\n";
static const std::string kGoal = "[[goals]]\nkind = \"outputs\"\ntext = \"right\"\n";

static std::string errorOf(const std::string &toml) {
  const LessonFolder folder(toml);
  const Result<Lesson> lesson = readLesson(folder.path());
  REQUIRE_FALSE(lesson);
  return lesson.error().message;
}

TEST_CASE("A lesson is read with its texts, goals, launches and hints") {
  const LessonFolder folder(
      kHeader + "kind = \"puzzle\"\ntarget = \"cuda:90\"\nhints = [\"one\", \"two\"]\n" + kGoal +
      "launch = \"b\"\nmet_at_start = true\n"
      "[[goals]]\nkind = \"sectors-per-request\"\ntext = \"few\"\nat_most = 4\n"
      "argument = \"x_ptr\"\naccess = \"load\"\nhints = [2, 1]\n");
  folder.write("launches.py", "# /// tilescope\n# name = \"a\"\n# grid = [1]\n# ///\n\n"
                              "# /// tilescope\n# name = \"b\"\n# grid = [2]\n# ///\n");
  const Result<Lesson> lesson = readLesson(folder.path() + "/");
  REQUIRE(lesson);
  CHECK(lesson->id == fs::path(folder.path()).filename().string());
  CHECK(lesson->kind == LessonKind::Puzzle);
  CHECK(lesson->minutes == 20);
  CHECK(lesson->target == "cuda:90");
  CHECK(lesson->start == "start");
  CHECK(lesson->solution == "solution");
  CHECK(lesson->hints == std::vector<std::string>{"one", "two"});
  REQUIRE(lesson->goals.size() == 2);
  CHECK(lesson->goals[0].launch == 1);
  CHECK(lesson->goals[0].isMetAtStart);
  CHECK(lesson->goals[1].kind == GoalKind::SectorsPerRequest);
  CHECK(lesson->goals[1].atMost == 4);
  CHECK(lesson->goals[0].hints.empty());
  CHECK(lesson->goals[1].hints == std::vector<int>{1, 0});
  CHECK(lesson->goals[1].accesses == GoalAccesses{"x_ptr", GoalAccesses::Direction::Load});
}

TEST_CASE(
    "Faults are told apart from results where a goal is about the faults of the same launch") {
  const LessonFolder folder(kHeader + kGoal + "launch = \"a\"\n" + kGoal + "launch = \"b\"\n" +
                            "[[goals]]\nkind = \"no-faults\"\ntext = \"none\"\nlaunch = \"b\"\n");
  folder.write("launches.py", "# /// tilescope\n# name = \"a\"\n# grid = [1]\n# ///\n\n"
                              "# /// tilescope\n# name = \"b\"\n# grid = [2]\n# ///\n");
  const Result<Lesson> lesson = readLesson(folder.path());
  REQUIRE(lesson);
  CHECK_FALSE(lesson->goals[0].areFaultsToldApart);
  CHECK(lesson->goals[1].areFaultsToldApart);
  CHECK_FALSE(lesson->goals[2].areFaultsToldApart);
}

TEST_CASE("What is wrong in lesson.toml is told with its line") {
  using Catch::Contains;
  CHECK_THAT(errorOf(kHeader + "titel = 1\n" + kGoal),
             Contains("line 4: `titel` is not a known key"));
  CHECK_THAT(errorOf("title = \"T\"\nminutes = 20\n" + kGoal), Contains("`summary` is missing"));
  CHECK_THAT(errorOf("title = 3\nsummary = \"S\"\nminutes = 20\n" + kGoal),
             Contains("line 1: `title` must be a string in quotes"));
  CHECK_THAT(errorOf(kHeader), Contains("a lesson has at least one goal"));
  CHECK_THAT(errorOf(kHeader + "[[goals]]\nkind = \"fast\"\ntext = \"x\"\n"),
             Contains("line 5: `fast` is not a kind of goal; use one of compiles, outputs"));
  CHECK_THAT(errorOf(kHeader + "[[goals]]\nkind = \"registers\"\ntext = \"x\"\n"),
             Contains("a goal of the kind `registers` needs `at_most`"));
  CHECK_THAT(errorOf(kHeader + kGoal + "at_most = 3\n"), Contains("has no bound"));
  CHECK_THAT(errorOf(kHeader + "[[goals]]\nkind = \"calls\"\ntext = \"x\"\n"),
             Contains("a goal of the kind `calls` needs `name`"));
  CHECK_THAT(errorOf(kHeader + kGoal + "launch = \"nope\"\n"),
             Contains("line 7: launches.py has no launch named `nope`"));
  CHECK_THAT(errorOf(kHeader + kGoal + "access = \"lode\"\n"), Contains("`load` or `store`"));
  CHECK_THAT(errorOf(kHeader + "hints = [\"one\"]\n" + kGoal + "hints = [1, 2]\n"),
             Contains("line 8: there is no hint 2: the lesson has 1"));
  CHECK_THAT(errorOf("title = \"T\nsummary"), Contains("lesson.toml`: line 1: "));
  CHECK_THAT(errorOf(kHeader + "goals = 3\n"), Contains("line 4: `goals` must be a list"));
}

TEST_CASE("Questions are read, with what they need") {
  const LessonFolder folder(kHeader + kGoal +
                            "[[questions]]\nkind = \"holder\"\ntext = \"who?\"\nargument = "
                            "\"x_ptr\"\nelement = [3, 5]\npart = \"lane\"\n"
                            "[[questions]]\nkind = \"first-element\"\ntext = \"which?\"\n"
                            "argument = \"y_ptr\"\naccess = \"store\"\nprogram = [2, 1]\n");
  const Result<Lesson> lesson = readLesson(folder.path());
  REQUIRE(lesson);
  REQUIRE(lesson->questions.size() == 2);
  CHECK(lesson->questions[0].kind == QuestionKind::Holder);
  CHECK(lesson->questions[0].element == std::vector<int64_t>{3, 5});
  CHECK(lesson->questions[1].program == std::vector<int64_t>{2, 1});
  CHECK(lesson->questions[1].accesses == GoalAccesses{"y_ptr", GoalAccesses::Direction::Store});

  using Catch::Contains;
  const std::string question = kHeader + kGoal + "[[questions]]\ntext = \"?\"\n";
  CHECK_THAT(errorOf(question + "kind = \"guess\"\n"),
             Contains("line 9: `guess` is not a kind of question; use one of programs"));
  CHECK_THAT(errorOf(question + "kind = \"first-element\"\nargument = \"x\"\n"),
             Contains("a question of the kind `first-element` needs `program`"));
  CHECK_THAT(errorOf(question + "kind = \"holder\"\nargument = \"x\"\nelement = [1]\n"),
             Contains("`part` is `register`, `lane` or `warp`"));
  CHECK_THAT(errorOf(question + "kind = \"holder\"\nargument = \"x\"\nelement = [1.5]\n"),
             Contains("`element` must be a list of whole numbers"));
  CHECK_THAT(errorOf(question + "kind = \"programs\"\nlaunch = \"nope\"\n"),
             Contains("launches.py has no launch named `nope`"));
}

TEST_CASE("The title of a lesson is read from what stands above its goals") {
  const LessonFolder folder(kHeader + kGoal + "this is no TOML\n");
  folder.remove("text.md");
  CHECK(*readLessonTitle(folder.path()) == "T");
  const LessonFolder untitled("summary = \"S\"\n");
  CHECK_THAT(readLessonTitle(untitled.path()).error().message, Catch::Contains("it has no title"));
}

TEST_CASE("A file that is missing from a lesson is named") {
  const LessonFolder folder(kHeader + kGoal);
  folder.remove("solution.py");
  const Result<Lesson> lesson = readLesson(folder.path());
  REQUIRE_FALSE(lesson);
  CHECK_THAT(lesson.error().message, Catch::Contains("solution.py"));
}

TEST_CASE("A curriculum names lessons of its own folder only") {
  const LessonFolder folder(kHeader + kGoal);
  fs::create_directory(fs::path(folder.path()) / "one");
  folder.write("curriculum.toml", "[[chapters]]\ntitle = \"A\"\nlessons = [\"one\"]\n");
  const Result<std::vector<Chapter>> chapters = readCurriculum(folder.path());
  REQUIRE(chapters);
  REQUIRE(chapters->size() == 1);
  CHECK(chapters->front().lessons == std::vector<std::string>{"one"});
  for (const char *id : {"two", "../one", "", ".", "one/../one"}) {
    folder.write("curriculum.toml",
                 "[[chapters]]\ntitle = \"A\"\nlessons = [\"" + std::string(id) + "\"]\n");
    const Result<std::vector<Chapter>> wrong = readCurriculum(folder.path());
    REQUIRE_FALSE(wrong);
    CHECK_THAT(wrong.error().message, Catch::Contains("there is no lesson"));
  }
}

TEST_CASE("A goal about time is held against a file of the lesson") {
  const std::string time = "[[goals]]\nkind = \"time\"\ntext = \"fast\"\nat_most = 0.5\n";
  const LessonFolder folder(kHeader + time + time + "baseline = \"naive.py\"\n" + time +
                            "baseline_kernel = \"slow\"\n" + time);
  folder.write("naive.py", "naive");
  const Result<Lesson> lesson = readLesson(folder.path());
  REQUIRE(lesson);
  CHECK(lesson->baselines == std::vector<LessonBaseline>{{"start.py", "", "start"},
                                                         {"naive.py", "", "naive"},
                                                         {"start.py", "slow", "start"}});
  CHECK(lesson->goals[1].baseline == 1);
  CHECK(lesson->goals[2].baseline == 2);
  // The same one is read once.
  CHECK(lesson->goals[3].baseline == 0);
  CHECK(lesson->baselines[0].name() == "`start.py`");
  CHECK(lesson->baselines[2].name() == "`slow` of `start.py`");

  CHECK(errorOf(kHeader + time + "baseline = \"../start.py\"\n")
            .ends_with("`baseline` is a Python file of the lesson's folder, such as `start.py`"));
  CHECK(errorOf(kHeader + time + "baseline = \"missing.py\"\n").find("missing.py") !=
        std::string::npos);
  CHECK(errorOf(kHeader + kGoal + "baseline = \"start.py\"\n")
            .ends_with("only a goal of the kind `time` has a baseline"));
  CHECK(errorOf(kHeader + "[[goals]]\nkind = \"time\"\ntext = \"fast\"\n")
            .ends_with("a goal of the kind `time` needs `at_most`"));
}
