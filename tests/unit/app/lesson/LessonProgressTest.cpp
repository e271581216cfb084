// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/lesson/LessonProgress.h"

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

using namespace tilescope;
using namespace tilescope::app;

namespace {
struct File {
  std::string path =
      (std::filesystem::temp_directory_path() / "tilescope_progress_test.json").string();
  File() { std::filesystem::remove(path); }
  ~File() { std::filesystem::remove(path); }
};
} // namespace

TEST_CASE("Answers are kept: how many tries, and whether the first was right") {
  const File file;
  LessonProgress progress;
  progress.note("layouts", 3, {"a goal"}, "2026-01-31 12:00 UTC");
  progress.noteAnswer("layouts", 0, true);
  progress.noteAnswer("layouts", 2, false);
  progress.noteAnswer("layouts", 2, true);
  progress.lessons["layouts"].hints = {2, 0};
  REQUIRE(writeProgress(file.path, progress));
  const Result<LessonProgress> read = readProgress(file.path);
  REQUIRE(read);
  CHECK(read->lessons == progress.lessons);
  const auto &questions = read->lessons.at("layouts").questions;
  CHECK(questions.at(0) == QuestionScore{1, true, true});
  CHECK(questions.at(2) == QuestionScore{2, false, true});
}

TEST_CASE(
    "A file without questions and hints, as older ones are, is read; a damaged one is an error") {
  const File file;
  std::ofstream(file.path) << R"({"version": 1, "lessons": {"softmax": {"met": 1, "goals": 4}}})";
  CHECK(readProgress(file.path)->lessons.at("softmax").questions.empty());
  // They had the number of open hints, not which.
  std::ofstream(file.path) << R"({"lessons": {"softmax": {"hints": 2}}})";
  CHECK(readProgress(file.path)->lessons.at("softmax").hints == std::vector<int>{0, 1});
  std::ofstream(file.path) << R"({"lessons": {"softmax": {"questions": [{"tries": 1}]}}})";
  CHECK_FALSE(readProgress(file.path));
}
