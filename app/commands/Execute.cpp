// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/Execute.h"

#include "app/commands/Package.h"
#include "profiler/analysis/Comparison.h"
#include "profiler/data/MeasurementJson.h"
#include "profiler/data/Npy.h"
#include "profiler/runner/Base64.h"
#include "profiler/runner/ChildProcess.h"

#include <charconv>
#include <fmt/format.h>
#include <fstream>
#include <unistd.h>

namespace tilescope::app {

using nlohmann::json;

namespace {

bool hasLocalGpu() { return std::filesystem::exists("/dev/nvidia0"); }

/// Compiles to TTIR and runs every program of the grid in the worker's interpreter.
Result<Execution> executeOnCpu(const Document &document, const std::string &folder,
                               compiler::WorkerClient &client) {
  compiler::InterpretMessage message;
  message.request = document.request;
  message.launchPlan = profiler::launchPlanToJson(*document.launch.plan);
  message.outputFolder = std::filesystem::absolute(folder).string();
  Result<compiler::RunDoneReply> run = client.interpret(std::move(message));
  if (!run)
    return run.error();
  printDiagnostics(run->diagnostics, run->files, document.request.path);
  std::fwrite(run->printed.data(), 1, run->printed.size(), stdout);
  if (!run->ok)
    return Error{ErrorCode::InvalidInput,
                 fmt::format("the run of `{}` failed", document.request.path), ""};

  Execution execution;
  execution.result.kernel = document.launch.plan->kernel;
  profiler::Measurement &measurement = execution.measurement;
  measurement.device.name = "cpu";
  measurement.kernel = document.launch.plan->kernel;
  measurement.grid = document.launch.plan->grid;
  measurement.launches = 1;
  double timeUs = static_cast<double>(run->durationNs) / 1e3;
  measurement.timeUs = profiler::TimeStats{timeUs, timeUs, timeUs, 1, 0, {}};
  measurement.bytes = document.launch.plan->bytes;
  measurement.flops = document.launch.plan->flops;
  measurement.notes.push_back(
      "the time is the interpreter's on this CPU; it says nothing about a GPU");
  for (const compiler::RunOutput &output : run->outputs) {
    profiler::OutputResult result;
    result.name = output.name;
    result.dtype = output.dtype;
    result.shape = output.shape;
    result.path = output.path;
    measurement.outputs.push_back(std::move(result));
  }
  return execution;
}

/// Writes the outputs that a remote runner sent along, and compares them.
Status receiveOutputs(const json &answer, const std::string &dump, const std::string &reference,
                      const profiler::LaunchPlan &plan, profiler::Measurement &measurement) {
  for (const json &output : answer.at("outputs")) {
    std::string name = output.at("name");
    std::optional<std::string> bytes =
        profiler::decodeBase64(output.value("npy_base64", std::string()));
    if (!bytes)
      return Error{ErrorCode::Internal, fmt::format("the runner sent no data of `{}`", name), ""};
    if (!dump.empty())
      std::ofstream(dump + "/" + name + ".npy", std::ios::binary) << *bytes;
    if (reference.empty())
      continue;
    Result<profiler::Tensor> actual = profiler::decodeNpy(*bytes);
    Result<profiler::Tensor> expected = profiler::readNpy(reference + "/" + name + ".npy");
    if (!actual || !expected)
      return (actual ? expected : actual).error();
    profiler::ComparisonOptions options;
    const profiler::PlanArgument *argument = plan.argument(name);
    options.poisoned = argument && argument->tensor() &&
                       argument->tensor()->init.kind == profiler::TensorInit::Kind::Poison;
    for (profiler::OutputResult &result : measurement.outputs)
      if (result.name == name)
        result.comparison = profiler::compareTensors(*actual, *expected, options);
  }
  return {};
}

Result<Execution> executeOnGpu(const Document &document, const Place &place,
                               const ExecuteOptions &options, const std::string &reference,
                               compiler::WorkerClient &client) {
  Result<Packaged> packaged = packageDocument(document, client);
  if (!packaged)
    return packaged.error();
  bool remote = place.kind == Place::Kind::Ssh;
  json parameters = {
      {"package_base64", profiler::encodeBase64(profiler::encodePackage(packaged->package))},
      {"device", place.device},
      {"measure", options.measure}};
  if (remote) {
    parameters["return_outputs"] = !options.dump.empty() || !reference.empty();
  } else {
    parameters["dump"] = options.dump;
    parameters["compare"] = reference;
  }
  profiler::ChildCommand command;
  if (remote)
    command.arguments = {"/usr/bin/env",     "ssh",  "-o", "BatchMode=yes", place.host,
                         "tilescope-runner", "child"};
  else
    command.arguments = {siblingProgram("tilescope-runner"), "child"};
  Result<json> answer =
      profiler::runInChild(command, {{"method", "run"}, {"params", parameters}}, {}, {});
  if (!answer)
    return answer.error();
  Result<profiler::Measurement> measurement = profiler::measurementFromText(answer->dump());
  if (!measurement)
    return measurement.error();
  if (remote)
    if (Status status =
            receiveOutputs(*answer, options.dump, reference, *document.launch.plan, *measurement))
      return *status;
  return Execution{std::move(packaged->result), std::move(*measurement)};
}

} // namespace

Result<Place> parsePlace(const std::string &where) {
  Place place;
  if (where == "cpu" || (where.empty() && !hasLocalGpu()))
    return place;
  if (where.starts_with("ssh://")) {
    place.kind = Place::Kind::Ssh;
    place.host = where.substr(6);
    if (!place.host.empty() && place.host.front() != '-')
      return place;
  }
  place.kind = Place::Kind::Cuda;
  if (where.empty() || where == "cuda")
    return place;
  if (where.starts_with("cuda:")) {
    const char *begin = where.data() + 5, *end = where.data() + where.size();
    auto [last, error] = std::from_chars(begin, end, place.device);
    if (error == std::errc() && last == end && place.device >= 0)
      return place;
  }
  return Error{ErrorCode::Usage, fmt::format("`{}` is no place to run", where),
               "places are cpu, cuda, cuda:N and ssh://[user@]host"};
}

Result<Execution> executeDocument(const Document &document, const Place &place,
                                  const ExecuteOptions &options, compiler::WorkerClient &client) {
  if (!document.launch.plan) {
    printDiagnostics(document.launch.diagnostics, {}, document.request.path);
    return noLaunch(document);
  }
  if (!options.dump.empty()) {
    std::error_code error;
    std::filesystem::create_directories(options.dump, error);
    if (error)
      return Error{ErrorCode::Environment, fmt::format("cannot make `{}`", options.dump),
                   error.message()};
  }
  Result<TemporaryFolder> temporary = TemporaryFolder::make();
  if (!temporary)
    return temporary.error();
  if (place.kind == Place::Kind::Cpu) {
    bool kept = !options.dump.empty();
    Result<Execution> execution =
        executeOnCpu(document, kept ? options.dump : temporary->path(), client);
    if (execution && !kept)
      for (profiler::OutputResult &output : execution->measurement.outputs)
        output.path.clear();
    return execution;
  }
  if (!options.compare)
    return executeOnGpu(document, place, options, "", client);
  Result<Execution> reference = executeOnCpu(document, temporary->path(), client);
  if (!reference)
    return reference;
  return executeOnGpu(document, place, options, temporary->path(), client);
}

Result<TemporaryFolder> TemporaryFolder::make() {
  std::error_code error;
  std::filesystem::path base = std::filesystem::temp_directory_path(error);
  std::string pattern = ((error ? "/tmp" : base) / "tilescope-XXXXXX").string();
  if (!mkdtemp(pattern.data()))
    return Error{ErrorCode::Environment, "cannot make a temporary folder",
                 "TMPDIR must name a folder with room"};
  return TemporaryFolder(pattern);
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  if (!m_path.empty())
    std::filesystem::remove_all(m_path, ignored);
}

} // namespace tilescope::app
