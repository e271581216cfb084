// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/target/Assembler.h"

#include "compiler/support/ChildProcess.h"
#include "compiler/support/Text.h"
#include "compiler/target/LoadsUnderWay.h"

#include <algorithm>
#include <charconv>
#include <optional>

namespace tilescope::compiler {

/// The number that ends right before `suffix`, as in `Used 24 registers`.
static std::optional<int64_t> numberBefore(std::string_view line, std::string_view suffix) {
  const size_t end = line.find(suffix);
  if (end == std::string_view::npos)
    return std::nullopt;
  size_t begin = end;
  while (begin > 0 && line[begin - 1] >= '0' && line[begin - 1] <= '9')
    --begin;
  int64_t value = 0;
  if (begin == end ||
      std::from_chars(line.data() + begin, line.data() + end, value).ec != std::errc())
    return std::nullopt;
  return value;
}

Resources parseAssemblerResources(std::string_view log) {
  Resources resources;
  for (std::string_view line : splitLines(log)) {
    if (auto stores = numberBefore(line, " bytes spill stores")) {
      const int64_t loads = numberBefore(line, " bytes spill loads").value_or(0);
      resources.spillBytes = std::max<int64_t>(resources.spillBytes, 0) + *stores + loads;
      resources.spillLoadBytes = std::max<int64_t>(resources.spillLoadBytes, 0) + loads;
    }
    if (auto registers = numberBefore(line, " registers")) {
      resources.registers = std::max(resources.registers, *registers);
      resources.sharedBytes = numberBefore(line, " bytes smem").value_or(0);
    }
  }
  return resources;
}

std::vector<AssemblerMessage> parseAssemblerErrors(std::string_view log) {
  std::vector<AssemblerMessage> messages;
  for (std::string_view line : splitLines(log)) {
    const bool fatal = line.find("fatal") != std::string_view::npos;
    const size_t error = line.find("error");
    if (error == std::string_view::npos && !fatal)
      continue;
    AssemblerMessage message;
    constexpr std::string_view kLine = ", line ";
    if (const size_t at = line.find(kLine); at != std::string_view::npos) {
      const char *begin = line.data() + at + kLine.size();
      int number = 0;
      if (std::from_chars(begin, line.data() + line.size(), number).ec == std::errc())
        message.line = number - 1;
    }
    // `ptxas kernel.ptx, line 12; error   : Unknown symbol`: the text follows the last ` : `.
    const size_t text = line.find(" : ", error == std::string_view::npos ? 0 : error);
    message.text = text == std::string_view::npos ? line : line.substr(text + 3);
    if (message.text.find("aborted due to errors") == std::string::npos || message.line >= 0)
      messages.push_back(std::move(message));
  }
  return messages;
}

static bool namesExhaustedResource(std::string_view log) {
  return log.find("uses too much") != std::string_view::npos ||
         log.find("too many resources") != std::string_view::npos;
}

static std::string release(int major, int minor) {
  return std::to_string(major) + "." + std::to_string(minor);
}

/// The options in the notation that both assemblers share.
static std::vector<std::string> ptxasOptions(const AssembleOptions &options) {
  std::vector<std::string> arguments;
  if (options.maxRegisters > 0)
    arguments.push_back("--maxrregcount=" + std::to_string(options.maxRegisters));
  arguments.insert(arguments.end(), options.extra.begin(), options.extra.end());
  return arguments;
}

static AssembledCode finish(std::string cubin, std::string_view log, std::string tool) {
  AssembledCode code;
  code.tool = std::move(tool);
  if (cubin.empty()) {
    code.errors = parseAssemblerErrors(log);
    if (code.errors.empty())
      code.errors.push_back(
          {-1, std::string(log.empty() ? "the assembler returned neither machine code nor a reason"
                                       : log)});
    code.outOfResources = namesExhaustedResource(log);
    return code;
  }
  code.cubin = std::move(cubin);
  code.resources = parseAssemblerResources(log);
  return code;
}

static AssembledCode linkInProcess(const NvJitLink &library, std::string_view ptx,
                                   const AssembleOptions &options) {
  std::vector<std::string> arguments{"-arch=" + options.target.processor(), "-verbose",
                                     options.fpFusion ? "-fma=1" : "-fma=0"};
  if (options.lineInfo)
    arguments.push_back("-lineinfo");
  for (const std::string &option : ptxasOptions(options))
    arguments.push_back("-Xptxas=" + option);
  NvJitLink::Output output = library.link(ptx, arguments);
  return finish(std::move(output.cubin), output.errorLog + "\n" + output.infoLog,
                "nvJitLink " + release(library.major(), library.minor()));
}

static Result<AssembledCode> runPtxas(const CudaToolkit &toolkit, std::string_view ptx,
                                      const AssembleOptions &options) {
  const MemoryFile input(ptx), output;
  if (!input.valid() || !output.valid())
    return Error{ErrorCode::Environment, "no memory for the assembler's files", ""};
  std::vector<std::string> arguments{"-v", "--gpu-name=" + options.target.processor(),
                                     options.fpFusion ? "--fmad=true" : "--fmad=false"};
  if (options.lineInfo)
    arguments.push_back("-lineinfo");
  for (const std::string &option : ptxasOptions(options))
    arguments.push_back(option);
  arguments.insert(arguments.end(), {input.path(), "-o", output.path()});
  Result<ChildOutput> child = runChild(toolkit.ptxas, arguments, options.timeout, options.stop);
  if (!child)
    return child.error();
  std::string log = child->standardError + child->standardOutput;
  if (child->stopped)
    log += "\nfatal : `ptxas` was stopped";
  else if (child->timedOut)
    log += "\nfatal : `ptxas` was stopped because it took too long";
  // It ends with 255 when it refuses its input; signals' numbers end at 64.
  else if (child->status > 128 && child->status <= 128 + 64)
    log += "\nfatal : `ptxas` crashed with signal " + std::to_string(child->status - 128);
  return finish(child->status == 0 ? output.content() : std::string(), log,
                "ptxas " + release(toolkit.assemblerMajor, toolkit.assemblerMinor));
}

/// With more blocks than the PTX asks for; nothing where that spills too much or is refused.
static std::optional<AssembledCode> assembleFuller(const CudaToolkit &toolkit, std::string_view ptx,
                                                   AssembleOptions options, BlockWish wish) {
  options.extra.push_back("--override-directive-values");
  options.extra.push_back("--minnctapersm=" + std::to_string(wish.blocks));
  Result<AssembledCode> code = runPtxas(toolkit, ptx, options);
  if (!code || code->cubin.empty() || code->resources.spillBytes > wish.mostSpillBytes)
    return std::nullopt;
  return std::move(*code);
}

/// Threads get registers in steps of this many.
static constexpr int64_t kStep = 8;

static int64_t allottedRegisters(const AssembledCode &code) {
  return (code.resources.registers + kStep - 1) / kStep * kStep;
}

/// With a full multiprocessor where that takes at most two steps of registers and leaves each
/// thread's loads under way, or takes one step and leaves as many bytes under way for all threads
/// together: more threads then wait for memory at the same time. Otherwise the code that was
/// granted.
static AssembledCode assembleFullest(const CudaToolkit &toolkit, std::string_view ptx,
                                     const AssembleOptions &options, AssembledCode granted) {
  const int64_t allotted = allottedRegisters(granted);
  const int64_t given = allotted - options.full.registers;
  if (options.full.blocks <= 1 || given <= 0 || given > 2 * kStep)
    return granted;
  std::optional<AssembledCode> fullest =
      assembleFuller(toolkit, ptx, options, {options.full.blocks, 0});
  if (!fullest)
    return granted;
  const int64_t blocksBefore = options.full.blocks * options.full.registers / allotted;
  const auto keepsLoads = [&](int64_t after, int64_t before) {
    return after >= before ||
           (given == kStep && after * options.full.blocks >= before * blocksBefore);
  };
  return std::ranges::equal(loadedBytesUnderWay(fullest->cubin), loadedBytesUnderWay(granted.cubin),
                            keepsLoads)
             ? std::move(*fullest)
             : std::move(granted);
}

/// What the assembler makes of PTX that asks for no number of blocks: it then orders instructions
/// anew, which saves more registers than the same order with a limit. Otherwise the code that was
/// granted.
static AssembledCode assembleUnasked(const CudaToolkit &toolkit, std::string_view ptx,
                                     const AssembleOptions &options, AssembledCode granted) {
  constexpr std::string_view kDirective = ".minnctapersm 1";
  const size_t at = ptx.find(kDirective);
  if (options.ownChoiceFrom <= 0 || allottedRegisters(granted) < options.ownChoiceFrom ||
      at == std::string_view::npos)
    return granted;
  // Lines stay where they are.
  std::string unasked(ptx);
  unasked.erase(at, kDirective.size());
  Result<AssembledCode> code = runPtxas(toolkit, unasked, options);
  const bool isBetter = code && !code->cubin.empty() && code->resources.spillBytes <= 0 &&
                        allottedRegisters(*code) < allottedRegisters(granted);
  return isBetter ? std::move(*code) : std::move(granted);
}

static Result<AssembledCode> assembleAsWished(const CudaToolkit &toolkit, std::string_view ptx,
                                              const AssembleOptions &options) {
  for (const BlockWish &wish : options.blockWishes)
    if (std::optional<AssembledCode> code = assembleFuller(toolkit, ptx, options, wish))
      return std::move(*code);
  return runPtxas(toolkit, ptx, options);
}

Result<AssembledCode> assemblePtx(const CudaToolkit &toolkit, std::string_view ptx,
                                  const AssembleOptions &options) {
  if (!toolkit.ptxas.empty()) {
    Result<AssembledCode> code = assembleAsWished(toolkit, ptx, options);
    if (!code || code->cubin.empty())
      return code;
    return assembleFullest(toolkit, ptx, options,
                           assembleUnasked(toolkit, ptx, options, std::move(*code)));
  }
  if (toolkit.nvJitLink != nullptr)
    return linkInProcess(*toolkit.nvJitLink, ptx, options);
  return Error{ErrorCode::Environment, "no assembler for PTX was found",
               "`ptxas` or nvJitLink of the CUDA Toolkit provides it (set CUDA_HOME or "
               "TILESCOPE_PTXAS)"};
}

} // namespace tilescope::compiler
