// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/CheckFiles.h"

#include "app/commands/CompileFile.h"
#include "app/commands/DiagnosticText.h"
#include "app/commands/MissingStores.h"
#include "compiler/syntax/MissingImports.h"
#include "compiler/syntax/ModuleIndex.h"
#include "compiler/syntax/Parser.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <set>
#include <thread>

namespace tilescope::app {

using compiler::Diagnostic;
using compiler::Severity;
using compiler::SourceFile;
using compiler::StageId;
using Clock = std::chrono::steady_clock;

size_t CheckedFile::count(Severity severity) const {
  return static_cast<size_t>(
      std::count_if(findings.begin(), findings.end(),
                    [severity](const Finding &f) { return f.diagnostic.severity == severity; }));
}

size_t CheckedFile::count(bool isDevice) const {
  return static_cast<size_t>(std::ranges::count(kernels, isDevice, &CheckedKernel::isDevice));
}

size_t CheckedFile::countFailed(bool isDevice) const {
  return static_cast<size_t>(std::ranges::count_if(
      kernels, [&](const CheckedKernel &k) { return k.isDevice == isDevice && !k.ok; }));
}

/// The `@triton.jit` functions of a file that are not kernels.
static std::vector<std::string> deviceFunctions(const compiler::ast::ModuleIndex &index,
                                                const std::vector<std::string> &kernels) {
  std::vector<std::string> names;
  for (const compiler::ast::JitFunction &function : index.functions)
    if (std::ranges::find(kernels, function.name) == kernels.end() &&
        std::ranges::find(names, function.name) == names.end())
      names.push_back(function.name);
  return names;
}

namespace {

/// Checks one file after the other in one worker. Thread: one.
class FileChecker {
public:
  FileChecker(const CheckFilesOptions &options, unsigned numWorkers)
      : m_options(options), m_worker(clientOptions(options, numWorkers)) {}

  /// The error is about the worker program.
  Status check(const ListedFile &listed, CheckedFile &file) {
    m_file = &file;
    m_seen.clear();
    file.path = listed.path;
    const Result<InputFile> input = readInput(listed.path);
    if (!input) {
      file.unreadable = input.error();
      return {};
    }
    if (input->entry != StageId::Ast)
      return statusOf(compileKernel(*input, m_options.selection.kernel));
    if (m_options.syntaxOnly) {
      add(compiler::ast::parseModule(input->text)->diagnostics, {{input->path, input->text}});
      return {};
    }
    return checkKernels(listed, *input);
  }

private:
  static compiler::WorkerClientOptions clientOptions(const CheckFilesOptions &options,
                                                     unsigned numWorkers) {
    compiler::WorkerClientOptions client = workerOptions();
    client.patience = options.patience;
    client.numWorkers = numWorkers;
    return client;
  }

  void add(const std::vector<Diagnostic> &diagnostics, const std::vector<SourceFile> &files) {
    std::vector<SourceFile> paths;
    for (const SourceFile &file : files)
      paths.push_back({file.path, ""});
    for (const Diagnostic &diagnostic : diagnostics)
      if (m_seen.insert(diagnosticHeadline(diagnostic, files)).second)
        m_file->findings.push_back({diagnostic, paths, diagnosticText(diagnostic, files)});
  }

  Status checkKernels(const ListedFile &listed, const InputFile &input) {
    Result<compiler::CompileResult> parsed = compile(input, "", StageId::Ast);
    if (!parsed)
      return parsed.error();
    add(parsed->diagnostics, parsed->files);
    std::vector<std::string> kernels = parsed->kernels;
    const auto tree = compiler::ast::parseModule(input.text);
    const compiler::ast::ModuleIndex index = compiler::ast::indexModule(*tree);
    std::vector<std::string> functions = deviceFunctions(index, kernels);
    const std::string &wanted = m_options.selection.kernel;
    for (std::vector<std::string> *names : {&kernels, &functions})
      if (!wanted.empty())
        std::erase_if(*names, [&](const std::string &name) { return name != wanted; });
    // A file that was named must have a kernel; one that lies in a folder need not, unless it means
    // to.
    const bool meansKernel = listed.isNamed || compiler::ast::missingTritonImport(*tree, index);
    if (kernels.empty() && functions.empty() && meansKernel && parsed->ok)
      kernels = {wanted};
    for (const auto *names : {&kernels, &functions})
      for (const std::string &name : *names) {
        const Result<compiler::CompileResult> result =
            compileKernel(input, name, names == &functions);
        if (!result)
          return result.error();
        const std::optional<Diagnostic> missing =
            names == &kernels ? missingStores(index, *result) : std::nullopt;
        if (missing)
          add({*missing}, result->files);
      }
    std::ranges::stable_sort(m_file->findings, {}, [](const Finding &finding) {
      const SourceRange &range = finding.diagnostic.range;
      return std::pair(range.file, range.begin);
    });
    return {};
  }

  static Status statusOf(const Result<compiler::CompileResult> &result) {
    return result ? Status() : Status(result.error());
  }

  Result<compiler::CompileResult> compileKernel(const InputFile &input, const std::string &kernel,
                                                bool isDevice = false) {
    const Clock::time_point start = Clock::now();
    Result<compiler::CompileResult> result =
        compile(input, kernel, std::max(StageId::Ttir, input.entry));
    if (!result)
      return result;
    const std::string name = result->kernel.empty() ? kernel : result->kernel;
    if (!name.empty())
      m_file->kernels.push_back({name, isDevice, result->ok, Clock::now() - start});
    add(result->diagnostics, result->files);
    return result;
  }

  Result<compiler::CompileResult> compile(const InputFile &input, const std::string &kernel,
                                          StageId stopAfter) {
    compiler::Selection selection = m_options.selection;
    selection.kernel = kernel;
    CompileFileOptions options;
    options.stopAfter = stopAfter;
    options.wanted.stages = 0;
    options.wanted.layouts = options.wanted.values = options.wanted.passes = false;
    if (m_options.testHook)
      options.hook = m_options.testHook(kernel);
    Result<CompiledFile> compiled = compileInput(m_worker, input, selection, options);
    if (!compiled)
      return compiled.error();
    return std::move(compiled->result);
  }

  const CheckFilesOptions &m_options;
  compiler::WorkerClient m_worker;
  CheckedFile *m_file = nullptr;
  /// The headlines of what was already found in this file: file numbers differ between
  /// compilations.
  std::set<std::string> m_seen;
};

/// The files on their way through the threads.
class CheckRun {
public:
  CheckRun(const std::vector<ListedFile> &files, const CheckFilesOptions &options)
      : m_files(files), m_options(options), m_results(files.size()), m_isDone(files.size()) {}

  Status run(const FileChecked &checked, const CheckProgress &progress) {
    const unsigned wanted =
        m_options.numWorkers != 0 ? m_options.numWorkers : std::thread::hardware_concurrency();
    const size_t numWorkers = std::min<size_t>(std::max(1u, wanted), m_files.size());
    std::vector<std::jthread> threads;
    for (size_t i = 0; i < numWorkers; ++i)
      threads.emplace_back([this, numWorkers] { work(static_cast<unsigned>(numWorkers)); });
    deliver(checked, progress);
    return m_status;
  }

private:
  void work(unsigned numWorkers) {
    FileChecker checker(m_options, numWorkers);
    for (size_t i = m_next++; i < m_files.size(); i = m_next++) {
      CheckedFile file;
      Status status = checker.check(m_files[i], file);
      const std::lock_guard lock(m_mutex);
      m_results[i] = std::move(file);
      m_isDone[i] = true;
      ++m_numDone;
      if (!status) {
        m_status = status;
        m_next = m_files.size();
      }
      m_changed.notify_one();
      if (!status)
        return;
    }
  }

  void deliver(const FileChecked &checked, const CheckProgress &progress) {
    std::unique_lock lock(m_mutex);
    for (size_t i = 0; i < m_files.size(); ++i) {
      while (!m_isDone[i] && m_status) {
        m_changed.wait_for(lock, std::chrono::milliseconds(100),
                           [&] { return m_isDone[i] || !m_status; });
        progress(m_numDone);
      }
      if (!m_status)
        return;
      const CheckedFile file = std::move(m_results[i]);
      lock.unlock();
      checked(file);
      lock.lock();
    }
  }

  const std::vector<ListedFile> &m_files;
  const CheckFilesOptions &m_options;
  std::atomic<size_t> m_next = 0;
  std::mutex m_mutex;
  std::condition_variable m_changed;
  std::vector<CheckedFile> m_results;
  std::vector<char> m_isDone;
  size_t m_numDone = 0;
  /// Of all workers.
  Status m_status;
};

} // namespace

Status checkFiles(const std::vector<ListedFile> &files, const CheckFilesOptions &options,
                  const FileChecked &checked, const CheckProgress &progress) {
  return CheckRun(files, options).run(checked, progress);
}

} // namespace tilescope::app
