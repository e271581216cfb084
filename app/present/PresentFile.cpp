// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/present/PresentFile.h"

#include "app/launch/SourceKernels.h"
#include "profiler/data/FileIo.h"
#include "profiler/package/TomlReader.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tilescope::app {

namespace fs = std::filesystem;
using profiler::TomlReader;

static constexpr size_t kMostSteps = 500;
static constexpr size_t kMostViews = 16;
static constexpr size_t kMostDims = 8;
static constexpr int64_t kMostNumber = INT32_MAX;
static constexpr int kUsualPercent = 160;
static constexpr double kUsualSeconds = 15;
static constexpr double kMostSeconds = 3600;

namespace {
/// What steps are read with.
struct Source {
  fs::path folder;
  const PresentViews &views;
  std::optional<Error> error;
  /// Texts of the files that steps name, by path.
  std::map<std::string, std::string> texts;
};
} // namespace

/// The name as a path, if it leads to the script's folder or below.
static std::optional<fs::path> pathWithin(const fs::path &folder, const std::string &name) {
  std::error_code failed;
  const fs::path root = fs::weakly_canonical(folder, failed);
  const fs::path file = fs::weakly_canonical(root / name, failed);
  const auto end = std::mismatch(root.begin(), root.end(), file.begin(), file.end()).first;
  return !failed && fs::path(name).is_relative() && end == root.end() ? std::optional(file)
                                                                      : std::nullopt;
}

/// The text of the step's file, which the step before may have named; null: it is not known.
static const std::string *readFile(TomlReader &table, Source &source, PresentStep &step) {
  const std::string name = table.text("file");
  if (name.empty()) {
    if (step.file.empty())
      table.fail("the first step needs `file`: a kernel file beside this script");
  } else {
    const std::optional<fs::path> path = pathWithin(source.folder, name);
    if (!path) {
      table.failAt("file", fmt::format("`{}` is not in the folder of this script", name));
      return nullptr;
    }
    // The places in one file say nothing of another.
    if (path->string() != step.file) {
      step.kernel.clear();
      step.cursor.reset();
    }
    step.file = path->string();
  }
  if (const auto known = source.texts.find(step.file); known != source.texts.end())
    return &known->second;
  if (step.file.empty())
    return nullptr;
  Result<std::string> text = profiler::readTextFile(step.file);
  if (!text) {
    table.failAt("file", text.error().message);
    return nullptr;
  }
  return &source.texts.emplace(step.file, std::move(*text)).first->second;
}

static void readKernel(TomlReader &table, const std::string *text, PresentStep &step) {
  const std::string kernel = table.text("kernel");
  if (kernel.empty())
    return;
  step.kernel = kernel;
  if (!text)
    return;
  const std::vector<SourceKernel> kernels = sourceKernels(*text);
  const auto found = std::ranges::find(kernels, kernel, &SourceKernel::name);
  if (found == kernels.end())
    table.failAt("kernel", fmt::format("the file has no kernel `{}`", kernel));
  else
    step.cursor = found->range.begin;
}

/// `line` is one of the text, counted from 1; `at` are words in it, or behind it.
static void readCursor(TomlReader &table, const std::string *text, PresentStep &step) {
  const std::optional<int64_t> line = table.integer("line", 1, kMostNumber);
  const std::string words = table.text("at");
  if (!text || (!line && words.empty()))
    return;
  size_t begin = 0;
  for (int64_t row = 1; line && row < *line; ++row) {
    begin = text->find('\n', begin);
    if (begin == std::string::npos)
      return table.failAt("line", fmt::format("the file has only {} lines", row));
    ++begin;
  }
  const size_t at = words.empty() ? begin : text->find(words, begin);
  if (at == std::string::npos)
    return table.failAt("at", fmt::format("the file has no `{}`{}", words,
                                          line ? fmt::format(" from line {} on", *line) : ""));
  const std::string_view before = std::string_view(*text).substr(0, at);
  step.cursor = Position{static_cast<uint32_t>(std::ranges::count(before, '\n')),
                         static_cast<uint32_t>(at - (before.rfind('\n') + 1))};
}

static void readViews(TomlReader &table, const Source &source, PresentStep &step) {
  const std::string view = table.text("view");
  step.views = table.texts("views");
  if (!view.empty() && !step.views.empty())
    table.failAt("views", "a step has `view` or `views`, not both");
  if (!view.empty())
    step.views = {view};
  if (step.views.empty())
    step.views = {kEditorView};
  if (step.views.size() > kMostViews)
    table.failAt("views", fmt::format("a step has at most {} views", kMostViews));
  const auto names = [&] {
    std::vector<std::string> all;
    for (const auto &[name, sliders] : source.views)
      all.push_back(name);
    return fmt::format("{}", fmt::join(all, ", "));
  };
  for (const std::string &each : step.views)
    if (!source.views.contains(each))
      table.failAt(view.empty() ? "views" : "view",
                   fmt::format("there is no view `{}`; use one of {}", each, names()));
}

static void readSliders(TomlReader &table, const Source &source, PresentStep &step) {
  step.sliders = table.numbersByName("sliders");
  for (const auto &[name, number] : step.sliders) {
    const bool isKnown = std::ranges::any_of(step.views, [&](const std::string &view) {
      const auto found = source.views.find(view);
      return found != source.views.end() && std::ranges::count(found->second, name) > 0;
    });
    if (!isKnown)
      table.failAt("sliders", fmt::format("no view of this step has a slider `{}`", name));
    if (number < 0 || number > kMostNumber)
      table.failAt("sliders", fmt::format("`{}` must be 0 or more", name));
  }
}

/// Up to `most` numbers from 0 on.
static std::vector<int64_t> readIndex(TomlReader &table, std::string_view key, size_t most) {
  std::vector<int64_t> index = table.integers(key);
  const auto isWrong = [](int64_t number) { return number < 0 || number > kMostNumber; };
  if (index.size() > most || std::ranges::any_of(index, isWrong))
    table.failAt(key, fmt::format("`{}` has at most {} numbers, each 0 or more", key, most));
  return index;
}

static void readSpotlight(TomlReader &table, PresentStep &step) {
  step.element = readIndex(table, "element", kMostDims);
  step.argument = table.text("argument");
  step.hasSpotlight = table.flag("spotlight") || !step.element.empty();
}

/// One text, or a list with one for each view.
static void readNotes(const toml::table &entry, TomlReader &table, PresentStep &step) {
  const bool isList = entry["notes"].is_array();
  step.notes = isList ? table.texts("notes") : std::vector<std::string>{table.text("notes")};
  if (isList && step.notes.size() != step.views.size())
    table.failAt("notes",
                 fmt::format("`notes` is one text, or a list with one for each view, of which this "
                             "step has {}",
                             step.views.size()));
}

/// `before`: the step before, from which open things are taken.
static PresentStep readStep(const toml::table &entry, const PresentStep &before, Source &source) {
  TomlReader table(entry, source.error);
  PresentStep step;
  step.file = before.file;
  step.kernel = before.kernel;
  step.cursor = before.cursor;
  step.title = table.text("title", true);
  const std::string *text = readFile(table, source, step);
  readKernel(table, text, step);
  readCursor(table, text, step);
  readViews(table, source, step);
  step.program = readIndex(table, "program", 3);
  readSliders(table, source, step);
  readSpotlight(table, step);
  readNotes(entry, table, step);
  step.seconds = table.number("seconds").value_or(before.seconds);
  if (!(step.seconds >= 1 && step.seconds <= kMostSeconds))
    table.failAt("seconds", fmt::format("`seconds` is from 1 to {}", kMostSeconds));
  table.finish();
  return step;
}

Result<PresentScript> readPresentScript(const std::string &path, const PresentViews &views) {
  const Result<toml::table> read = profiler::readTomlFile(path);
  if (!read)
    return read.error();
  Source source{fs::absolute(path).parent_path(), views, {}, {}};
  TomlReader table(*read, source.error);
  PresentScript script;
  script.path = path;
  script.title = table.text("title", true);
  script.textPercent =
      static_cast<int>(table.integer("text_percent", 100, 400).value_or(kUsualPercent));
  script.isLoop = table.flag("loop");
  PresentStep before;
  before.seconds = table.number("seconds").value_or(kUsualSeconds);
  const std::vector<const toml::table *> entries = table.tables("steps");
  if (entries.empty())
    table.fail("a presentation has at least one step: write `[[steps]]`");
  if (entries.size() > kMostSteps)
    table.failAt("steps", fmt::format("a presentation has at most {} steps", kMostSteps));
  for (const toml::table *entry : entries) {
    if (source.error)
      break;
    script.steps.push_back(readStep(*entry, before, source));
    before = script.steps.back();
  }
  table.finish();
  if (source.error)
    return profiler::inFile(path, *source.error);
  return script;
}

bool isPresentScript(const std::string &path) {
  const std::string name = fs::path(path).filename().string();
  return name == "present.toml" || name.ends_with(".present.toml");
}

} // namespace tilescope::app
