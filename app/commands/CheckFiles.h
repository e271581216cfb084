// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Checking many files at once: one worker process per thread, each taking the next file that waits.
// A kernel that makes the compiler crash or hang costs its worker, which is replaced, and nothing
// else.
#pragma once

#include "app/commands/FileList.h"
#include "compiler/artifacts/CompileRequest.h"
#include "compiler/artifacts/CompileResult.h"
#include "compiler/service/Messages.h"

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace tilescope::app {

/// A kernel, or a function that kernels call.
struct CheckedKernel {
  std::string name;
  bool isDevice = false;
  bool ok = false;
  std::chrono::nanoseconds duration{};
};

/// A diagnostic with the files that its ranges point into (without their texts).
struct Finding {
  compiler::Diagnostic diagnostic;
  std::vector<compiler::SourceFile> files;
  /// As it is printed, with the source.
  std::string text;
};

/// What was found in one file.
struct CheckedFile {
  std::string path;
  /// Why the file could not be read.
  std::optional<Error> unreadable;
  std::vector<CheckedKernel> kernels;
  /// What concerns several kernels of the file is there once; in the order of the lines.
  std::vector<Finding> findings;

  size_t count(compiler::Severity severity) const;
  size_t count(bool isDevice) const;
  size_t countFailed(bool isDevice) const;
  bool ok() const { return !unreadable && count(compiler::Severity::Error) == 0; }
};

struct CheckFilesOptions {
  compiler::Selection selection;
  /// Stop after the parser.
  bool syntaxOnly = false;
  /// 0: one per processor.
  unsigned numWorkers = 0;
  /// A kernel that keeps its worker silent for longer is given up.
  std::chrono::milliseconds patience{30000};
  /// What a test makes the compiler do with a kernel; empty: nothing.
  std::function<compiler::TestHook(const std::string &kernel)> testHook;
};

/// Called in the order of the files, in the calling thread, as soon as this file and all before it
/// are done.
using FileChecked = std::function<void(const CheckedFile &file)>;
/// Called in the calling thread about ten times a second with the number of files that are done.
using CheckProgress = std::function<void(size_t numDone)>;

/// Compiles every kernel of every file to TTIR (IR files: as far as they are already), then every
/// function that kernels call, alone. The error is about the environment; everything else is in the
/// files' findings.
Status checkFiles(const std::vector<ListedFile> &files, const CheckFilesOptions &options,
                  const FileChecked &checked, const CheckProgress &progress);

} // namespace tilescope::app
