// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/ModelCommands.h"

#include <CLI/CLI.hpp>

namespace tilescope::app {

static constexpr const char *kModelFile = "model: .onnx, or .pt2 of torch.export.save",
                            *kModelFiles = "models: .onnx, or .pt2 of torch.export.save";

static void addExtents(CLI::App &command, std::vector<std::string> &extents) {
  command.add_option("--dim", extents, "a number for a symbolic extent; may be repeated")
      ->allow_extra_args(false)
      ->type_name("NAME=VALUE");
}

/// `FROM:TO`, for the fused form.
static void addFusions(CLI::App &command, FusionOptions &fusions) {
  command
      .add_option(
          "--fuse", fusions.fused,
          "nodes that one kernel is to compute, which a tensor goes between; may be repeated")
      ->allow_extra_args(false)
      ->type_name("FROM:TO");
  command
      .add_option("--no-fuse", fusions.apart,
                  "nodes that no kernel may compute together; may be repeated")
      ->allow_extra_args(false)
      ->type_name("FROM:TO");
}

static void addForm(CLI::App &command, std::string &form) {
  command
      .add_option("--form", form,
                  "how far the model is rewritten: read: not at all; canonical: fewer and plainer "
                  "operations; fused: several of these in one kernel")
      ->check(CLI::IsMember({"read", "canonical", "fused"}))
      ->capture_default_str()
      ->type_name("FORM");
}

/// `what`: for the help.
static void addTimeLimit(CLI::App &command, std::optional<double> &limit, const char *what) {
  command.add_option("--time-limit", limit, what)->check(CLI::PositiveNumber)->type_name("SECONDS");
}

static void addTarget(CLI::App &command, std::string &target) {
  command
      .add_option("--target", target,
                  "cpu:native: machine code of this processor in place of the interpreter")
      ->check(CLI::IsMember({"cpu:native"}))
      ->type_name("TARGET");
}

static void addPlace(CLI::App &command, std::string &where) {
  command
      .add_option(
          "--on", where,
          "where the kernels run: cpu, cuda, cuda:N or ssh://[user@]host[/N]; the processor "
          "unless told otherwise")
      ->type_name("PLACE");
}

static void addGpuTarget(CLI::App &command, std::string &target) {
  command.add_option("--target", target, "the GPU, e.g. cuda:90")
      ->check(CLI::IsMember({"cuda:80", "cuda:86", "cuda:89", "cuda:90", "cuda:100", "cuda:120"}))
      ->capture_default_str()
      ->type_name("TARGET");
}

static void addInputs(CLI::App &command, std::string &inputs) {
  command
      .add_option("--inputs", inputs,
                  "folder with a file for each input: NAME.npy, NAME.pb or input_0.pb, "
                  "input_1.pb, …; without it they are random")
      ->type_name("DIR");
}

void ModelCommands::add(CLI::App &app) {
  CLI::App *model = app.add_subcommand("model", "read models");
  model->require_subcommand(1);
  m_checkCommand =
      model->add_subcommand("check", "say what a model needs, and what of it is not supported");
  m_checkCommand->add_option("files", m_check.files, kModelFiles)->required()->type_name("FILE");
  addExtents(*m_checkCommand, m_check.extents);
  m_checkCommand->add_option("--emit", m_check.emit, "tm: print the IR")
      ->check(CLI::IsMember({"tm"}))
      ->type_name("STAGE");
  addForm(*m_checkCommand, m_check.form);
  addTimeLimit(*m_checkCommand, m_check.timeLimit, "seconds that reading may take");
  m_checkCommand->add_flag("--json", m_check.json, "print one JSON document");
  m_compileCommand =
      model->add_subcommand("compile", "write a kernel for each form of operation, with launches");
  m_compileCommand->add_option("file", m_compile.file, kModelFile)->required()->type_name("FILE");
  addExtents(*m_compileCommand, m_compile.extents);
  addFusions(*m_compileCommand, m_compile.fusions);
  m_compileCommand->add_option("-o,--output", m_compile.output, "the Python file")
      ->required()
      ->type_name("OUT.py");
  addForm(*m_compileCommand, m_compile.form);
  addGpuTarget(*m_compileCommand, m_compile.target);
  addTimeLimit(*m_compileCommand, m_compile.timeLimit, "seconds that compiling may take");
  m_fuseCommand =
      model->add_subcommand("fuse", "say which nodes become one kernel, and why others do not");
  m_fuseCommand->add_option("file", m_fuse.file, kModelFile)->required()->type_name("FILE");
  addExtents(*m_fuseCommand, m_fuse.extents);
  addFusions(*m_fuseCommand, m_fuse.fusions);
  addTimeLimit(*m_fuseCommand, m_fuse.timeLimit, "seconds that fusing may take");
  m_fuseCommand->add_flag("--json", m_fuse.json, "print one JSON document");
  m_planCommand = model->add_subcommand(
      "plan", "say in which order kernels run, and where their tensors lie in memory");
  m_planCommand->add_option("file", m_plan.file, kModelFile)->required()->type_name("FILE");
  addExtents(*m_planCommand, m_plan.extents);
  addFusions(*m_planCommand, m_plan.fusions);
  addForm(*m_planCommand, m_plan.form);
  addTimeLimit(*m_planCommand, m_plan.timeLimit, "seconds that planning may take");
  m_planCommand->add_flag("--json", m_plan.json, "print one JSON document");
  addRun(*model);
  addBench(*model);
  addPackage(*model);
  addExport(*model);
  addServe(*model);
  addCompare(*model);
}

void ModelCommands::addRun(CLI::App &model) {
  m_runCommand = model.add_subcommand("run", "run a model's kernels, on the processor or a GPU");
  m_runCommand->add_option("file", m_run.file, kModelFile)->required()->type_name("FILE");
  addExtents(*m_runCommand, m_run.extents);
  addFusions(*m_runCommand, m_run.fusions);
  addInputs(*m_runCommand, m_run.inputs);
  m_runCommand->add_option("-o,--out", m_run.output, "folder for the outputs, as .npy")
      ->type_name("DIR");
  addForm(*m_runCommand, m_run.form);
  addTarget(*m_runCommand, m_run.target);
  m_runCommand->add_flag("--checked", m_run.checked,
                         "with --target cpu:native: find accesses outside of the tensors");
  addPlace(*m_runCommand, m_run.where);
  m_runCommand->add_flag("--times", m_run.times, "print what each launch took, longest first");
  addTimeLimit(*m_runCommand, m_run.timeLimit, "seconds that one launch may take");
}

void ModelCommands::addBench(CLI::App &model) {
  m_benchCommand = model.add_subcommand(
      "bench", "measure a model: its first run, a new shape, and its kernels again and again");
  m_benchCommand->add_option("file", m_bench.file, kModelFile)->required()->type_name("FILE");
  addExtents(*m_benchCommand, m_bench.extents);
  addFusions(*m_benchCommand, m_bench.fusions);
  addInputs(*m_benchCommand, m_bench.inputs);
  addForm(*m_benchCommand, m_bench.form);
  addPlace(*m_benchCommand, m_bench.where);
  addTimeLimit(*m_benchCommand, m_bench.timeLimit, "seconds that one launch may take");
  m_benchCommand->add_flag("--json", m_bench.json, "print one JSON document");
}

void ModelCommands::addPackage(CLI::App &model) {
  m_packageCommand =
      model.add_subcommand("package", "write all that tilescope-runner needs to run a model");
  m_packageCommand->add_option("file", m_package.file, kModelFile)->required()->type_name("FILE");
  addExtents(*m_packageCommand, m_package.extents);
  addFusions(*m_packageCommand, m_package.fusions);
  addInputs(*m_packageCommand, m_package.inputs);
  m_packageCommand->add_option("-o,--output", m_package.output, "the package")
      ->required()
      ->type_name("OUT.tsmodel");
  addForm(*m_packageCommand, m_package.form);
  addGpuTarget(*m_packageCommand, m_package.target);
  addTimeLimit(*m_packageCommand, m_package.timeLimit, "seconds that compiling a kernel may take");
}

void ModelCommands::addExport(CLI::App &model) {
  m_exportCommand = model.add_subcommand(
      "export", "write a folder that runs a model in a program of your own, with sources in C++");
  m_exportCommand->add_option("file", m_export.file, kModelFile)->required()->type_name("FILE");
  addExtents(*m_exportCommand, m_export.extents);
  addFusions(*m_exportCommand, m_export.fusions);
  addInputs(*m_exportCommand, m_export.inputs);
  m_exportCommand->add_option("-o,--output", m_export.output, "the folder")
      ->required()
      ->type_name("DIR");
  addForm(*m_exportCommand, m_export.form);
  addGpuTarget(*m_exportCommand, m_export.target);
  m_exportCommand->add_flag("--ptx", m_export.keepsPtx,
                            "with code that drivers compile for later GPUs");
  addTimeLimit(*m_exportCommand, m_export.timeLimit, "seconds that compiling a kernel may take");
}

/// What both processes are told.
static void addServed(CLI::App &command, ModelServeOptions &options) {
  command.add_option("file", options.file, "ONNX file")->required()->type_name("FILE");
  addExtents(command, options.extents);
  addFusions(command, options.fusions);
}

void ModelCommands::addServe(CLI::App &model) {
  m_serveCommand = model.add_subcommand(
      "serve",
      "serve a model over HTTP (Open Inference Protocol), as machine code of this processor");
  addServed(*m_serveCommand, m_serve);
  m_serveCommand
      ->add_option("--http", m_serve.address,
                   "address and port; other addresses than this machine's own let everybody in")
      ->capture_default_str()
      ->type_name("HOST:PORT");
  m_serveCommand->add_option("--name", m_serve.name, "of the model, in place of its file's")
      ->type_name("NAME");
  // An exported folder is for GPUs, and this for what is always there.
  m_serveCommand->add_option("--on", "where it runs")
      ->check(CLI::IsMember({"cpu"}))
      ->type_name("PLACE");
  m_serveCommand
      ->add_option("--time-limit", m_serve.timeLimit, "seconds that an inference may take")
      ->check(CLI::PositiveNumber)
      ->capture_default_str()
      ->type_name("SECONDS");
  m_serveChildCommand = model.add_subcommand("serve-child", "")->group("");
  addServed(*m_serveChildCommand, m_serve);
}

void ModelCommands::addCompare(CLI::App &model) {
  m_compareCommand = model.add_subcommand(
      "compare", "compare kernels with the model's own operations, and name the first to diverge");
  m_compareCommand->add_option("file", m_compare.file, kModelFile)->required()->type_name("FILE");
  addExtents(*m_compareCommand, m_compare.extents);
  addFusions(*m_compareCommand, m_compare.fusions);
  m_compareCommand
      ->add_option("--inputs", m_compare.inputs,
                   "folder with a file for each input: NAME.npy, NAME.pb or input_0.pb, …; without "
                   "it test_data_set_0 beside the model, or random numbers")
      ->type_name("DIR");
  m_compareCommand
      ->add_option("--expected", m_compare.expected,
                   "folder with what outputs should be: NAME.npy, NAME.pb or output_0.pb, …")
      ->type_name("DIR");
  m_compareCommand
      ->add_option("--kernels", m_compare.kernels,
                   "Python file of `model compile`, edited, whose kernels are tried")
      ->type_name("FILE.py");
  m_compareCommand
      ->add_option("-o,--out", m_compare.output,
                   "folder for the first kernel that diverges, with its inputs")
      ->type_name("DIR");
  m_compareCommand
      ->add_option("--tolerance", m_compare.tolerance,
                   "relative error in norm up to which results agree")
      ->check(CLI::PositiveNumber)
      ->capture_default_str()
      ->type_name("ERROR");
  addForm(*m_compareCommand, m_compare.form);
  addTarget(*m_compareCommand, m_compare.target);
  addPlace(*m_compareCommand, m_compare.where);
  addTimeLimit(*m_compareCommand, m_compare.timeLimit, "seconds that one launch may take");
  m_compareCommand->add_flag("--json", m_compare.json, "print one JSON document");
}

std::optional<int> ModelCommands::dispatch() const {
  if (*m_checkCommand)
    return runModelCheck(m_check);
  if (*m_compileCommand)
    return runModelCompile(m_compile);
  if (*m_fuseCommand)
    return runModelFuse(m_fuse);
  if (*m_planCommand)
    return runModelPlan(m_plan);
  if (*m_runCommand)
    return runModelRun(m_run);
  if (*m_benchCommand)
    return runModelBench(m_bench);
  if (*m_packageCommand)
    return runModelPackage(m_package);
  if (*m_exportCommand)
    return runModelExport(m_export);
  if (*m_serveCommand)
    return runModelServe(m_serve);
  if (*m_serveChildCommand)
    return runModelServeChild(m_serve);
  if (*m_compareCommand)
    return runModelCompare(m_compare);
  return std::nullopt;
}

} // namespace tilescope::app
