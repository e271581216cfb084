// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/CommandLine.h"

#include "app/commands/Commands.h"
#include "app/commands/Session.h"
#ifdef TILESCOPE_WITH_QT
#include "app/ide/RunIde.h"
#endif

#include <CLI/CLI.hpp>
#include <cstdio>
#include <set>
#include <string_view>

namespace tilescope::app {

namespace {

const std::set<std::string_view> kCommands = {"check", "compile", "package", "run", "profile"};

/// Without a subcommand the arguments are the IDE's: files, `--screenshot`, Qt's own.
bool isForIde(int argc, char **argv) {
  if (argc < 2)
    return true;
  std::string_view first = argv[1];
  return !kCommands.contains(first) && first != "--help" && first != "-h" && first != "--version";
}

int openIde([[maybe_unused]] int argc, [[maybe_unused]] char **argv) {
#ifdef TILESCOPE_WITH_QT
  return runIde(argc, argv);
#else
  return reportError({ErrorCode::Environment, "this build has no IDE",
                      "it was built without Qt 6 and QScintilla (packages qt6-base-dev "
                      "libqt6svg6-dev libqscintilla2-qt6-dev); the subcommands work, see --help"});
#endif
}

/// What the subcommands fill in.
struct Arguments {
  CheckArguments check;
  CompileArguments compile;
  PackageArguments package;
  RunArguments run;
};

void declareCompiling(CLI::App &app, Arguments &arguments) {
  CLI::App *check = app.add_subcommand("check", "Report what is wrong with kernels");
  check->add_option("FILE", arguments.check.files, "Kernel files or folders")->required();
  check->add_flag("--syntax-only", arguments.check.syntaxOnly, "Stop after the parser");
  check->add_flag("--json", arguments.check.asJson, "Print one JSON document");
  addSelectionOptions(*check, arguments.check.selection);

  CLI::App *compile = app.add_subcommand("compile", "Compile a kernel and write its stages");
  compile->add_option("FILE", arguments.compile.file, "Kernel or IR file")->required();
  compile->add_option("--emit", arguments.compile.emit,
                      "Stages: ast,ttir,ttgir,llir,ptx,cubin,sass");
  compile->add_option("--out", arguments.compile.out, "Folder for <kernel>.<stage>");
  compile->add_flag("--timings", arguments.compile.timings, "Print the time of stages and passes");
  compile->add_flag("--passes", arguments.compile.passes, "Also write the IR after every pass");
  compile->add_flag("--json", arguments.compile.asJson, "Print one JSON document");
  addSelectionOptions(*compile, arguments.compile.selection);

  CLI::App *package = app.add_subcommand("package", "Write a kernel package for the runner");
  package->add_option("FILE", arguments.package.file, "Kernel or IR file")->required();
  package->add_option("-o", arguments.package.out, "The .tskernel file")->required();
  addSelectionOptions(*package, arguments.package.selection);
}

void declareRunning(CLI::App &app, Arguments &arguments) {
  auto declare = [&](const char *name, const char *help) {
    CLI::App *run = app.add_subcommand(name, help);
    run->add_option("FILE", arguments.run.file, "Kernel or IR file")->required();
    run->add_option("--on", arguments.run.where, "cpu, cuda, cuda:N or ssh://[user@]host");
    run->add_flag("--compare", arguments.run.compare, "Check outputs against the interpreter");
    run->add_option("--dump", arguments.run.dump, "Folder for every argument, as .npy");
    run->add_flag("--json", arguments.run.asJson, "Print one JSON document");
    addSelectionOptions(*run, arguments.run.selection);
  };
  declare("run", "Run the launch");
  declare("profile", "Run the launch on a GPU and measure it");
}

int dispatch(const CLI::App &app, Arguments &arguments) {
  std::string name = app.get_subcommands().front()->get_name();
  if (name == "check")
    return runCheck(arguments.check);
  if (name == "compile")
    return runCompile(arguments.compile);
  if (name == "package")
    return runPackage(arguments.package);
  arguments.run.profile = name == "profile";
  return runLaunch(arguments.run);
}

} // namespace

int runCommandLine(int argc, char **argv) {
  if (isForIde(argc, argv))
    return openIde(argc, argv);
  CLI::App app("Tilescope: IDE, compiler and profiler for block-level GPU kernels.\n"
               "Without a subcommand: tilescope [FILE...] opens the IDE.",
               "tilescope");
  app.set_version_flag("--version", "tilescope " TILESCOPE_VERSION);
  app.require_subcommand(1);
  Arguments arguments;
  declareCompiling(app, arguments);
  declareRunning(app, arguments);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError &error) {
    int status = app.exit(error);
    return status == 0 ? kDone : kWrongUsage;
  }
  return dispatch(app, arguments);
}

} // namespace tilescope::app
