// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Runs on a GPU, here and behind ssh, with stand-ins for the runner and for ssh
// (tests/support/fake_runner.py).
#include "app/commands/RunnerClient.h"

#include "app/commands/RunnerConversation.h"
#include "compiler/support/Spawn.h"
#include "profiler/data/FileIo.h"
#include "profiler/data/Npy.h"
#include "profiler/data/TraceJson.h"
#include "tests/unit/app/commands/SmallKernel.h"
#include "tests/unit/profiler/TraceScratch.h"

#include <catch2/catch.hpp>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>
#include <unistd.h>

using namespace tilescope;
using namespace tilescope::app;
using nlohmann::json;
using profiler::Tensor;

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

namespace {

/// A folder with a runner and an ssh that do as a scenario says.
struct FakeRunner {
  fs::path folder;
  std::string path = getenv("PATH");

  explicit FakeRunner(json scenario) {
    std::string pattern = (fs::temp_directory_path() / "tilescope-fake-XXXXXX").string();
    folder = mkdtemp(pattern.data());
    scenario["log"] = (folder / "log").string();
    std::ofstream(folder / "scenario.json") << scenario.dump();
    fs::create_symlink(TILESCOPE_FAKE_RUNNER, folder / "ssh");
    setenv("FAKE_RUNNER", (folder / "scenario.json").c_str(), 1);
    setenv("TILESCOPE_RUNNER", TILESCOPE_FAKE_RUNNER, 1);
    setenv("PATH", (folder.string() + ":" + path).c_str(), 1);
  }
  ~FakeRunner() {
    unsetenv("FAKE_RUNNER");
    unsetenv("TILESCOPE_RUNNER");
    setenv("PATH", path.c_str(), 1);
    fs::remove_all(folder);
  }

  std::string log() const {
    const Result<std::string> text = profiler::readFile((folder / "log").string());
    return text ? *text : "";
  }
  /// Of the process that stood in, once it has begun.
  pid_t pid() const { return atoi(waitForLog().c_str()); }
  std::string waitForLog() const {
    for (int i = 0; i < 500 && log().find('\n') == std::string::npos; ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    return log();
  }
};

const RunPlace kHere{RunPlace::Kind::Cuda, 0, ""};
const RunPlace kFar{RunPlace::Kind::Ssh, 1, "me@host"};

} // namespace

/// A kernel with one tensor of four elements, without data.
static profiler::KernelPackage samplePackage() {
  profiler::KernelPackage package;
  package.symbol = "k";
  package.target = "cuda:90";
  package.parameters = {{"x_ptr", "*fp32"}};
  package.plan.kernel = "k";
  profiler::PlanTensor tensor;
  tensor.dtype = profiler::Dtype::Fp32;
  tensor.shape = {4};
  package.plan.args.push_back({"x_ptr", tensor});
  package.ptx = "// none";
  return package;
}

static bool isGone(pid_t pid) {
  for (int i = 0; i < 250; ++i) {
    if (kill(pid, 0) != 0)
      return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return false;
}

TEST_CASE("outputs come back from a runner here and behind ssh", "[app]") {
  for (const RunPlace &place : {kHere, kFar}) {
    const FakeRunner runner(
        {{"outputs", {{"x_ptr", {1, 2, 3, 4}}}}, {"result", {{"launches", 7}}}});
    LaunchOptions options;
    options.place = place;
    options.dumpFolder = runner.folder;
    const Result<profiler::Measurement> measurement = runOnGpu(samplePackage(), options);
    REQUIRE(measurement);
    CHECK(measurement->launches == 7);
    REQUIRE(measurement->outputs.size() == 1);
    CHECK(measurement->outputs[0].path == (runner.folder / "x_ptr.npy").string());
    const Result<Tensor> tensor = profiler::readNpy(measurement->outputs[0].path);
    REQUIRE(tensor);
    CHECK(tensor->at(3) == 4);
    const std::string log = runner.log();
    INFO(log);
    CHECK(log.ends_with("end\n"));
    CHECK((log.find("-- me@host exec sh -c") != std::string::npos) ==
          (place.kind == RunPlace::Kind::Ssh));
  }
}

TEST_CASE("the contents of a folder travel to a far runner", "[app]") {
  const FakeRunner runner({});
  REQUIRE(profiler::writeNpy((runner.folder / "x_ptr.npy").string(),
                             profiler::makeTensor(profiler::Dtype::Fp32, {4}, {})));
  LaunchOptions options;
  options.place = kFar;
  options.inputFolder = runner.folder;
  REQUIRE(runOnGpu(samplePackage(), options));
  CHECK(runner.log().find("inputs_base64,") != std::string::npos);
}

TEST_CASE("what was never written and what differs is told with its place", "[app]") {
  const FakeRunner runner({{"outputs", {{"x_ptr", {1, 2.5, "0x7fc5a5a5", 9}}}}});
  Tensor expected = profiler::makeTensor(profiler::Dtype::Fp32, {4}, {});
  expected.set(0, 1);
  expected.set(1, 2);
  expected.set(3, 4);
  REQUIRE(profiler::writeNpy((runner.folder / "x_ptr.npy").string(), expected));
  LaunchOptions options;
  options.place = kHere;
  options.referenceFolder = runner.folder;
  const Result<profiler::Measurement> measurement = runOnGpu(samplePackage(), options);
  REQUIRE(measurement);
  const profiler::OutputResult &output = measurement->outputs.at(0);
  CHECK(output.neverWritten == 1);
  CHECK(output.firstNeverWritten == std::vector<int64_t>{2});
  CHECK(output.path.empty());
  REQUIRE(output.comparison);
  CHECK(output.comparison->mismatches == 2);
  CHECK(output.comparison->firstMismatch == std::vector<int64_t>{1});
  CHECK(output.comparison->worst == std::vector<int64_t>{3});
  CHECK(output.comparison->worstActual == 9);
  CHECK(output.comparison->worstExpected == 4);
  CHECK(output.comparison->unwritten == 1);
}

TEST_CASE("outputs of a GPU are off from the reference by what the kernel rounds", "[app]") {
  const FakeRunner runner({{"outputs", {{"x_ptr", {1.01, 2, 3, 4}}}}});
  Tensor expected = profiler::makeTensor(profiler::Dtype::Fp32, {4}, {});
  for (int i = 0; i < 4; ++i)
    expected.set(i, i + 1);
  REQUIRE(profiler::writeNpy((runner.folder / "x_ptr.npy").string(), expected));
  LaunchOptions options;
  options.place = kHere;
  options.referenceFolder = runner.folder;
  const auto numMismatches = [&](profiler::KernelPackage package) {
    const Result<profiler::Measurement> measurement = runOnGpu(package, options);
    REQUIRE(measurement);
    REQUIRE(measurement->outputs.at(0).comparison);
    return measurement->outputs[0].comparison->mismatches;
  };
  CHECK(numMismatches(samplePackage()) == 1);
  const compiler::Precision bf16{0x1p-7, 0x1p-126, false};
  options.roundings = {{"x_ptr", bf16, {}, {}, {}}};
  CHECK(numMismatches(samplePackage()) == 0);
  profiler::KernelPackage strict = samplePackage();
  std::get<profiler::PlanTensor>(strict.plan.args[0].value).relativeTolerance = 1e-3;
  CHECK(numMismatches(strict) == 1);
}

TEST_CASE("outputs that the kernel does not have are refused", "[app]") {
  const FakeRunner runner({{"outputs", {{"../x", {1}}}}});
  LaunchOptions options;
  options.place = kFar;
  options.dumpFolder = runner.folder;
  const Result<profiler::Measurement> measurement = runOnGpu(samplePackage(), options);
  REQUIRE_FALSE(measurement);
  CHECK(measurement.error().message.find("`../x`") != std::string::npos);
  CHECK_FALSE(fs::exists(runner.folder.parent_path() / "x.npy"));
}

TEST_CASE("the runner's errors keep their kind and hint, beside what the kernel prints", "[app]") {
  const FakeRunner runner(
      {{"console", {"error: printed by the kernel"}},
       {"error", {{"code", "environment"}, {"message", "no device"}, {"hint", "plug one in"}}}});
  RunnerHooks hooks;
  std::string console;
  hooks.console = [&](std::string_view line) { console += line; };
  const Result<profiler::Measurement> measurement = runOnGpu(samplePackage(), {kHere}, hooks);
  REQUIRE_FALSE(measurement);
  CHECK(measurement.error().code == ErrorCode::Environment);
  CHECK(measurement.error().message == "no device");
  CHECK(measurement.error().hint == "plug one in");
  CHECK(console == "error: printed by the kernel");
}

TEST_CASE("ssh's own failure is reported as ssh's", "[app]") {
  const auto errorOf = [](int status, const char *said) {
    const FakeRunner runner({{"exit", status}, {"console", {said}}});
    const Result<profiler::Measurement> measurement = runOnGpu(samplePackage(), {kFar});
    REQUIRE_FALSE(measurement);
    CHECK(measurement.error().code == ErrorCode::Environment);
    return measurement.error().message;
  };
  CHECK(errorOf(255, "Permission denied (publickey).") ==
        "ssh failed to reach `me@host`: Permission denied (publickey).");
  CHECK(errorOf(127, "tilescope-runner: not found") ==
        "`me@host` has no runner: tilescope-runner: not found");
  CHECK(errorOf(4, "boom") ==
        "the runner on `me@host` ended with status 4 without an answer: boom");
}

TEST_CASE("what a runner says reaches messages escaped and bounded", "[app]") {
  const auto isPlain = [](std::string_view text) {
    return text.size() < 20000 && text.find_first_of("\x1b\x07\r") == text.npos;
  };
  const std::string loud = "\x1b[2J\x07" + std::string(300000, 'x');
  {
    const FakeRunner runner({{"exit", 4}, {"console", {loud, "boom\r"}}});
    RunnerHooks hooks;
    bool isConsolePlain = true;
    hooks.console = [&](std::string_view line) { isConsolePlain &= isPlain(line); };
    const Result<profiler::Measurement> measurement = runOnGpu(samplePackage(), {kHere}, hooks);
    REQUIRE_FALSE(measurement);
    CHECK(isConsolePlain);
    CHECK(isPlain(measurement.error().message));
    CHECK(measurement.error().message.find("boom\\x0d") != std::string::npos);
  }
  {
    const FakeRunner runner(
        {{"error", {{"code", "environment"}, {"message", loud}, {"hint", loud}}}});
    const Result<profiler::Measurement> measurement = runOnGpu(samplePackage(), {kHere});
    REQUIRE_FALSE(measurement);
    CHECK(measurement.error().message.starts_with("\\x1b[2J\\x07xxx"));
    CHECK(isPlain(measurement.error().message));
    CHECK(isPlain(measurement.error().hint));
  }
  const FakeRunner runner({{"error", {{"code", 5}, {"message", {1, 2}}}}});
  const Result<profiler::Measurement> measurement = runOnGpu(samplePackage(), {kHere});
  REQUIRE_FALSE(measurement);
  CHECK(measurement.error().message.find("fields of unexpected types") != std::string::npos);
}

TEST_CASE("a runner that is silent is given up, one that says that it lives is waited for",
          "[app]") {
  const RunnerCommand command{TILESCOPE_FAKE_RUNNER, {"serve"}, ""};
  const json request = {{"id", 1}, {"method", "run"}, {"params", json::object()}};
  {
    const FakeRunner runner({{"silent", true}});
    const Clock::time_point start = Clock::now();
    const Result<json> answer = askRunner(command, request, std::chrono::milliseconds(1500), {});
    REQUIRE_FALSE(answer);
    CHECK(answer.error().message.find("has said nothing for 1 s") != std::string::npos);
    CHECK(Clock::now() - start < std::chrono::seconds(4));
    CHECK(isGone(runner.pid()));
  }
  const FakeRunner runner({{"alive", 3}});
  CHECK(askRunner(command, request, std::chrono::milliseconds(2000), {}));
}

TEST_CASE("a run stops at once when it is told to", "[app]") {
  for (const RunPlace &place : {kHere, kFar}) {
    const FakeRunner runner({{"silent", true}});
    std::stop_source stop;
    RunnerHooks hooks;
    hooks.stop = stop.get_token();
    Clock::time_point stopped;
    pid_t pid = 0;
    std::jthread stopper([&] {
      pid = runner.pid();
      stopped = Clock::now();
      stop.request_stop();
    });
    const Result<profiler::Measurement> measurement = runOnGpu(samplePackage(), {place}, hooks);
    const Clock::time_point ended = Clock::now();
    stopper.join();
    REQUIRE_FALSE(measurement);
    CHECK(measurement.error().code == ErrorCode::Cancelled);
    CHECK(ended - stopped < std::chrono::milliseconds(300));
    CHECK(isGone(pid));
  }
}

TEST_CASE("a profile tells its passes, and a runner that dies leaves what there was", "[app]") {
  using profiler::ProfileRung;
  for (const RunPlace &place : {kHere, kFar}) {
    const FakeRunner runner({{"outputs", {{"x_ptr", {1, 2, 3, 4}}}},
                             {"result",
                              {{"time_us", {{"median", 12.5}, {"n", 30}}},
                               {"counters", {{"chip", "GH100"}, {"values", json::object()}}}}},
                             {"steps", {{"counters", 18, 19}, {"counters", 19, 19}}},
                             {"partial", true}});
    LaunchOptions options;
    options.place = place;
    options.dumpFolder = runner.folder;
    options.isProfile = true;
    options.profile = {profiler::CounterSet::Full, true};
    std::string told;
    RunnerHooks hooks;
    hooks.stepped = [&](std::string_view part, int step, int numSteps) {
      told +=
          std::string(part) + " " + std::to_string(step) + "/" + std::to_string(numSteps) + "; ";
    };
    const Result<profiler::Measurement> measurement = runOnGpu(samplePackage(), options, hooks);
    REQUIRE(measurement);
    CHECK(told == "counters 18/19; counters 19/19; ");
    CHECK(measurement->timeUs->median == 12.5);
    CHECK(measurement->counters);
    REQUIRE(measurement->refusals.size() == 1);
    const profiler::Refusal &refusal = measurement->refusals[0];
    CHECK(refusal.rung == ProfileRung::Samples);
    CHECK(refusal.kind == profiler::RefusalKind::Interrupted);
    INFO(refusal.reason);
    CHECK(refusal.reason.find("ended by signal Killed") != std::string::npos);
  }
}

TEST_CASE("the kernel with clock reads goes along where a trace is wanted", "[app]") {
  for (const RunPlace &place : {kHere, kFar}) {
    profiler::TraceData trace;
    trace.table = profiler::test::sampleTable();
    trace.warps.resize(1);
    trace.warps[0].spans = {{2, 100, 400}};
    const FakeRunner runner({{"result", {{"trace", profiler::traceDataToJson(trace)}}}});
    LaunchOptions options;
    options.place = place;
    options.isProfile = true;
    options.profile = {profiler::CounterSet::None, false, true};
    options.traced = {samplePackage(), samplePackage()};
    const Result<profiler::Measurement> measurement = runOnGpu(samplePackage(), options);
    REQUIRE(measurement);
    CHECK(measurement->trace == trace);
    CHECK(runner.log().find("traced_packages_base64") != std::string::npos);
    options.traced.clear();
    REQUIRE(runOnGpu(samplePackage(), options));
    const std::string log = runner.log();
    CHECK(log.find("traced_packages_base64") == log.rfind("traced_packages_base64"));
  }
}

TEST_CASE("a runner that ends before the trace leaves the reason", "[app]") {
  const FakeRunner runner({{"result", {{"time_us", {{"median", 12.5}, {"n", 30}}}}},
                           {"steps", {{"trace", 1, 2}}},
                           {"partial", true}});
  LaunchOptions options;
  options.place = kHere;
  options.isProfile = true;
  options.profile = {profiler::CounterSet::None, false, true};
  options.traced = {samplePackage(), samplePackage()};
  const Result<profiler::Measurement> measurement = runOnGpu(samplePackage(), options);
  REQUIRE(measurement);
  REQUIRE(measurement->refusals.size() == 1);
  CHECK(measurement->refusals[0].rung == profiler::ProfileRung::Trace);
  CHECK(measurement->refusals[0].kind == profiler::RefusalKind::Interrupted);
}

TEST_CASE("ssh ends with the program that started it", "[app]") {
  const FakeRunner runner({{"silent", true}});
  const fs::path kernel = runner.folder / "k.py";
  std::ofstream(kernel) << tests::kSmallKernel;
  Result<SpawnedChild> program = spawn(
      TILESCOPE_PROGRAM, {"run", kernel.string(), "--on", "ssh://host", "--target", "cuda:90"}, {});
  REQUIRE(program);
  const pid_t ssh = runner.pid();
  REQUIRE(ssh > 0);
  CHECK(kill(ssh, 0) == 0);
  kill(program->pid, SIGKILL);
  closeDescriptor(program->output);
  waitForChild(program->pid);
  CHECK(isGone(ssh));
}

TEST_CASE("devices are listed with their targets", "[app]") {
  const FakeRunner runner({{"devices", {"A", "B"}}});
  const Result<std::vector<profiler::DeviceInfo>> devices = runnerDevices(kHere);
  REQUIRE(devices);
  REQUIRE(devices->size() == 2);
  CHECK(devices->at(1).name == "B");
  CHECK(targetOf(devices->at(1)) == "cuda:90");
}
