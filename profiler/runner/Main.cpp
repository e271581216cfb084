// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
// tilescope-runner: the process beside the GPU.
#include "profiler/data/FileIo.h"
#include "profiler/data/MeasurementJson.h"
#include "profiler/data/ProgramMain.h"
#include "profiler/data/Text.h"
#include "profiler/package/KernelPackage.h"
#include "profiler/package/ModelPackage.h"
#include "profiler/runner/Job.h"
#include "profiler/runner/JobProcess.h"
#include "profiler/runner/ModelText.h"
#include "profiler/runner/ProfileParts.h"
#include "profiler/runner/ServeModel.h"
#include "profiler/runner/Service.h"
#include "profiler/runner/TextOutput.h"
#include "profiler/runner/TimeLimit.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <unistd.h>

using namespace tilescope;
using namespace tilescope::profiler;
using nlohmann::json;

namespace {
struct Arguments {
  std::string package;
  int device = 0;
  bool asJson = false;
  bool warmL2 = false;
  bool noMeasure = false;
  std::string counters;
  bool pcSamples = false;
  bool executions = false;
  std::vector<std::string> traced;
  double traceLimit = kMostTraceSlowdown;
  bool samples = false;
  double timeLimitS = 10;
  std::string inputs;
  std::string dump;
  std::string dumpInputs;
  std::string compare;
};
} // namespace

static int exitStatus(ErrorCode code) {
  switch (code) {
  case ErrorCode::Usage:
    return 2;
  case ErrorCode::Environment:
    return 3;
  default:
    return 1;
  }
}

static int report(const Error &error) {
  std::fprintf(stderr, "tilescope-runner: error: %s\n", printable(error.message).c_str());
  if (!error.hint.empty())
    std::fprintf(stderr, "hint: %s\n", printable(error.hint).c_str());
  return exitStatus(error.code);
}

static void printJson(const json &document) {
  std::puts(document.dump(2, ' ', false, json::error_handler_t::replace).c_str());
}

static int runDevices(bool asJson) {
  auto result = runInChild(ownChild(), {{"method", "devices"}}, {}, {});
  if (!result)
    return report(result.error());
  if (asJson) {
    printJson(*result);
    return 0;
  }
  for (const json &device : result->at("devices"))
    std::printf("%d: %s, compute capability %d.%d, %d multiprocessors, %.1f GiB\n",
                device.at("ordinal").get<int>(), device.at("name").get<std::string>().c_str(),
                device.at("compute_major").get<int>(), device.at("compute_minor").get<int>(),
                device.at("sms").get<int>(), device.at("memory_bytes").get<double>() / 0x1p30);
  std::printf("CUPTI: %s\n", result->at("cupti").get<std::string>().c_str());
  return 0;
}

static int runPackageFile(const Arguments &arguments) {
  // Told before any device is needed.
  auto package = readPackage(arguments.package);
  if (!package)
    return report(package.error());
  for (const auto &[folder, option] :
       {std::pair(arguments.inputs, "--inputs"), {arguments.compare, "--compare"}})
    if (Status status = folder.empty() ? Status() : requireFolder(folder, option); !status)
      return report(status.error());
  json params = {{"package", std::filesystem::absolute(arguments.package).string()},
                 {"device", arguments.device},
                 {"measure", !arguments.noMeasure},
                 {"cold_l2", !arguments.warmL2},
                 {"samples", arguments.samples},
                 {"trace_limit", arguments.traceLimit},
                 {"inputs", arguments.inputs},
                 {"dump", arguments.dump},
                 {"dump_inputs", arguments.dumpInputs},
                 {"compare", arguments.compare}};
  if (!arguments.counters.empty())
    params["counters"] = arguments.counters;
  if (arguments.pcSamples)
    params["pc_samples"] = true;
  if (arguments.executions)
    params["executions"] = true;
  for (const std::string &path : arguments.traced)
    params["traced_packages"].push_back(std::filesystem::absolute(path).string());
  ChildLimits limits;
  limits.launch = std::chrono::milliseconds(int64_t(arguments.timeLimitS * 1000));
  auto result = runWithParts(ownChild(), {{"method", "run"}, {"params", params}}, limits, {});
  if (!result)
    return report(result.error());
  if (arguments.asJson) {
    printJson(*result);
    return 0;
  }
  std::fputs(printable(describeMeasurement(measurementFromJson(*result))).c_str(), stdout);
  return 0;
}

static int runModelFile(const Arguments &arguments) {
  // Told before any device is needed.
  if (auto package = readModelPackage(arguments.package); !package)
    return report(package.error());
  const json params = {{"package", std::filesystem::absolute(arguments.package).string()},
                       {"device", arguments.device},
                       {"measure", !arguments.noMeasure},
                       {"dump", arguments.dump}};
  ChildLimits limits;
  limits.launch = std::chrono::milliseconds(int64_t(arguments.timeLimitS * 1000));
  auto result = runInChild(ownChild(), {{"method", "model"}, {"params", params}}, limits, {});
  if (!result)
    return report(result.error());
  if (arguments.asJson) {
    printJson(*result);
    return 0;
  }
  const ModelMeasurement measurement = modelMeasurementFromJson(*result);
  std::fputs(printable(describeSteps(measurement) + describeModel(measurement)).c_str(), stdout);
  return 0;
}

static void addServeModel(CLI::App &command, ServeModelOptions &options) {
  command.add_option("folder", options.folder, "folder of `tilescope model export`")
      ->required()
      ->type_name("DIR");
  command
      .add_option("--http", options.address,
                  "address and port; other addresses than this machine's own let everybody in")
      ->capture_default_str()
      ->type_name("HOST:PORT");
  command.add_option("--name", options.name, "of the model, in place of its file's")
      ->type_name("NAME");
  command.add_option("--device", options.device, "number of the device")->capture_default_str();
  command.add_option("--time-limit", options.timeLimitS, "seconds that an inference may take")
      ->check(profiler::timeLimitRange())
      ->capture_default_str();
}

static int runCommandLine(int argc, char **argv) {
  CLI::App app("Runs Tilescope kernel packages on a GPU", "tilescope-runner");
  app.require_subcommand(1);
  Arguments arguments;
  CLI::App *run = app.add_subcommand("run", "run a kernel package: outputs and times");
  run->add_option("package", arguments.package, "kernel package (.tskernel)")->required();
  run->add_flag("--json", arguments.asJson, "print one JSON document");
  run->add_option("--device", arguments.device, "number of the device")->capture_default_str();
  run->add_option("--inputs", arguments.inputs,
                  "folder with .npy files for arguments, in place of the package's data");
  run->add_option("--dump", arguments.dump, "folder for every argument after the run, as .npy");
  run->add_option("--dump-inputs", arguments.dumpInputs,
                  "folder for every argument before the run, as .npy");
  run->add_option("--compare", arguments.compare, "folder with reference .npy files");
  run->add_flag("--warm-l2", arguments.warmL2, "do not flush the L2 cache between launches");
  run->add_flag("--no-measure", arguments.noMeasure, "launch once for the outputs, without times");
  run->add_option("--counters", arguments.counters, "hardware counters: quick (2 passes) or full")
      ->check(CLI::IsMember({"quick", "full"}));
  run->add_flag("--pc-samples", arguments.pcSamples, "sample program counters and stall reasons");
  run->add_flag("--executions", arguments.executions,
                "count executions, threads and sectors of each instruction");
  run->add_option("--trace", arguments.traced,
                  "packages of the same launch that were compiled with the option `trace`: when "
                  "each warp reached which operation; the first that costs little enough counts")
      ->type_name("TRACED.tskernel");
  run->add_option("--trace-limit", arguments.traceLimit,
                  "what clock reads may cost, as a fraction of the kernel's time; beyond 0.15 a "
                  "trace says little about the kernel as it is")
      ->capture_default_str();
  run->add_flag("--samples", arguments.samples, "keep every measured time in the JSON");
  run->add_option("--time-limit", arguments.timeLimitS, "seconds that a launch may take")
      ->check(profiler::timeLimitRange())
      ->capture_default_str();
  CLI::App *model = app.add_subcommand("model", "run a model package: outputs and times");
  model->add_option("package", arguments.package, "model package (.tsmodel)")->required();
  model->add_flag("--json", arguments.asJson, "print one JSON document");
  model->add_option("--device", arguments.device, "number of the device")->capture_default_str();
  model->add_option("--dump", arguments.dump, "folder for the outputs, as .npy");
  model->add_flag("--no-measure", arguments.noMeasure, "run once for the outputs, without times");
  model->add_option("--time-limit", arguments.timeLimitS, "seconds that a launch may take")
      ->check(profiler::timeLimitRange())
      ->capture_default_str();
  CLI::App *serveModelCommand =
      app.add_subcommand("serve-model", "serve a model over HTTP (Open Inference Protocol)");
  ServeModelOptions serveOptions;
  addServeModel(*serveModelCommand, serveOptions);
  CLI::App *devices = app.add_subcommand("devices", "list the devices");
  devices->add_flag("--json", arguments.asJson, "print one JSON document");
  CLI::App *service =
      app.add_subcommand("serve", "answer framed JSON on standard input and output");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError &error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  if (*service)
    return serve(STDIN_FILENO, STDOUT_FILENO, ownChild());
  if (*serveModelCommand) {
    const Status served = serveModel(serveOptions);
    return served ? 0 : report(served.error());
  }
  if (*model)
    return runModelFile(arguments);
  return *devices ? runDevices(arguments.asJson) : runPackageFile(arguments);
}

int main(int argc, char **argv) {
  if (argc == 2 && std::string_view(argv[1]) == "child")
    childMain();
  if (argc == 4 && std::string_view(argv[1]) == "model-child")
    return modelChildMain(argv[2], argv[3]);
  return runProgram("tilescope-runner", [&] { return runCommandLine(argc, argv); });
}
