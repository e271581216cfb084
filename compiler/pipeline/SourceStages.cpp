// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/dialects/tt/ir/Dialect.h"
#include "compiler/frontend/Frontend.h"
#include "compiler/pipeline/Compilation.h"
#include "compiler/pipeline/IrText.h"
#include "compiler/pipeline/MlirDiagnostics.h"
#include "compiler/pipeline/PtxSourceMap.h"
#include "compiler/syntax/Parser.h"

#include "llvm/Support/SourceMgr.h"
#include "llvm/Target/TargetMachine.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/AsmParser/AsmParserState.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Parser/Parser.h"

#include <algorithm>

namespace tilescope::compiler {

/// Makes the document the place that every operation comes from; the place that the text itself
/// names (`loc(…)`) stays as the second.
static void locateInDocument(const mlir::AsmParserState &parsed, llvm::SourceMgr &sources,
                             mlir::MLIRContext &context, llvm::StringRef path, FileTable &files) {
  for (const mlir::AsmParserState::OperationDefinition &definition : parsed.getOpDefs()) {
    const unsigned line = sources.getLineAndColumn(definition.loc.Start).first;
    const unsigned column = files.wholeLine(0, line - 1).begin.column + 1;
    const mlir::Location document = mlir::FileLineColLoc::get(&context, path, line, column);
    const mlir::Location own = definition.op->getLoc();
    auto place = llvm::dyn_cast<mlir::FileLineColRange>(mlir::LocationAttr(own));
    const bool isDocument = place && place.getFilename() == path;
    const bool isUnknown = llvm::isa<mlir::UnknownLoc>(mlir::LocationAttr(own));
    definition.op->setLoc(isDocument || isUnknown ? document
                                                  : mlir::FusedLoc::get(&context, {document, own}));
  }
}

bool Compilation::importMlir(StageId id) {
  begin(id);
  mlir::MLIRContext &context = *m_state.context;
  DiagnosticCollector collector(context, DiagnosticKind::IrInvalid, m_files, m_result.diagnostics);
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(m_request.text, m_request.path),
                             llvm::SMLoc());
  mlir::Block block;
  mlir::AsmParserState parsed;
  const mlir::ParserConfig config(&context);
  if (mlir::succeeded(mlir::parseAsmSourceFile(sources, &block, config, &parsed))) {
    locateInDocument(parsed, sources, context, m_request.path, m_files);
    if (block.getOperations().size() == 1 && mlir::isa<mlir::ModuleOp>(block.front())) {
      m_module = mlir::cast<mlir::ModuleOp>(block.front());
      m_module->getOperation()->remove();
    } else {
      // A file may leave the module out.
      m_module = mlir::ModuleOp::create(mlir::FileLineColLoc::get(&context, m_request.path, 1, 1));
      m_module->getBody()->getOperations().splice(m_module->getBody()->begin(),
                                                  block.getOperations());
    }
    if (mlir::failed(mlir::verify(*m_module)))
      m_module = {};
  }
  Stage stage;
  stage.id = id;
  stage.ok = m_module && !hasErrors();
  stage.text = m_request.text;
  stage.sourceMap = identityMap(m_request.text, m_files);
  if (stage.ok) {
    indexRanges(*m_module, m_files, m_index);
    describeKernel();
  }
  const bool ok = stage.ok;
  finish(std::move(stage));
  return ok && !stopped();
}

/// The type in Triton's notation; what a signature cannot say is named as IR names it.
static std::string signatureType(mlir::Type type) {
  if (auto pointer = llvm::dyn_cast<tt::PointerType>(type))
    return "*" + signatureType(pointer.getPointeeType());
  if (llvm::isa<mlir::LLVM::LLVMPointerType>(type))
    return "*i8";
  if (auto integer = llvm::dyn_cast<mlir::IntegerType>(type))
    return (integer.getWidth() == 1 ? "u" : "i") + std::to_string(integer.getWidth());
  if (type.isF16() || type.isF32() || type.isF64())
    return "fp" + std::to_string(type.getIntOrFloatBitWidth());
  if (type.isBF16())
    return "bf16";
  if (llvm::isa<mlir::Float8E5M2Type>(type))
    return "fp8e5";
  if (llvm::isa<mlir::Float8E4M3FNType>(type))
    return "fp8e4nv";
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

/// Names the kernel of a document that is IR, and what its text says about launching it.
void Compilation::describeKernel() {
  mlir::FunctionOpInterface kernel;
  m_module->walk([&](mlir::FunctionOpInterface function) {
    const bool isDevice = function->hasAttr("noinline") || function.isPrivate();
    if (function.isExternal() || isDevice)
      return;
    m_result.kernels.push_back(function.getName().str());
    if (!kernel || function.getName() == m_request.selection.kernel)
      kernel = function;
  });
  if (!kernel)
    return;
  m_result.kernel = kernel.getName().str();
  KernelMetadata &metadata = m_result.metadata;
  metadata.name = m_result.kernel;
  metadata.target = m_result.target;
  metadata.numWarps = m_options.numWarps;
  metadata.numStages = m_options.numStages;
  if (auto warps = (*m_module)->getAttrOfType<mlir::IntegerAttr>("ttg.num-warps"))
    metadata.numWarps = static_cast<int32_t>(warps.getInt());
  // In the LLVM dialect the two scratch pointers are parameters already.
  size_t numParameters = kernel.getNumArguments();
  if (llvm::isa<mlir::LLVM::LLVMFuncOp>(kernel.getOperation()))
    numParameters -= std::min<size_t>(numParameters, 2);
  for (size_t i = 0; i < numParameters; ++i)
    metadata.parameters.push_back(
        {"arg" + std::to_string(i), signatureType(kernel.getArgumentTypes()[i])});
}

/// The document's syntax tree; its errors end the compilation when the kernel cannot be built on
/// it.
bool Compilation::makeAst() {
  begin(StageId::Ast);
  m_tree = ast::parseModule(m_request.text);
  m_result.diagnostics.insert(m_result.diagnostics.end(), m_tree->diagnostics.begin(),
                              m_tree->diagnostics.end());
  ast::AstDump dump = ast::dumpAst(*m_tree->module);
  Stage stage;
  stage.id = StageId::Ast;
  stage.ok = !m_tree->hasErrors();
  stage.text = std::move(dump.text);
  stage.sourceMap = std::move(dump.sourceMap);
  m_result.kernels = launchableKernels(*m_tree);
  finish(std::move(stage));
  return !stopped();
}

bool Compilation::makeTtir() {
  begin(StageId::Ttir);
  step(StageId::Ttir, "frontend");
  CompileRequest request = m_request;
  request.selection.target = m_result.target;
  const Clock::time_point start = Clock::now();
  EmittedModule emitted = emitTtir(*m_state.context, request, m_tree, m_hooks.stop);
  const auto spent = std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - start);
  m_cancelled |= emitted.cancelled;
  const bool ok = emitted.module && !emitted.cancelled;
  m_result.passes.push_back({StageId::Ttir, "frontend", spent.count(), true, !ok, "", {}});
  takeEmitted(emitted);
  if (m_cancelled)
    return false;
  if (!ok || !runStagePasses(StageId::Ttir)) {
    if (!m_cancelled)
      finishMlirStage(StageId::Ttir, false);
    return false;
  }
  indexRanges(*m_module, m_files, m_index);
  finishMlirStage(StageId::Ttir, true);
  return !stopped();
}

/// What the frontend found out about the document and the chosen kernel.
void Compilation::takeEmitted(EmittedModule &emitted) {
  m_module = std::move(emitted.module);
  m_files = FileTable(std::move(emitted.files));
  if (m_files.files().empty())
    m_files = FileTable({{m_request.path, m_request.text}});
  // The syntax errors are known from the stage before.
  for (Diagnostic &diagnostic : emitted.diagnostics)
    if (std::find(m_result.diagnostics.begin(), m_result.diagnostics.end(), diagnostic) ==
        m_result.diagnostics.end())
      m_result.diagnostics.push_back(std::move(diagnostic));
  m_result.values = std::move(emitted.values);
  m_result.kernel = std::move(emitted.kernel);
  m_result.kernels = std::move(emitted.kernels);
  m_result.signature = std::move(emitted.signature);
  m_result.constexprs = std::move(emitted.constexprs);
  if (!emitted.options.empty())
    m_result.options = std::move(emitted.options);
  m_result.assumptions = std::move(emitted.assumptions);
  KernelMetadata &metadata = m_result.metadata;
  metadata.name = m_result.kernel;
  metadata.target = m_result.target;
  metadata.numWarps = m_options.numWarps;
  metadata.numStages = m_options.numStages;
  metadata.numCtas = m_options.numCtas;
  metadata.parameters = std::move(emitted.parameters);
}

bool Compilation::importPtx() {
  begin(StageId::Ptx);
  Stage stage;
  stage.id = StageId::Ptx;
  stage.text = m_request.text;
  stage.sourceMap = identityMap(m_request.text, m_files);
  constexpr std::string_view kEntry = ".entry ";
  const size_t at = stage.text.find(kEntry);
  stage.ok = at != std::string::npos;
  if (stage.ok) {
    const size_t begin = at + kEntry.size();
    m_result.kernel = stage.text.substr(begin, stage.text.find_first_of(" (\n\t", begin) - begin);
    m_result.kernels = {m_result.kernel};
    m_result.metadata.name = m_result.kernel;
    m_result.metadata.target = m_result.target;
  } else {
    report(DiagnosticKind::IrInvalid, Severity::Error, "no `.entry` function in the PTX");
  }
  const bool ok = stage.ok;
  finish(std::move(stage));
  return ok && !stopped();
}

} // namespace tilescope::compiler
