// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/ProductLines.h"
#include "compiler/pipeline/PtxSourceMap.h"
#include "compiler/pipeline/Stages.h"
#include "compiler/pipeline/StraightCode.h"
#include "compiler/target/Assembler.h"
#include "compiler/target/Disassembler.h"

#include <algorithm>

namespace tilescope::compiler {

static constexpr std::chrono::milliseconds kDisassembleTimeout{60000};

static const LineMapping *mappingOf(const SourceMap &map, int line) {
  const auto it = std::lower_bound(
      map.lines.begin(), map.lines.end(), line,
      [](const LineMapping &mapping, int value) { return static_cast<int>(mapping.line) < value; });
  return it != map.lines.end() && static_cast<int>(it->line) == line ? &*it : nullptr;
}

static void reportAssemblerErrors(CompileJob &job, const std::vector<AssemblerMessage> &errors,
                                  bool outOfResources, const SourceMap &ptxMap) {
  for (const AssemblerMessage &error : errors) {
    Diagnostic &diagnostic = job.report(outOfResources ? DiagnosticKind::OutOfResources
                                                       : DiagnosticKind::AssemblerFailed,
                                        Severity::Error, error.text);
    if (error.line < 0)
      continue;
    diagnostic.notes.push_back("at line " + std::to_string(error.line + 1) + " of the PTX");
    if (const LineMapping *mapping = mappingOf(ptxMap, error.line))
      diagnostic.range = mapping->sources.front();
  }
}

/// What the machine code needs, and what the launch adds to it.
static Resources resourcesOf(Resources ofCode, const KernelMetadata &metadata) {
  if (ofCode.sharedBytes >= 0)
    ofCode.sharedBytes += metadata.sharedBytes;
  ofCode.threads = 32 * metadata.numWarps;
  return ofCode;
}

/// Source: CUDA C++ Programming Guide, "Technical Specifications per Compute Capability".
static int threadsOfMultiprocessor(int capability) {
  return capability / 10 == 12 || (capability > 80 && capability < 90) ? 1536 : 2048;
}

/// Of a multiprocessor.
static constexpr int kRegisters = 65536;

/// From here on, the time of straight code is that of its instructions. A multiprocessor issues 128
/// a cycle, one for each thread of four warps, and its share of the memory's bandwidth is 13 to 21
/// bytes a cycle on an A100, an H100 and an H200: 6 to 10 instructions a byte.
static constexpr double kIssuesPerByte = 8;

/// Sets how many blocks of a kernel that asks for one (see `describeRegisters`) a multiprocessor
/// should hold. 1024 threads leave each 64 registers: that keeps enough loads under way, while the
/// one block of a large kernel would wait for its own loads; where they do not suffice, 512 threads
/// are better than fewer. Code without loops and barriers profits from as many threads as there can
/// be, and where 1024 threads leave it too few registers, from the order of instructions that the
/// assembler chooses by itself: a depthwise convolution of 64 registers takes 40 then, and 0.90 of
/// the time. Where it issues more instructions than memory keeps up with, more threads don't hide
/// anything, and fewer registers cost instructions: a dropout at 40 registers takes 0.95 of the time
/// that it takes at 32. Other code profits where more threads cost it little. Of kernels that were measured,
/// those that spill up to 64 bytes for 1024 threads ran at 0.69 to 0.92 of the time, those with 160
/// and more at 1.3 and above.
static void wishForBlocks(const PtxKernel &kernel, StageId entry, AssembleOptions &assemble) {
  const KernelOptions &options = kernel.facts.options;
  const std::string &ptx = kernel.text;
  const bool isOurs = entry <= StageId::Ttgir;
  const bool isAsked = options.maxRegisters > 0 || !options.assemblerOptions.empty();
  if (!isOurs || isAsked || ptx.find(".minnctapersm 1\n") == std::string::npos)
    return;
  const int threads = 32 * kernel.facts.metadata.numWarps;
  const int mostThreads = threadsOfMultiprocessor(options.target.capability);
  std::vector<BlockWish> &wishes = assemble.blockWishes;
  if (isStraight(ptx)) {
    if (issuesPerByte(ptx) < kIssuesPerByte)
      wishes.push_back({mostThreads / threads, 0});
    assemble.ownChoiceFrom = kRegisters / 1024;
  } else {
    assemble.full = {mostThreads / threads, kRegisters / mostThreads / 8 * 8};
  }
  wishes.push_back({1024 / threads, 64});
  wishes.push_back({512 / threads, 64});
  std::erase_if(wishes, [](const BlockWish &wish) { return wish.blocks <= 1; });
}

static AssembleOptions assembleOptions(const PtxKernel &kernel, StageId entry) {
  const KernelOptions &options = kernel.facts.options;
  AssembleOptions assemble;
  assemble.target = options.target;
  assemble.fpFusion = options.fpFusion;
  assemble.maxRegisters = options.maxRegisters;
  wishForBlocks(kernel, entry, assemble);
  assemble.extra = options.assemblerOptions;
  return assemble;
}

/// Everything that the machine code depends on.
static ContentKey assembledKey(const std::string &ptx, const AssembleOptions &options) {
  KeyBuilder builder;
  builder.add(ptx)
      .add(options.target.name())
      .add(options.fpFusion)
      .add(static_cast<uint64_t>(options.maxRegisters));
  for (const BlockWish &wish : options.blockWishes)
    builder.add(static_cast<uint64_t>(wish.blocks));
  builder.add(static_cast<uint64_t>(options.full.blocks))
      .add(static_cast<uint64_t>(options.ownChoiceFrom));
  for (const std::string &option : options.extra)
    builder.add(option);
  return builder.key();
}

/// The stage, ok or not; its resources go to the result.
static Stage assemble(CompileJob &job, const PtxKernel &kernel, const AssembleOptions &options,
                      const ContentKey &key) {
  job.step(StageId::Cubin, "assemble");
  Result<AssembledCode> code = assemblePtx(job.state.toolkit, kernel.text, options);
  Stage stage;
  stage.id = StageId::Cubin;
  // A newer text came while the assembler ran, which was ended: that is no fault of the kernel.
  if ((!code || code->cubin.empty()) && job.stopped())
    return stage;
  if (!code) {
    job.report(DiagnosticKind::ToolMissing, Severity::Error, code.error().message,
               {code.error().hint});
  } else {
    reportAssemblerErrors(job, code->errors, code->outOfResources, kernel.sourceMap);
    stage.ok = !code->cubin.empty();
    stage.text = std::move(code->cubin);
    job.result.resources = resourcesOf(code->resources, kernel.facts.metadata);
  }
  const bool ok = stage.ok;
  job.finish(std::move(stage));
  const Stage &finished = job.result.stages.back();
  if (ok)
    job.state.assembled.insert(key, {finished, code->resources}, finished.text.size() + 256);
  return finished;
}

std::optional<CubinKernel> makeCubin(CompileJob &job, PtxKernel kernel) {
  if (!job.state.toolkit.hasAssembler()) {
    job.report(DiagnosticKind::ToolMissing, Severity::Note,
               "no machine code: no assembler was found",
               {"`ptxas` or nvJitLink of the CUDA Toolkit provides it (set CUDA_HOME or "
                "TILESCOPE_PTXAS)"});
    return std::nullopt;
  }
  AssembleOptions options = assembleOptions(kernel, job.request.entry);
  options.stop = job.hooks.stop;
  const ContentKey key = assembledKey(kernel.text, options);
  job.begin(StageId::Cubin);
  Stage stage;
  if (std::shared_ptr<const AssembledStage> cached = job.state.assembled.find(key)) {
    job.result.resources = resourcesOf(cached->resources, kernel.facts.metadata);
    stage = cached->stage;
    stage.cached = true;
    job.publish(stage);
  } else {
    stage = assemble(job, kernel, options, key);
  }
  return stage.ok && !job.stopped()
             ? std::optional(CubinKernel{std::move(stage.text), std::move(kernel.sourceMap),
                                         std::move(kernel.text)})
             : std::nullopt;
}

std::optional<SassKernel> makeSass(CompileJob &job, CubinKernel kernel) {
  if (job.state.toolkit.nvdisasm.empty()) {
    job.report(DiagnosticKind::ToolMissing, Severity::Note, "no SASS: `nvdisasm` was not found",
               {"the CUDA Toolkit provides it (set CUDA_HOME or TILESCOPE_NVDISASM)"});
    return std::nullopt;
  }
  const ContentKey key = KeyBuilder().add(kernel.code).key();
  job.begin(StageId::Sass);
  Stage stage;
  stage.id = StageId::Sass;
  stage.ok = true;
  if (std::shared_ptr<const DisassembledStage> cached = job.state.disassembled.find(key)) {
    stage.cached = true;
    stage.text = cached->text;
    stage.sourceMap =
        sassSourceMap(withProductLines(cached->ptxLines, stage.text, kernel.ptx), kernel.ptxMap);
    stage.durationNs = cached->durationNs;
    job.publish(std::move(stage));
    return SassKernel{};
  }
  job.step(StageId::Sass, "disassemble");
  Result<Disassembly> code =
      disassemble(job.state.toolkit, kernel.code, kDisassembleTimeout, job.hooks.stop);
  if (!code && job.stopped())
    return std::nullopt;
  if (!code) {
    job.report(DiagnosticKind::ToolMissing, Severity::Note, code.error().message,
               {code.error().hint});
    return std::nullopt;
  }
  stage.text = code->text;
  stage.sourceMap =
      sassSourceMap(withProductLines(code->ptxLines, stage.text, kernel.ptx), kernel.ptxMap);
  job.finish(std::move(stage));
  const Stage &finished = job.result.stages.back();
  const size_t size = finished.text.size() + 4 * code->ptxLines.size();
  job.state.disassembled.insert(key, {finished.text, code->ptxLines, finished.durationNs}, size);
  return SassKernel{};
}

} // namespace tilescope::compiler
