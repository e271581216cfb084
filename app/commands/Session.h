// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/launch/ResolveLaunch.h"
#include "compiler/service/WorkerClient.h"

#include <string>
#include <vector>

namespace tilescope::app {

/// Exit statuses of the program.
enum ExitStatus { kDone = 0, kInputAtFault = 1, kWrongUsage = 2, kEnvironmentLacks = 3 };

/// Path of a program that is installed beside this one.
std::string siblingProgram(const std::string &name);

/// How workers are started for commands.
compiler::WorkerClientOptions workerOptions();

/// A kernel or IR file with what is to be done with it.
struct Document {
  compiler::CompileRequest request;
  ResolvedLaunch launch;
};

/// Reads the file, decides at which stage it enters, and resolves its launch.
Result<Document> openDocument(const std::string &path, const compiler::Selection &selection);

/// Prints an error and its hint; gives the exit status that it means.
int reportError(const Error &error);

/// Prints diagnostics as `file:line:column: severity: message` to standard error.
void printDiagnostics(const std::vector<compiler::Diagnostic> &diagnostics,
                      const std::vector<compiler::SourceFile> &files, const std::string &path);

bool hasErrors(const std::vector<compiler::Diagnostic> &diagnostics);

/// Adds the diagnostics of the launch block to those of the compilation.
void addLaunchDiagnostics(const ResolvedLaunch &launch, compiler::CompileResult &result);

} // namespace tilescope::app
