// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/Compiler.h"

#include "compiler/pipeline/Compilation.h"
#include "compiler/pipeline/Dialects.h"
#include "compiler/target/Nvptx.h"

namespace tilescope::compiler {

static constexpr size_t kParsedCacheBytes = size_t{32} << 20;
/// Enough for some hundred compilations of an ordinary kernel.
static constexpr size_t kLoweredCacheBytes = size_t{48} << 20;
static constexpr size_t kMachineCacheBytes = size_t{24} << 20;
/// Attributes, types and locations are never freed while their context lives; this many
/// compilations of changing text leave some 100 MB behind.
static constexpr int kCompilationsPerContext = 400;

Compiler::State::State(CudaToolkit found)
    : toolkit(std::move(found)), libdevice(toolkit.libdevice), parsed(kParsedCacheBytes),
      lowered(kLoweredCacheBytes), assembled(kMachineCacheBytes), disassembled(kMachineCacheBytes),
      nativeKernels(kMachineCacheBytes) {
  initializeNvptx();
  makeContext();
}

void Compiler::State::makeContext() {
  ttirPasses.reset();
  ttirs.clear();
  mlir::DialectRegistry registry;
  registerDialects(registry);
  context = std::make_unique<mlir::MLIRContext>(registry, mlir::MLIRContext::Threading::DISABLED);
  // The stage shows the operation already.
  context->printOpOnDiagnostic(false);
  context->loadAllAvailableDialects();
  compilations = 0;
}

Compiler::Compiler(CudaToolkit toolkit) : m_state(std::make_unique<State>(std::move(toolkit))) {}
Compiler::~Compiler() = default;

CompileOutcome Compiler::compile(const CompileRequest &request, const CompileHooks &hooks) {
  ++m_state->compilations;
  CompileJob job(*m_state, request, hooks);
  makeStages(job);
  return {job.takeResult(), std::move(job.conversionPasses), job.cancelled};
}

void Compiler::keepCodeIn(std::string folder) { m_state->code = CodeFolder(std::move(folder)); }

const CudaToolkit &Compiler::toolkit() const { return m_state->toolkit; }

void Compiler::trim() {
  if (m_state->compilations >= kCompilationsPerContext)
    m_state->makeContext();
}

} // namespace tilescope::compiler
