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
  /// The GPU that measures the times that goals are about, as in `parseRunPlace`; empty: the model
  /// estimates them.
  std::string where;
  bool json = false;
};
/// Whether every start fails the goals that it should, and every solution meets all.
int runCheckLessons(const CheckLessonOptions &options);

/// Makes the folder of a lesson with texts to begin with.
int runNewLesson(const std::string &folder);

struct ProgressOptions {
  /// Files of progress, or folders that hold such.
  std::vector<std::string> paths;
  bool json = false;
};
/// Who has solved which lesson, and at which goals the others are.
int runProgress(const ProgressOptions &options);

struct ExportLessonsOptions {
  /// Folders or names of lessons; `all`: those that come with the program.
  std::vector<std::string> lessons;
  /// All that come with the program, besides; and everything once more as one page and one zip.
  bool all = false;
  /// The folder for NAME.html and NAME.zip; made when there is none.
  std::string output;
};
/// Writes lessons as pages to print, and as single files to pass on.
int runExportLessons(const ExportLessonsOptions &options);

struct GradeOptions {
  /// Kernel files, and folders of such.
  std::vector<std::string> files;
  /// The folder, the title or the name of the lesson whose goals count; empty: what the launch blocks expect.
  std::string lesson;
  /// As of `CheckLessonOptions`.
  std::string where;
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
  /// The zip or folder of a lesson that the window is to open; empty: none.
  const std::string &opened() const { return m_opened; }

private:
  CheckLessonOptions m_check;
  std::string m_newFolder, m_opened;
  ProgressOptions m_progress;
  ExportLessonsOptions m_export;
  GradeOptions m_grade;
  CLI::App *m_checkCommand = nullptr;
  CLI::App *m_newCommand = nullptr;
  CLI::App *m_progressCommand = nullptr;
  CLI::App *m_exportCommand = nullptr;
  CLI::App *m_gradeCommand = nullptr;
};

} // namespace tilescope::app
