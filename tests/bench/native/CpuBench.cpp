// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Runs kernels as native code when it is told to, for scripts that measure something else in turn:
//
//     bench_cpu FOLDER
//     < softmax                  runs FOLDER/softmax.py, compiled and with its tensors made when it is named first
//     > 4.5123                   milliseconds of the grid
//     < checked softmax          the same as checked code in place of the interpreter; with what it makes for its checks
//     > 6.8
//     < copy                     copies 96 MiB with as many threads as there are processors, as the C library does it
//     > 9.8
//     < stream                   the same with stores that go past the caches
//     > 8.1
//     < drop softmax             gives back its memory
//     > 0
#include "app/launch/ResolveLaunch.h"
#include "app/worker/LaunchInput.h"
#include "compiler/pipeline/Compiler.h"
#include "profiler/data/FileIo.h"

#include <chrono>
#include <cstring>
#include <iostream>
#include <map>
#include <memory>
#include <thread>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

using namespace tilescope;
using namespace tilescope::compiler;
using Clock = std::chrono::steady_clock;

namespace {

/// A kernel of a file, with its tensors.
struct Case {
  CompileRequest request;
  profiler::LaunchPlan plan;
  app::TensorsByName tensors;
};

} // namespace

static constexpr std::string_view kChecked = "checked ";

static double msSince(Clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

static Result<std::unique_ptr<Case>> makeCase(const std::string &path) {
  const Result<std::string> text = profiler::readFile(path);
  if (!text)
    return text.error();
  auto made = std::make_unique<Case>();
  made->request.path = path;
  made->request.text = *text;
  made->request.selection.target = "cpu:native";
  app::ResolvedLaunch launch = app::resolveLaunch(made->request);
  if (!launch.ok() || !launch.plan)
    return Error{ErrorCode::InvalidInput, path + ": the launch block has errors", ""};
  made->request.selection = launch.selection;
  made->plan = std::move(*launch.plan);
  std::string failed;
  if (Status status = app::makeTensors(made->plan, "", made->tensors, failed); !status)
    return status.error();
  return made;
}

static InterpretInput inputOf(Case &each) {
  InterpretInput input;
  for (size_t axis = 0; axis < 3; ++axis)
    input.grid[axis] = static_cast<int32_t>(each.plan.grid[axis]);
  input.argument = [&each](const KernelParameter &parameter) -> std::optional<InterpreterArgument> {
    InterpreterArgument result;
    result.name = parameter.name;
    if (const auto it = each.tensors.find(parameter.name); it != each.tensors.end()) {
      result.data = it->second.data.data();
      result.sizeBytes = it->second.data.size();
      return result;
    }
    const profiler::PlanArgument *argument = each.plan.argument(parameter.name);
    if (!argument)
      return std::nullopt;
    result.bits = app::scalarBits(*argument->scalar(), parameter.type);
    return result;
  };
  return input;
}

static Result<double> runCase(Compiler &compiler, Case &each, CpuExecutor executor) {
  InterpretInput input = inputOf(each);
  input.executor = executor;
  const InterpretOutcome outcome = compiler.interpret(each.request, input);
  if (!outcome.interpretation.completed || !outcome.interpretation.isNative)
    return Error{ErrorCode::InvalidInput,
                 outcome.result.diagnostics.empty()
                     ? "it did not run as native code: " + outcome.interpretation.whyInterpreted
                     : outcome.result.diagnostics.front().message,
                 ""};
  return static_cast<double>(outcome.interpretation.statistics.runDuration.count()) / 1e6;
}

/// Whole lines, past the caches where the processor has such stores.
static void streamBytes(std::byte *to, const std::byte *from, size_t bytes) {
#ifdef __SSE2__
  for (size_t i = 0; i < bytes; i += sizeof(__m128i))
    _mm_stream_si128(reinterpret_cast<__m128i *>(to + i),
                     _mm_load_si128(reinterpret_cast<const __m128i *>(from + i)));
  _mm_sfence();
#else
  std::memcpy(to, from, bytes);
#endif
}

/// What memory allows: each processor copies its part. The memory is of the same kind as that of the kernels' tensors.
static double copyMemory(bool isStreamed) {
  constexpr size_t kBytes = size_t(96) << 20, kLine = 64;
  static const profiler::TensorBytes from(kBytes, std::byte(1));
  static profiler::TensorBytes to(kBytes);
  const unsigned numThreads = std::max(1U, std::thread::hardware_concurrency());
  const Clock::time_point begin = Clock::now();
  {
    std::vector<std::jthread> threads;
    for (unsigned i = 0; i < numThreads; ++i)
      threads.emplace_back([=] {
        const size_t part = kBytes / numThreads / kLine * kLine;
        if (isStreamed)
          streamBytes(&to[i * part], &from[i * part], part);
        else
          std::memcpy(&to[i * part], &from[i * part], part);
      });
  }
  return msSince(begin);
}

int main(int argc, char **argv) {
  if (argc != 2) {
    std::cerr << "usage: bench_cpu FOLDER\n";
    return 2;
  }
  Compiler compiler(findCudaToolkit());
  std::map<std::string, std::unique_ptr<Case>> cases;
  const auto answer = [&](const std::string &line) -> Result<double> {
    if (line == "copy" || line == "stream")
      return copyMemory(line == "stream");
    if (line.starts_with("drop ")) {
      cases.erase(line.substr(5));
      return 0.0;
    }
    const bool isChecked = line.starts_with(kChecked);
    const std::string name = isChecked ? line.substr(kChecked.size()) : line;
    std::unique_ptr<Case> &known = cases[name];
    if (!known) {
      auto made = makeCase(std::string(argv[1]) + "/" + name + ".py");
      if (!made)
        return made.error();
      known = std::move(*made);
    }
    return runCase(compiler, *known, isChecked ? CpuExecutor::Native : CpuExecutor::OfTarget);
  };
  for (std::string line; std::getline(std::cin, line);) {
    const Result<double> ms = answer(line);
    if (!ms) {
      std::cerr << "bench_cpu: " << line << ": " << ms.error().message << "\n";
      return 1;
    }
    std::cout << *ms << std::endl;
  }
  return 0;
}
