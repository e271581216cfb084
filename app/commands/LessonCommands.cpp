// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/LessonCommands.h"

#include <CLI/CLI.hpp>

namespace tilescope::app {

static void addPlace(CLI::App &command, std::string &where) {
  command
      .add_option(
          "--on", where,
          "cuda, cuda:N or ssh://[user@]host: the GPU that measures the times that goals are "
          "about; without it, the model estimates them")
      ->type_name("WHERE");
}

void LessonCommands::add(CLI::App &app) {
  CLI::App *lesson = app.add_subcommand("lesson", "write and check lessons");
  lesson->require_subcommand(1);
  m_newCommand = lesson->add_subcommand("new", "make the folder of a lesson, to begin with");
  m_newCommand->add_option("folder", m_newFolder, "the new folder")->required()->type_name("DIR");
  m_checkCommand = lesson->add_subcommand(
      "check", "every start must fail the goals that it should, every solution meet all");
  m_checkCommand
      ->add_option("folders", m_check.folders, "folders of lessons, or one that holds them")
      ->required()
      ->type_name("DIR");
  addPlace(*m_checkCommand, m_check.where);
  m_checkCommand->add_flag("--json", m_check.json, "print one JSON document");
  m_progressCommand =
      lesson->add_subcommand("progress", "who has solved what, and at which goals others are");
  m_progressCommand
      ->add_option("paths", m_progress.paths,
                   "learners' progress.json files, or folders that hold one folder per learner")
      ->required()
      ->type_name("PATH");
  m_progressCommand->add_flag("--json", m_progress.json, "print one JSON document");
  m_exportCommand = lesson->add_subcommand(
      "export", "write a page to print and a single file to pass on, for each lesson");
  m_exportCommand
      ->add_option("lessons", m_export.lessons,
                   "lessons, by name or folder; `all`: those that come with the program")
      ->type_name("NAME");
  m_exportCommand->add_flag("--all", m_export.all,
                            "all lessons that come with the program, and everything once more as "
                            "one page and one zip: curriculum.html and curriculum.zip");
  m_exportCommand->add_option("-o,--output", m_export.output, "folder for NAME.html and NAME.zip")
      ->required()
      ->type_name("DIR");
  // The window opens it; see `runCommandLine`.
  lesson->add_subcommand("open", "open the folder or the zip of a lesson in the window")
      ->add_option("lesson", m_opened, "a zip from `lesson export`, or a folder")
      ->required()
      ->type_name("FILE");
  m_gradeCommand = app.add_subcommand("grade", "list which files are solved, wrong or faulty");
  m_gradeCommand->add_option("files", m_grade.files, "kernel files, and folders of them")
      ->required()
      ->type_name("FILE");
  m_gradeCommand
      ->add_option(
          "--lesson", m_grade.lesson,
          "the lesson whose goals count, by name, title or folder; default: only what each launch "
          "block expects of the results")
      ->type_name("NAME");
  addPlace(*m_gradeCommand, m_grade.where);
  m_gradeCommand->add_flag("--json", m_grade.json, "print one JSON document");
}

std::optional<int> LessonCommands::dispatch() const {
  if (*m_checkCommand)
    return runCheckLessons(m_check);
  if (*m_newCommand)
    return runNewLesson(m_newFolder);
  if (*m_progressCommand)
    return runProgress(m_progress);
  if (*m_exportCommand)
    return runExportLessons(m_export);
  if (*m_gradeCommand)
    return runGrade(m_grade);
  return std::nullopt;
}

} // namespace tilescope::app
