// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace tilescope::app {

struct CheckLessonOptions {
  /// Folders of lessons, or folders that hold such.
  std::vector<std::string> folders;
  bool json = false;
};
/// Whether every start fails the goals that it should, and every solution meets all.
int runCheckLessons(const CheckLessonOptions &options);

/// Makes the folder of a lesson with texts to begin with.
int runNewLesson(const std::string &folder);

struct GradeOptions {
  /// Kernel files.
  std::vector<std::string> files;
  /// The folder of the lesson whose goals count; empty: what the launch blocks expect.
  std::string lesson;
  bool json = false;
};
/// Whether each file is solved, wrong or faulty.
int runGrade(const GradeOptions &options);

/// The subcommands `lesson` and `grade` of the program.
class LessonCommands {
public:
  void add(CLI::App &app);
  /// The exit status; nothing: another subcommand was called.
  std::optional<int> dispatch() const;

private:
  CheckLessonOptions m_check;
  std::string m_newFolder;
  GradeOptions m_grade;
  CLI::App *m_checkCommand = nullptr;
  CLI::App *m_newCommand = nullptr;
  CLI::App *m_gradeCommand = nullptr;
};

} // namespace tilescope::app
