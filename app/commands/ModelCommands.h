// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/commands/FusionOptions.h"

#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace tilescope::app {

struct ModelCheckOptions {
  std::vector<std::string> files;
  /// `NAME=VALUE`, for symbolic extents.
  std::vector<std::string> extents;
  /// `tm` or empty.
  std::string emit;
  /// How far the model is rewritten: `read`, `canonical` or `fused`.
  std::string form = "read";
  bool json = false;
  /// Seconds that reading may take; nothing: the usual time.
  std::optional<double> timeLimit;
};
/// Returns the exit status, as all commands do.
int runModelCheck(const ModelCheckOptions &options);

struct ModelCompileOptions {
  std::string file;
  /// As in `ModelCheckOptions`.
  std::vector<std::string> extents;
  FusionOptions fusions;
  /// The Python file.
  std::string output;
  /// As in `ModelCheckOptions`.
  std::string form = "fused";
  /// The GPU that the kernels are for; empty: any device.
  std::string target;
  std::optional<double> timeLimit;
};
int runModelCompile(const ModelCompileOptions &options);

struct ModelFuseOptions {
  std::string file;
  /// As in `ModelCheckOptions`.
  std::vector<std::string> extents;
  FusionOptions fusions;
  bool json = false;
  std::optional<double> timeLimit;
};
/// Says which kernels a model becomes, and why.
int runModelFuse(const ModelFuseOptions &options);

struct ModelPlanOptions {
  std::string file;
  /// As in `ModelCheckOptions`.
  std::vector<std::string> extents;
  FusionOptions fusions;
  /// As in `ModelCheckOptions`.
  std::string form = "fused";
  bool json = false;
  std::optional<double> timeLimit;
};
/// Says in which order kernels run and where their tensors lie in memory.
int runModelPlan(const ModelPlanOptions &options);

struct ModelRunOptions {
  std::string file;
  /// As in `ModelCheckOptions`.
  std::vector<std::string> extents;
  FusionOptions fusions;
  /// Folder with a file for each input; empty: random numbers.
  std::string inputs;
  /// Folder for the outputs; empty: not kept.
  std::string output;
  /// As in `ModelCheckOptions`.
  std::string form = "fused";
  /// As in `ModelRunHooks`.
  std::string target;
  bool checked = false;
  /// Where it runs, as for `parseRunPlace`; empty: the processor.
  std::string where;
  /// Print what each launch took.
  bool times = false;
  std::optional<double> timeLimit;
};
int runModelRun(const ModelRunOptions &options);

struct ModelBenchOptions {
  std::string file;
  /// As in `ModelCheckOptions`.
  std::vector<std::string> extents;
  FusionOptions fusions;
  /// Folder with a file for each input; empty: random numbers.
  std::string inputs;
  /// As in `ModelCheckOptions`.
  std::string form = "fused";
  /// As in `ModelRunOptions`; on the processor as machine code.
  std::string where;
  bool json = false;
  std::optional<double> timeLimit;
};
/// Says what a model takes once, for a new shape, and again and again, and what each kernel does.
int runModelBench(const ModelBenchOptions &options);

struct ModelPackageOptions {
  std::string file;
  /// As in `ModelCheckOptions`.
  std::vector<std::string> extents;
  FusionOptions fusions;
  /// Folder with a file for each input; empty: random numbers.
  std::string inputs;
  /// The package.
  std::string output;
  /// As in `ModelCheckOptions`.
  std::string form = "fused";
  std::string target = "cuda:90";
  /// Of `export`: code for later GPUs, too.
  bool keepsPtx = false;
  std::optional<double> timeLimit;
};
/// Writes all that `tilescope-runner model` needs to run a model.
int runModelPackage(const ModelPackageOptions &options);
/// Writes a folder, `output`, with what a program of its own needs to run a model.
int runModelExport(const ModelPackageOptions &options);

struct ModelServeOptions {
  std::string file;
  /// As in `ModelCheckOptions`.
  std::vector<std::string> extents;
  FusionOptions fusions;
  std::string address = "127.0.0.1:8000";
  /// In addresses; empty: that of the file, without its ending.
  std::string name;
  /// Seconds that an inference may take.
  double timeLimit = 10;
};
/// Serves a model over HTTP, on this processor as machine code.
int runModelServe(const ModelServeOptions &options);
/// The process that has the model.
int runModelServeChild(const ModelServeOptions &options);

struct ModelCompareOptions {
  std::string file;
  /// As in `ModelCheckOptions`.
  std::vector<std::string> extents;
  FusionOptions fusions;
  /// Folder with the inputs; empty: random numbers, or the test data beside the model.
  std::string inputs;
  /// Folder with what the outputs should be; empty: what the model's own operations compute.
  std::string expected;
  /// Python file whose kernels take the place of the generated ones; empty: none.
  std::string kernels;
  /// Folder for the first kernel that diverges; empty: not kept.
  std::string output;
  /// As in `ModelCheckOptions`.
  std::string form = "fused";
  /// As in `ModelRunHooks`.
  std::string target;
  /// As in `ModelRunOptions`, for the kernels: the reference is always interpreted.
  std::string where;
  /// The error in norm up to which results agree.
  double tolerance = 1e-4;
  bool json = false;
  std::optional<double> timeLimit;
};
/// Says which kernel is the first to compute something else than the model's own operations.
int runModelCompare(ModelCompareOptions options);

/// `tilescope model …`
class ModelCommands {
public:
  void add(CLI::App &app);
  /// The exit status; nothing: another subcommand was called.
  std::optional<int> dispatch() const;

private:
  void addRun(CLI::App &model);
  void addBench(CLI::App &model);
  void addPackage(CLI::App &model);
  void addExport(CLI::App &model);
  void addServe(CLI::App &model);
  void addCompare(CLI::App &model);

  ModelCheckOptions m_check;
  ModelCompileOptions m_compile;
  ModelFuseOptions m_fuse;
  ModelPlanOptions m_plan;
  ModelRunOptions m_run;
  ModelBenchOptions m_bench;
  ModelPackageOptions m_package, m_export;
  ModelServeOptions m_serve;
  ModelCompareOptions m_compare;
  CLI::App *m_checkCommand = nullptr;
  CLI::App *m_compileCommand = nullptr;
  CLI::App *m_fuseCommand = nullptr;
  CLI::App *m_planCommand = nullptr;
  CLI::App *m_runCommand = nullptr;
  CLI::App *m_benchCommand = nullptr;
  CLI::App *m_packageCommand = nullptr;
  CLI::App *m_exportCommand = nullptr;
  CLI::App *m_serveCommand = nullptr;
  CLI::App *m_serveChildCommand = nullptr;
  CLI::App *m_compareCommand = nullptr;
};

} // namespace tilescope::app
