// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/CompileFile.h"
#include "app/commands/DiagnosticText.h"
#include "app/commands/FindLesson.h"
#include "app/commands/LaunchReport.h"
#include "app/commands/LessonCommands.h"
#include "app/commands/LessonHandout.h"
#include "app/launch/ProgramFolders.h"
#include "app/lesson/LessonFile.h"
#include "profiler/data/FileIo.h"
#include "profiler/data/OutputFolder.h"

#include <cstdio>
#include <filesystem>

namespace tilescope::app {

namespace fs = std::filesystem;
using namespace std::string_literals;

/// What the files with all lessons are called.
static constexpr const char *kTogether = "curriculum";

/// The folders of the lessons that are meant; `all` are those that come with the program, in the order
/// in which they are worked.
static Result<std::vector<std::string>> foldersOf(const std::vector<std::string> &names) {
  std::vector<std::string> folders;
  for (const std::string &name : names) {
    if (name != "all") {
      Result<std::string> folder = findLesson(name);
      if (!folder)
        return folder.error();
      folders.push_back(std::move(*folder));
      continue;
    }
    const std::string shipped = shippedLessons();
    if (shipped.empty())
      return Error{ErrorCode::Environment, "the folder of lessons is not beside the program", ""};
    const Result<std::vector<Chapter>> chapters = readCurriculum(shipped);
    if (!chapters)
      return chapters.error();
    for (const Chapter &chapter : *chapters)
      for (const std::string &id : chapter.lessons)
        folders.push_back((fs::path(shipped) / id).string());
  }
  return folders;
}

/// What is known of the kernel that a lesson begins with.
static Result<profiler::ReportKernel> startOf(compiler::WorkerClient &worker,
                                              const Lesson &lesson) {
  compiler::Selection selection;
  selection.target = lesson.target;
  LaunchOptions launch;
  launch.place.kind = RunPlace::Kind::Cpu;
  const Result<ReportedLaunch> reported =
      reportLaunch(worker, {"start.py", lesson.start, compiler::StageId::Ast, {}}, selection,
                   launch, {.showsPrints = false});
  if (!reported)
    return reported.error();
  return reported->kernel;
}

/// A lesson's files are written; returns it as a part of a page of several.
static Result<HandoutLesson> exportLesson(compiler::WorkerClient &worker, const std::string &folder,
                                          const profiler::OutputFolder &output) {
  Result<Lesson> lesson = readLesson(folder);
  if (!lesson)
    return lesson.error();
  Result<LessonParts> parts = readLessonFolder(folder);
  if (!parts)
    return parts.error();
  Result<profiler::ReportKernel> start = startOf(worker, *lesson);
  if (!start)
    return start.error();
  HandoutLesson exported{std::move(*lesson), std::move(*parts), std::move(*start)};
  const std::string &id = exported.parts.id;
  if (Status status = output.write(id + ".html", lessonHandout(exported)); !status)
    return status.error();
  const std::string zip = output.pathOf(id + ".zip");
  if (Status status = writeLessonZip({&exported.parts, 1}, zip); !status)
    return status.error();
  std::printf("%s\n%s\n", output.pathOf(id + ".html").c_str(), zip.c_str());
  return exported;
}

/// All lessons as one page and as one file to pass on.
static Status exportTogether(const std::vector<HandoutLesson> &lessons,
                             const profiler::OutputFolder &output) {
  if (Status status = output.write(kTogether + ".html"s, lessonsHandout(lessons)); !status)
    return status;
  std::vector<LessonParts> parts;
  for (const HandoutLesson &each : lessons)
    parts.push_back(each.parts);
  const std::string zip = output.pathOf(kTogether + ".zip"s);
  if (Status status = writeLessonZip(parts, zip); !status)
    return status;
  std::printf("%s\n%s\n", output.pathOf(kTogether + ".html"s).c_str(), zip.c_str());
  return {};
}

int runExportLessons(const ExportLessonsOptions &options) {
  std::vector<std::string> names = options.lessons;
  if (options.all)
    names.insert(names.begin(), "all");
  if (names.empty())
    return reportError(
        {ErrorCode::InvalidInput, "no lesson is named", "name some, or write `--all`"});
  const Result<std::vector<std::string>> folders = foldersOf(names);
  if (!folders)
    return reportError(folders.error());
  const Result<profiler::OutputFolder> output = profiler::OutputFolder::make(options.output);
  if (!output)
    return reportError(output.error());
  compiler::WorkerClient worker(workerOptions());
  std::vector<HandoutLesson> exported;
  for (const std::string &folder : *folders) {
    Result<HandoutLesson> lesson = exportLesson(worker, folder, *output);
    if (!lesson)
      return reportError(lesson.error());
    if (options.all)
      exported.push_back(std::move(*lesson));
  }
  if (options.all)
    if (Status status = exportTogether(exported, *output); !status)
      return reportError(status.error());
  return 0;
}

} // namespace tilescope::app
