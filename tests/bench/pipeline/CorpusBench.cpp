// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
//   bench_corpus FOLDER [--target T] [--ptx DIR] [--only TEXT] [--from ROWS] [--seconds N]
//
// Compiles every kernel of every file below a folder to PTX, or for a processor (`cpu:native`) to
// its assembly, with guessed types and values, and prints a row for each: milliseconds of the
// compiling thread's processor time for every stage, whether it compiles, the first error, the
// types and values it was compiled for, and the passes and tools that took a millisecond or more.
// Processor time does not change with what else the machine does. One process compiles kernel after
// kernel, as a worker does; a kernel that ends it, or takes longer than N seconds (60), is
// reported, and another process goes on behind it. `--ptx` keeps the PTX, to compare two compilers.
// `--from` takes the kernels that a file names, in its order: rows that begin as those printed
// here, so that the slowest of a run can be measured again.
#include "app/launch/ResolveLaunch.h"
#include "compiler/pipeline/Compiler.h"
#include "profiler/data/FileIo.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <map>
#include <span>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

using namespace tilescope;
using namespace tilescope::compiler;
namespace fs = std::filesystem;

namespace {
struct Options {
  fs::path folder;
  fs::path ptx;
  fs::path from;
  std::string only;
  std::string target = "cuda:90";
  unsigned seconds = 60;
};

struct CorpusKernel {
  fs::path path;
  std::string name;
};

constexpr std::array kGpuStages = {StageId::Ast, StageId::Ttir, StageId::Ttgir, StageId::LlvmIr,
                                   StageId::Ptx};
constexpr std::array kCpuStages = {StageId::Ast, StageId::Ttir, StageId::CpuIr, StageId::LlvmIr,
                                   StageId::Assembly};
} // namespace

static std::span<const StageId> timedStages(const Options &options) {
  return options.target.starts_with("cpu") ? std::span<const StageId>(kCpuStages) : kGpuStages;
}

static double threadMs() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
}

namespace {
/// Processor time from the start of each pass or tool to that of the next, in one compilation.
class StepTimes {
public:
  void start(std::string_view name) {
    const double now = threadMs();
    if (!m_name.empty())
      m_times[m_name] += now - m_started;
    m_name = name;
    m_started = now;
  }

  /// Those of a millisecond or more.
  std::string text() const {
    std::string text;
    for (const auto &[name, time] : m_times)
      if (time >= 1)
        text += (text.empty() ? "" : ";") + name + "=" + std::to_string(std::lround(time));
    return text;
  }

private:
  std::map<std::string, double> m_times;
  std::string m_name;
  double m_started = 0;
};
} // namespace

static std::vector<CorpusKernel> findKernels(const Options &options) {
  std::vector<fs::path> files;
  for (const auto &entry : fs::recursive_directory_iterator(options.folder))
    if (entry.is_regular_file() && entry.path().extension() == ".py")
      files.push_back(entry.path());
  std::ranges::sort(files);
  std::vector<CorpusKernel> kernels;
  Compiler compiler{CudaToolkit{}};
  for (const fs::path &path : files) {
    const Result<std::string> text = profiler::readFile(path.string());
    if (!text || text->find("triton.jit") == std::string::npos)
      continue;
    CompileRequest request;
    request.path = path.string();
    request.text = *text;
    request.stopAfter = StageId::Ast;
    for (const std::string &name : compiler.compile(request).result.kernels)
      if ((path.string() + ":" + name).find(options.only) != std::string::npos)
        kernels.push_back({path, name});
  }
  return kernels;
}

/// The kernels of rows `file<TAB>kernel…`; a first row of headings names no file.
static std::vector<CorpusKernel> readKernels(const Options &options) {
  std::vector<CorpusKernel> kernels;
  std::ifstream rows(options.from);
  for (std::string row; std::getline(rows, row);) {
    const size_t tab = row.find('\t');
    if (tab == row.npos || !fs::is_regular_file(options.folder / row.substr(0, tab)))
      continue;
    const size_t begin = tab + 1;
    kernels.push_back(
        {options.folder / row.substr(0, tab), row.substr(begin, row.find('\t', begin) - begin)});
  }
  return kernels;
}

static std::string firstError(const CompileResult &result) {
  for (const Diagnostic &diagnostic : result.diagnostics)
    if (diagnostic.severity == Severity::Error)
      return std::string(diagnosticId(diagnostic.kind)) + "\t" + diagnostic.message;
  return "\t";
}

static std::string listed(const std::map<std::string, std::string> &values) {
  std::string text;
  for (const auto &[name, value] : values)
    text += (text.empty() ? "" : ";") + name + "=" + value;
  return text;
}

static std::string oneLine(std::string text) {
  std::ranges::replace(text, '\n', ' ');
  return text;
}

static std::string flatName(const Options &options, const CorpusKernel &kernel) {
  std::string name = fs::relative(kernel.path, options.folder).string() + "." + kernel.name;
  std::ranges::replace(name, '/', '-');
  return name;
}

static void measure(Compiler &compiler, const Options &options, const CorpusKernel &kernel) {
  const Result<std::string> text = profiler::readFile(kernel.path.string());
  CompileRequest request;
  request.path = kernel.path.string();
  request.text = text ? *text : "";
  request.selection.kernel = kernel.name;
  request.selection.target = options.target;
  request.selection = app::resolveLaunch(request).selection;
  request.stopAfter = timedStages(options).back();

  std::map<StageId, double> after;
  StepTimes steps;
  CompileHooks hooks;
  hooks.stepStarted = [&](StageId, std::string_view name) { steps.start(name); };
  hooks.stageFinished = [&](const CompileResult &, const Stage &stage) {
    after[stage.id] = threadMs();
    steps.start("");
  };
  const double start = threadMs();
  const CompileResult result = compiler.compile(request, hooks).result;
  const double total = threadMs() - start;

  std::printf("%s\t%s\t%s\t%.1f", fs::relative(kernel.path, options.folder).c_str(),
              kernel.name.c_str(), result.ok ? "ok" : "failed", total);
  double before = start;
  for (const StageId stage : timedStages(options)) {
    const double time = after.contains(stage) ? after[stage] : before;
    std::printf("\t%.1f", time - before);
    before = time;
  }
  std::printf("\t%s\t%s\t%s\t%s\n", oneLine(firstError(result)).c_str(),
              oneLine(listed(result.signature)).c_str(), oneLine(listed(result.constexprs)).c_str(),
              steps.text().c_str());
  std::fflush(stdout);
  if (const Stage *ptx = result.stage(StageId::Ptx); ptx != nullptr && !options.ptx.empty()) {
    const std::string path = (options.ptx / (flatName(options, kernel) + ".ptx")).string();
    if (!profiler::writeFile(path, ptx->text))
      std::fprintf(stderr, "cannot write %s\n", path.c_str());
  }
  compiler.trim();
}

/// Compiles the kernels from `first` on in a process of its own; returns the index of the one that
/// ended it, or the number of kernels.
static size_t measureFrom(const Options &options, const std::vector<CorpusKernel> &kernels,
                          size_t first) {
  int ends[2];
  if (pipe(ends) != 0)
    std::exit(1);
  std::fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    Compiler compiler{findCudaToolkit()};
    for (size_t i = first; i < kernels.size(); ++i) {
      const uint32_t index = static_cast<uint32_t>(i);
      if (write(ends[1], &index, sizeof index) != sizeof index)
        _exit(1);
      alarm(options.seconds);
      measure(compiler, options, kernels[i]);
    }
    _exit(0);
  }
  close(ends[1]);
  uint32_t last = 0;
  while (read(ends[0], &last, sizeof last) == sizeof last) {
  }
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
    return kernels.size();
  const int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  std::printf("%s\t%s\t%s\t0\t0\t0\t0\t0\t0\t\tsignal %d\n",
              fs::relative(kernels[last].path, options.folder).c_str(), kernels[last].name.c_str(),
              signal == SIGALRM ? "too long" : "crashed", signal);
  return last;
}

static Options readOptions(int argc, char **argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const bool hasValue = i + 1 < argc;
    if (word == "--ptx" && hasValue)
      options.ptx = argv[++i];
    else if (word == "--target" && hasValue)
      options.target = argv[++i];
    else if (word == "--only" && hasValue)
      options.only = argv[++i];
    else if (word == "--from" && hasValue)
      options.from = argv[++i];
    else if (word == "--seconds" && hasValue)
      options.seconds = static_cast<unsigned>(std::atoi(argv[++i]));
    else
      options.folder = word;
  }
  return options;
}

int main(int argc, char **argv) {
  const Options options = readOptions(argc, argv);
  if (!fs::is_directory(options.folder)) {
    std::fprintf(stderr, "usage: bench_corpus FOLDER [--target T] [--ptx DIR] [--only TEXT] "
                         "[--from ROWS] [--seconds N]\n");
    return 1;
  }
  if (!options.ptx.empty())
    fs::create_directories(options.ptx);
  const std::vector<CorpusKernel> kernels =
      options.from.empty() ? findKernels(options) : readKernels(options);
  std::printf("file\tkernel\tresult\ttotal");
  for (const StageId stage : timedStages(options))
    std::printf("\t%s", std::string(stageName(stage)).c_str());
  std::printf("\tkind\tmessage\tsignature\tconstexprs\tsteps\n");
  for (size_t next = 0; next < kernels.size();)
    next = measureFrom(options, kernels, next) + 1;
}
