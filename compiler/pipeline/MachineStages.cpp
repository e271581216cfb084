// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/Compilation.h"
#include "compiler/pipeline/PtxSourceMap.h"
#include "compiler/target/Assembler.h"
#include "compiler/target/Disassembler.h"

#include "llvm/Target/TargetMachine.h"

#include <algorithm>
#include <ranges>
#include <unordered_set>

namespace tilescope::compiler {

static constexpr std::chrono::milliseconds kDisassembleTimeout{60000};

static const LineMapping *mappingOf(const SourceMap &map, int line) {
  const auto it = std::lower_bound(
      map.lines.begin(), map.lines.end(), line,
      [](const LineMapping &mapping, int value) { return static_cast<int>(mapping.line) < value; });
  return it != map.lines.end() && static_cast<int>(it->line) == line ? &*it : nullptr;
}

void Compilation::reportAssemblerErrors(const std::vector<AssemblerMessage> &errors,
                                        bool outOfResources) {
  const Stage &ptx = *m_result.stage(StageId::Ptx);
  for (const AssemblerMessage &error : errors) {
    report(outOfResources ? DiagnosticKind::OutOfResources : DiagnosticKind::AssemblerFailed,
           Severity::Error, error.text);
    if (error.line < 0)
      continue;
    m_result.diagnostics.back().notes.push_back("at line " + std::to_string(error.line + 1) +
                                                " of the PTX");
    if (const LineMapping *mapping = mappingOf(ptx.sourceMap, error.line))
      m_result.diagnostics.back().range = mapping->sources.front();
  }
}

/// What the machine code needs, and what the launch adds to it.
void Compilation::takeResources(const Resources &ofCode) {
  m_result.resources = ofCode;
  if (ofCode.sharedBytes >= 0)
    m_result.resources.sharedBytes += m_result.metadata.sharedBytes;
  m_result.resources.threads = 32 * m_result.metadata.numWarps;
}

/// Whether threads run once from top to bottom, without waiting for each other.
static bool isStraight(std::string_view ptx) {
  if (ptx.find("bar.sync") != std::string_view::npos)
    return false;
  std::unordered_set<std::string_view> labels;
  for (auto line : std::views::split(ptx, '\n')) {
    const std::string_view text(line.begin(), line.end());
    if (text.starts_with('$')) {
      labels.insert(text.substr(0, text.find(':')));
    } else if (const size_t branch = text.find("bra"); branch != std::string_view::npos) {
      const size_t at = text.find('$', branch);
      if (at != std::string_view::npos && labels.contains(text.substr(at, text.find(';') - at)))
        return false;
    }
  }
  return true;
}

/// Source: CUDA C++ Programming Guide, "Technical Specifications per Compute Capability".
static int threadsOfMultiprocessor(int capability) {
  return capability / 10 == 12 || (capability > 80 && capability < 90) ? 1536 : 2048;
}

/// Of a multiprocessor.
static constexpr int kRegisters = 65536;

/// Sets how many blocks of a kernel that asks for one (see `describeRegisters`) a multiprocessor
/// should hold. 1024 threads leave each 64 registers: that keeps enough loads under way, while the
/// one block of a large kernel would wait for its own loads; where they do not suffice, 512 threads
/// are better than fewer. Code without loops and barriers profits from as many threads as there can
/// be; other code where they cost it little. Of kernels that were measured, those that spill up to
/// 64 bytes for 1024 threads ran at 0.69 to 0.92 of the time, those with 160 and more at 1.3 and
/// above.
static void wishForBlocks(const CompileResult &result, const KernelOptions &options,
                          AssembleOptions &assemble) {
  const bool isOurs = result.stage(StageId::Ttgir) != nullptr;
  const bool isAsked = options.maxRegisters > 0 || !options.assemblerOptions.empty();
  const std::string &ptx = result.stage(StageId::Ptx)->text;
  if (!isOurs || isAsked || ptx.find(".minnctapersm 1\n") == std::string::npos)
    return;
  const int threads = 32 * result.metadata.numWarps;
  const int mostThreads = threadsOfMultiprocessor(options.target.capability);
  std::vector<BlockWish> &wishes = assemble.blockWishes;
  if (isStraight(ptx))
    wishes.push_back({mostThreads / threads, 0});
  else
    assemble.full = {mostThreads / threads, kRegisters / mostThreads / 8 * 8};
  wishes.push_back({1024 / threads, 64});
  wishes.push_back({512 / threads, 64});
  std::erase_if(wishes, [](const BlockWish &wish) { return wish.blocks <= 1; });
}

bool Compilation::makeCubin() {
  if (!m_state.toolkit.hasAssembler()) {
    report(DiagnosticKind::ToolMissing, Severity::Note, "no machine code: no assembler was found",
           {"`ptxas` or nvJitLink of the CUDA Toolkit provides it (set CUDA_HOME or "
            "TILESCOPE_PTXAS)"});
    return false;
  }
  const std::string &ptx = m_result.stage(StageId::Ptx)->text;
  AssembleOptions options;
  wishForBlocks(m_result, m_options, options);
  KeyBuilder builder;
  builder.add(ptx)
      .add(m_result.target)
      .add(m_options.fpFusion)
      .add(static_cast<uint64_t>(m_options.maxRegisters));
  for (const BlockWish &wish : options.blockWishes)
    builder.add(static_cast<uint64_t>(wish.blocks));
  builder.add(static_cast<uint64_t>(options.full.blocks));
  for (const std::string &option : m_options.assemblerOptions)
    builder.add(option);
  const ContentKey key = builder.key();
  begin(StageId::Cubin);
  if (std::shared_ptr<const AssembledStage> cached = m_state.assembled.find(key)) {
    takeResources(cached->resources);
    Stage stage = cached->stage;
    stage.cached = true;
    publish(std::move(stage));
    return !stopped();
  }
  options.target = m_options.target;
  options.fpFusion = m_options.fpFusion;
  options.maxRegisters = m_options.maxRegisters;
  options.extra = m_options.assemblerOptions;
  step(StageId::Cubin, "assemble");
  Result<AssembledCode> code = assemblePtx(m_state.toolkit, ptx, options);
  Stage stage;
  stage.id = StageId::Cubin;
  if (!code) {
    report(DiagnosticKind::ToolMissing, Severity::Error, code.error().message, {code.error().hint});
  } else {
    reportAssemblerErrors(code->errors, code->outOfResources);
    stage.ok = !code->cubin.empty();
    stage.text = std::move(code->cubin);
    takeResources(code->resources);
  }
  const bool ok = stage.ok;
  finish(std::move(stage));
  if (ok)
    m_state.assembled.insert(key, {m_result.stages.back(), code->resources},
                             m_result.stages.back().text.size() + 256);
  return ok && !stopped();
}

bool Compilation::makeSass() {
  if (m_state.toolkit.nvdisasm.empty()) {
    report(DiagnosticKind::ToolMissing, Severity::Note, "no SASS: `nvdisasm` was not found",
           {"the CUDA Toolkit provides it (set CUDA_HOME or TILESCOPE_NVDISASM)"});
    return false;
  }
  const std::string &cubin = m_result.stage(StageId::Cubin)->text;
  const SourceMap &ptxMap = m_result.stage(StageId::Ptx)->sourceMap;
  const ContentKey key = KeyBuilder().add(cubin).key();
  begin(StageId::Sass);
  Stage stage;
  stage.id = StageId::Sass;
  if (std::shared_ptr<const DisassembledStage> cached = m_state.disassembled.find(key)) {
    stage.ok = stage.cached = true;
    stage.text = cached->text;
    stage.sourceMap = sassSourceMap(cached->ptxLines, ptxMap);
    stage.durationNs = cached->durationNs;
    publish(std::move(stage));
    return true;
  }
  step(StageId::Sass, "disassemble");
  Result<Disassembly> code = disassemble(m_state.toolkit, cubin, kDisassembleTimeout);
  if (!code) {
    report(DiagnosticKind::ToolMissing, Severity::Note, code.error().message, {code.error().hint});
    return false;
  }
  stage.ok = true;
  stage.text = code->text;
  stage.sourceMap = sassSourceMap(code->ptxLines, ptxMap);
  finish(std::move(stage));
  const Stage &finished = m_result.stages.back();
  const size_t size = finished.text.size() + 4 * code->ptxLines.size();
  m_state.disassembled.insert(key, {finished.text, code->ptxLines, finished.durationNs}, size);
  return true;
}

} // namespace tilescope::compiler
