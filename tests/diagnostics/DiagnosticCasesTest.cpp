// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Every file under cases/ produces exactly the diagnostics that it expects; the file `ID.*`
// provokes the kind `ID`, and every kind has its file.
#include "app/commands/CompileFile.h"
#include "tests/diagnostics/CaseFile.h"
#include "tests/support/Sanitized.h"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <set>

using namespace tilescope;
using namespace tilescope::tests;
using compiler::Diagnostic;

namespace fs = std::filesystem;

namespace {
/// The worker's environment while a case runs.
struct Environment {
  explicit Environment(const CaseFile &file) : m_variables(file.environment) {
    m_variables.emplace_back("TILESCOPE_TEST_HOOKS", "1");
    m_variables.emplace_back("TILESCOPE_CRASH_DIR", fs::temp_directory_path());
    for (const auto &[name, value] : m_variables)
      setenv(name.c_str(), value.c_str(), 1);
  }
  ~Environment() {
    for (const auto &[name, value] : m_variables)
      unsetenv(name.c_str());
  }
  std::vector<std::pair<std::string, std::string>> m_variables;
};

/// A worker for most cases: to start one takes longer than a case. A case with an environment of
/// its own, or whose worker fails on purpose, has its own.
class Workers {
public:
  compiler::WorkerClient &of(const CaseFile &file) {
    if (file.environment.empty() && file.hook.where.empty())
      return m_shared;
    const bool hangs = file.hook.action == compiler::TestHook::Action::Hang;
    // What hangs on purpose is not waited for.
    return m_own.emplace(optionsWith(hangs ? std::chrono::milliseconds(1500) : kPatience));
  }

private:
  static constexpr std::chrono::milliseconds kPatience{60000 * tests::kSlowdown};

  static compiler::WorkerClientOptions optionsWith(std::chrono::milliseconds patience) {
    return {.program = TILESCOPE_WORKER, .patience = patience};
  }

  compiler::WorkerClient m_shared{optionsWith(kPatience)};
  std::optional<compiler::WorkerClient> m_own;
};
} // namespace

static std::vector<Diagnostic> diagnosticsOf(const CaseFile &file, Workers &workers) {
  const Environment environment(file);
  compiler::WorkerClient &worker = workers.of(file);

  app::InputFile input;
  input.path = file.path;
  input.text = file.text;
  input.entry = *app::entryStage(file.path, file.text);
  compiler::CompileRequest request = app::makeRequest(input, file.selection);
  request.stopAfter = std::max(file.stopAfter, input.entry);
  if (file.isRun) {
    request.stopAfter = input.entry;
    const Result<compiler::CompileResult> resolved = worker.compile(request);
    REQUIRE(resolved);
    REQUIRE_FALSE(resolved->launch.plan.empty());
    compiler::InterpretMessage message;
    message.request = request;
    message.request.selection = resolved->launch.selection;
    message.launchPlan = resolved->launch.plan;
    message.outputFolder = file.outputFolder;
    if (file.outputFolder.empty()) {
      message.outputFolder = fs::temp_directory_path() / "tilescope-diagnostic-cases";
      fs::create_directories(message.outputFolder);
    }
    Result<compiler::RunDoneReply> done = worker.interpret(std::move(message));
    REQUIRE(done);
    return done->diagnostics;
  }
  Result<compiler::CompileResult> result = worker.compile(request, {}, {}, file.hook);
  REQUIRE(result);
  return result->diagnostics;
}

static std::vector<fs::path> casePaths() {
  std::vector<fs::path> paths;
  for (const fs::directory_entry &entry : fs::directory_iterator(TILESCOPE_DIAGNOSTIC_CASES))
    paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  return paths;
}

TEST_CASE("every case produces the diagnostics that it expects", "[compiler]") {
  Workers workers;
  for (const fs::path &path : casePaths()) {
    const CaseFile file = readCase(path);
    // A sanitized worker has no limit of memory.
    if (tests::kIsSanitized && file.hook.action == compiler::TestHook::Action::ExhaustMemory)
      continue;
    INFO(path.filename().string());
    std::string problems;
    for (const std::string &problem : file.problems)
      problems += problem + "\n";
    for (const std::string &problem : mismatches(file, diagnosticsOf(file, workers)))
      problems += problem + "\n";
    CHECK(problems == "");
  }
}

TEST_CASE("every kind of diagnostic has a case of its name that expects it", "[compiler]") {
  std::set<std::string> kinds;
  for (const fs::path &path : casePaths())
    for (const Expectation &expectation : readCase(path).expectations)
      if (expectation.kind == path.stem().string())
        kinds.insert(expectation.kind);
  const std::string_view all[] = {
#define TILESCOPE_DIAGNOSTIC(name, id) id,
#include "compiler/artifacts/DiagnosticKinds.def"
#undef TILESCOPE_DIAGNOSTIC
  };
  for (std::string_view id : all) {
    // Takes a GPU: RunLaunchTest provokes it.
    if (id == "run-mismatch")
      continue;
    INFO(id);
    CHECK(kinds.contains(std::string(id)));
  }
}
