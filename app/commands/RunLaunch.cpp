// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/RunLaunch.h"

#include "app/commands/TemporaryFolder.h"
#include "app/launch/Programs.h"
#include "compiler/support/ChildProcess.h"
#include "profiler/data/FileIo.h"
#include "profiler/data/MeasurementJson.h"

#include <charconv>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <unistd.h>

namespace tilescope::app {

using nlohmann::json;
using profiler::Measurement;

static constexpr std::chrono::minutes kRunPatience{10};

static Result<int> parseDevice(std::string_view text) {
  int device = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), device);
  if (error != std::errc() || end != text.data() + text.size() || device < 0)
    return Error{ErrorCode::Usage, "`" + std::string(text) + "` is no device number", ""};
  return device;
}

Result<RunPlace> parseRunPlace(const std::string &text) {
  RunPlace place;
  if (text.empty()) {
    place.kind = presentTarget().empty() ? RunPlace::Kind::Cpu : RunPlace::Kind::Cuda;
    return place;
  }
  if (text == "cpu")
    return place;
  std::string_view device;
  if (text == "cuda" || text.starts_with("cuda:")) {
    place.kind = RunPlace::Kind::Cuda;
    device = std::string_view(text).substr(std::min<size_t>(text.size(), 5));
  } else if (text.starts_with("ssh://")) {
    place.kind = RunPlace::Kind::Ssh;
    const size_t slash = text.find('/', 6);
    place.host = text.substr(6, slash == std::string::npos ? slash : slash - 6);
    if (slash != std::string::npos)
      device = std::string_view(text).substr(slash + 1);
  }
  // A host that begins with a dash would be an option of ssh.
  if (place.kind == RunPlace::Kind::Cpu ||
      (place.kind == RunPlace::Kind::Ssh && (place.host.empty() || place.host[0] == '-')))
    return Error{ErrorCode::Usage, "`" + text + "` is no place to run",
                 "places are cpu, cuda, cuda:N, ssh://[user@]host"};
  if (!device.empty()) {
    const Result<int> number = parseDevice(device);
    if (!number)
      return number.error();
    place.device = *number;
  }
  return place;
}

Result<RunSelection> toRunSelection(const SelectionOptions &options, const std::string &where) {
  Result<compiler::Selection> selection = toSelection(options);
  if (!selection)
    return selection.error();
  const Result<RunPlace> place = parseRunPlace(where);
  if (!place)
    return place.error();
  if (selection->target.empty() && place->kind == RunPlace::Kind::Cuda)
    selection->target = presentTarget();
  return RunSelection{std::move(*selection), *place};
}

std::string presentTarget() {
  // Asking the driver takes a while; without its device file the answer is known.
  if (access("/dev/nvidiactl", F_OK) != 0)
    return {};
  const Result<ChildOutput> child =
      runChild(runnerProgram(), {"devices", "--json"}, std::chrono::seconds(20));
  if (!child || child->status != 0)
    return {};
  const json document = json::parse(child->standardOutput, nullptr, false);
  if (!document.is_object() || document.value("devices", json::array()).empty())
    return {};
  const json &device = document["devices"][0];
  const int capability = device.value("compute_major", 0) * 10 + device.value("compute_minor", 0);
  for (const int known : {80, 86, 89, 90, 100, 120})
    if (capability == known)
      return "cuda:" + std::to_string(capability);
  return {};
}

/// What the runner wrote when it failed: `tilescope-runner: error: …` and `hint: …`. All else that
/// stands there is the kernel's, printed on the device: it goes on to the person.
static Error takeErrors(const ChildOutput &child) {
  Error error{child.status == 3 ? ErrorCode::Environment : ErrorCode::InvalidInput, "", ""};
  std::string_view rest = child.standardError;
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    constexpr std::string_view kError = "error: ", kHint = "hint: ";
    const size_t at = child.status != 0 ? line.find(kError) : std::string_view::npos;
    if (at != std::string_view::npos && error.message.empty())
      error.message = line.substr(at + kError.size());
    else if (child.status != 0 && line.starts_with(kHint))
      error.hint = line.substr(kHint.size());
    else
      std::fprintf(stderr, "%.*s\n", static_cast<int>(line.size()), line.data());
  }
  if (error.message.empty())
    error.message = child.timedOut ? "the runner did not answer in time"
                                   : "the runner failed: " + child.standardError;
  return error;
}

static Result<Measurement> runHere(const profiler::KernelPackage &package,
                                   const LaunchOptions &options) {
  const Result<TemporaryFolder> folder = TemporaryFolder::make();
  if (!folder)
    return folder.error();
  const std::string file = folder->path() + "/kernel.tskernel";
  if (Status status = profiler::writePackage(file, package))
    return *status;
  std::vector<std::string> arguments{"run", file, "--json", "--device",
                                     std::to_string(options.place.device)};
  if (!options.dumpFolder.empty())
    arguments.insert(arguments.end(), {"--dump", options.dumpFolder});
  if (!options.inputFolder.empty())
    arguments.insert(arguments.end(), {"--inputs", options.inputFolder});
  if (!options.referenceFolder.empty())
    arguments.insert(arguments.end(), {"--compare", options.referenceFolder});
  if (!options.measure)
    arguments.emplace_back("--no-measure");
  if (!options.coldL2)
    arguments.emplace_back("--warm-l2");
  const Result<ChildOutput> child = runChild(runnerProgram(), arguments, kRunPatience);
  if (!child)
    return child.error();
  Error error = takeErrors(*child);
  if (child->status != 0)
    return error;
  return profiler::measurementFromText(child->standardOutput);
}

/// The same over ssh: the package goes as a file through `cat`, results come back through `tar`.
static Result<Measurement> runThere(const profiler::KernelPackage &package,
                                    const LaunchOptions &options) {
  const Result<TemporaryFolder> made = TemporaryFolder::make();
  if (!made)
    return made.error();
  const TemporaryFolder &folder = *made;
  std::error_code error;
  const std::string packagePath = folder.path() + "/kernel.tskernel";
  if (Status status = profiler::writePackage(packagePath, package))
    return *status;
  // The far end sees one folder: package, inputs, references, and what it dumps.
  std::string flags = " --device " + std::to_string(options.place.device);
  if (!options.measure)
    flags += " --no-measure";
  if (!options.coldL2)
    flags += " --warm-l2";
  if (!options.inputFolder.empty()) {
    std::filesystem::copy(options.inputFolder, folder.path() + "/inputs", error);
    flags += " --inputs inputs";
  }
  if (!options.referenceFolder.empty()) {
    std::filesystem::copy(options.referenceFolder, folder.path() + "/reference", error);
    flags += " --compare reference";
  }
  const std::string remote =
      "set -e; d=$(mktemp -d); trap 'rm -rf \"$d\"' EXIT; cd \"$d\"; tar xf -; mkdir out; "
      "set +e; tilescope-runner run kernel.tskernel --json --dump out" +
      flags + " > out/measurement.json; s=$?; tar cf - -C out .; exit $s";
  const std::string results = folder.path() + "/results";
  std::filesystem::create_directories(results, error);
  // `pipefail` keeps the far end's exit status.
  const std::string script = "set -o pipefail; tar cf - -C \"$1\" --exclude=./results . | "
                             "ssh -o BatchMode=yes \"$2\" \"$3\" | tar xf - -C \"$1/results\"";
  const Result<ChildOutput> child = runChild(
      "/bin/bash", {"-c", script, "bash", folder.path(), options.place.host, remote}, kRunPatience);
  if (!child)
    return child.error();
  Error failure = takeErrors(*child);
  if (child->status != 0) {
    if (child->status == 255 || child->status == 127)
      failure = {
          ErrorCode::Environment,
          "`" + options.place.host + "` cannot run kernels: " + child->standardError,
          "ssh must reach it without a password, and `tilescope-runner` must be on its PATH"};
    return failure;
  }
  Result<std::string> text = profiler::readFile(results + "/measurement.json");
  if (!text)
    return text.error();
  Result<Measurement> measurement = profiler::measurementFromText(*text);
  if (!options.dumpFolder.empty() && measurement)
    for (profiler::OutputResult &output : measurement->outputs) {
      const std::string name = output.name + ".npy";
      std::filesystem::copy_file(results + "/" + name, options.dumpFolder + "/" + name,
                                 std::filesystem::copy_options::overwrite_existing, error);
      output.path = options.dumpFolder + "/" + name;
    }
  return measurement;
}

Result<Measurement> runOnGpu(const profiler::KernelPackage &package, const LaunchOptions &options) {
  return options.place.kind == RunPlace::Kind::Ssh ? runThere(package, options)
                                                   : runHere(package, options);
}

Result<Measurement> runOnCpu(compiler::WorkerClient &worker, CompiledFile &file,
                             const std::string &outputFolder, const std::string &inputFolder) {
  if (std::optional<Error> refusal = interpreterRefusal(file.request.path, file.request.entry))
    return *refusal;
  if (!file.plan)
    return Error{ErrorCode::InvalidInput,
                 "`" + file.request.path + "` does not say how its kernel is launched",
                 "write a launch block into the file: grid, arguments and their sizes"};
  compiler::InterpretMessage message;
  message.request = file.request;
  message.launchPlan = profiler::launchPlanToJson(*file.plan);
  message.outputFolder = outputFolder;
  message.inputFolder = inputFolder;
  Result<compiler::RunDoneReply> done = worker.interpret(std::move(message));
  if (!done)
    return done.error();
  file.result.diagnostics = done->diagnostics;
  file.result.files = done->files;
  if (!file.result.files.empty())
    file.result.files.front() = {file.request.path, file.request.text};
  file.result.ok = done->ok;
  std::fputs(done->printed.c_str(), stderr);
  Measurement measurement;
  measurement.device.name = "CPU (interpreter)";
  measurement.kernel =
      file.plan->kernel.empty() ? file.request.selection.kernel : file.plan->kernel;
  measurement.grid = file.plan->grid;
  measurement.launches = 1;
  if (done->ok) {
    const double us = static_cast<double>(done->durationNs) / 1000;
    measurement.timeUs = {.median = us, .min = us, .max = us, .n = 1, .spread = 0, .samples = {us}};
    measurement.timeSource = profiler::TimeSource::Interpreter;
  }
  measurement.bytes = file.plan->bytes;
  measurement.flops = file.plan->flops;
  for (const compiler::RunOutput &output : done->outputs)
    measurement.outputs.push_back(
        {output.name, output.dtype, output.shape, output.changed, output.path, std::nullopt});
  return measurement;
}

} // namespace tilescope::app
