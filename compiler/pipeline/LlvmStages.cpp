// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/artifacts/DebugPath.h"
#include "compiler/pipeline/Compilation.h"
#include "compiler/pipeline/IrText.h"
#include "compiler/pipeline/MlirDiagnostics.h"
#include "compiler/pipeline/PtxSourceMap.h"

#include "llvm/AsmParser/AsmParserContext.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/DIBuilder.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Target/TargetMachine.h"
#include "mlir/Target/LLVMIR/Export.h"

namespace tilescope::compiler {

/// An LLVM context whose errors become diagnostics instead of ending the process.
static std::unique_ptr<llvm::LLVMContext> makeLlvmContext(std::vector<Diagnostic> &diagnostics) {
  auto context = std::make_unique<llvm::LLVMContext>();
  context->setDiagnosticHandlerCallBack(
      [](const llvm::DiagnosticInfo *info, void *sink) {
        if (info->getSeverity() != llvm::DS_Error)
          return;
        Diagnostic diagnostic;
        diagnostic.kind = DiagnosticKind::PassFailed;
        llvm::raw_string_ostream stream(diagnostic.message);
        llvm::DiagnosticPrinterRawOStream printer(stream);
        info->print(printer);
        static_cast<std::vector<Diagnostic> *>(sink)->push_back(std::move(diagnostic));
      },
      &diagnostics);
  return context;
}

static CodegenOptions codegenOptions(const KernelOptions &options, const CudaToolkit &toolkit) {
  CodegenOptions codegen;
  codegen.target = options.target;
  codegen.ptxVersion =
      choosePtxVersion(options.target, toolkit.assemblerMajor, toolkit.assemblerMinor);
  codegen.fpFusion = options.fpFusion;
  codegen.flushDenormalsInLibdevice = options.flushDenormalsInLibdevice;
  return codegen;
}

/// Gives every instruction the place where it stands in the document.
static void locateInDocument(llvm::Module &module, const llvm::AsmParserContext &parsed,
                             const std::string &path, FileTable &files) {
  llvm::DIBuilder builder(module, false);
  const std::string encoded = encodeDebugPath(path);
  llvm::DIFile *file =
      builder.createFile(llvm::sys::path::filename(encoded), llvm::sys::path::parent_path(encoded));
  builder.createCompileUnit(llvm::DISourceLanguageName(llvm::dwarf::DW_LANG_C), file, "tilescope",
                            true, "", 0, "", llvm::DICompileUnit::DebugDirectivesOnly);
  llvm::DISubroutineType *type = builder.createSubroutineType(builder.getOrCreateTypeArray({}));
  for (llvm::Function &function : module) {
    const auto place = parsed.getFunctionLocation(&function);
    if (function.isDeclaration() || !place)
      continue;
    const unsigned line = place->Start.Line + 1;
    llvm::DISubprogram *scope = builder.createFunction(
        file, function.getName(), function.getName(), file, line, type, line,
        llvm::DINode::FlagZero,
        llvm::DISubprogram::SPFlagDefinition | llvm::DISubprogram::SPFlagOptimized);
    function.setSubprogram(scope);
    for (llvm::BasicBlock &block : function)
      for (llvm::Instruction &instruction : block)
        if (const auto at = parsed.getInstructionLocation(&instruction))
          instruction.setDebugLoc(
              llvm::DILocation::get(module.getContext(), at->Start.Line + 1,
                                    files.wholeLine(0, at->Start.Line).begin.column + 1, scope));
  }
  builder.finalize();
  module.addModuleFlag(llvm::Module::Warning, "Debug Info Version", llvm::DEBUG_METADATA_VERSION);
}

static std::string signatureType(llvm::Type *type) {
  if (type->isPointerTy())
    return "*i8";
  if (type->isIntegerTy())
    return (type->isIntegerTy(1) ? "u" : "i") + std::to_string(type->getIntegerBitWidth());
  if (type->isBFloatTy())
    return "bf16";
  if (type->isFloatingPointTy())
    return "fp" + std::to_string(type->getPrimitiveSizeInBits().getFixedValue());
  std::string text;
  llvm::raw_string_ostream(text) << *type;
  return text;
}

/// Names the kernel of a document that is LLVM IR, and what its text says about launching it.
void Compilation::describeLlvmKernel() {
  const std::string name = kernelSymbol(*m_llvmModule);
  const llvm::Function *kernel = m_llvmModule->getFunction(name);
  if (kernel == nullptr)
    return;
  m_result.kernels = {name};
  unsigned threads = 0;
  const llvm::StringRef required = kernel->getFnAttribute("nvvm.reqntid").getValueAsString();
  if (!required.split(',').first.getAsInteger(10, threads) && threads > 0)
    m_options.numWarps = static_cast<int>((threads + 31) / 32);
  std::vector<KernelParameter> parameters;
  for (const llvm::Argument &argument : kernel->args())
    parameters.push_back({argument.hasName() ? argument.getName().str()
                                             : "arg" + std::to_string(argument.getArgNo()),
                          signatureType(argument.getType())});
  takeDocumentKernel(name, std::move(parameters), true);
}

bool Compilation::importLlvmIr() {
  // The same ending serves both textual forms of this stage.
  if (m_request.text.find("llvm.func") != std::string::npos) {
    if (!importMlir(StageId::LlvmIr))
      return false;
    return !wants(StageId::Ptx) || (runDebugScopes() && translateToLlvm() && optimiseLlvm(true));
  }
  begin(StageId::LlvmIr);
  m_llvmContext = makeLlvmContext(m_result.diagnostics);
  llvm::SMDiagnostic error;
  llvm::AsmParserContext parsed;
  m_llvmModule = llvm::parseAssembly(
      llvm::MemoryBufferRef(m_request.text, m_request.path), error, *m_llvmContext, nullptr,
      [](llvm::StringRef, llvm::StringRef) { return std::nullopt; }, &parsed);
  Stage stage;
  stage.id = StageId::LlvmIr;
  stage.ok = m_llvmModule != nullptr;
  stage.text = m_request.text;
  stage.sourceMap = identityMap(m_request.text, m_files);
  if (stage.ok) {
    if (m_llvmModule->debug_compile_units().empty())
      locateInDocument(*m_llvmModule, parsed, m_request.path, m_files);
    describeLlvmKernel();
  } else {
    report(DiagnosticKind::IrInvalid, Severity::Error, error.getMessage().str());
    const int line = error.getLineNo() > 0 ? error.getLineNo() - 1 : 0;
    const int column = error.getColumnNo() > 0 ? error.getColumnNo() : 0;
    m_result.diagnostics.back().range =
        m_files.restOfLine(0, {static_cast<uint32_t>(line), static_cast<uint32_t>(column)});
  }
  const bool ok = stage.ok;
  finish(std::move(stage));
  return ok && !stopped() && (!wants(StageId::Ptx) || optimiseLlvm(false));
}

bool Compilation::translateToLlvm() {
  step(StageId::LlvmIr, "translate-to-llvm-ir");
  const Clock::time_point start = Clock::now();
  DiagnosticCollector collector(*m_state.context, DiagnosticKind::PassFailed, m_files,
                                m_result.diagnostics);
  m_llvmContext = makeLlvmContext(m_result.diagnostics);
  m_llvmModule = mlir::translateModuleToLLVMIR(*m_module, *m_llvmContext);
  if (m_llvmModule != nullptr) {
    const auto spent = std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - start);
    m_result.passes.push_back(
        {StageId::LlvmIr, "translate-to-llvm-ir", spent.count(), true, false, "", {}});
    if (m_request.recordPassIr)
      keepIr(m_result.passes.back(), printLlvmIr(*m_llvmModule, m_files, m_index));
    return true;
  }
  if (!collector.hasErrors())
    report(DiagnosticKind::PassFailed, Severity::Error,
           "the LLVM dialect cannot be translated to LLVM IR");
  finishMlirStage(StageId::LlvmIr, false);
  return false;
}

/// Links libdevice and runs O3. `runPasses` is false when the document is LLVM IR: then it stays as
/// it is, and only what code generation needs is done.
bool Compilation::optimiseLlvm(bool runPasses) {
  const CodegenOptions options = codegenOptions(m_options, m_state.toolkit);
  m_machine = createTargetMachine(options);
  prepareModule(*m_llvmModule, *m_machine, options);

  const auto record = [&](const char *name, Clock::time_point start) {
    const auto spent = std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - start);
    m_result.passes.push_back({StageId::LlvmIr, name, spent.count(), true, false, "", {}});
    if (m_request.recordPassIr)
      keepIr(m_result.passes.back(), printLlvmIr(*m_llvmModule, m_files, m_index));
  };
  bool linked = true;
  if (!unresolvedLibdeviceFunctions(*m_llvmModule).empty()) {
    step(StageId::LlvmIr, "link-libdevice");
    const Clock::time_point start = Clock::now();
    if (Status status = m_state.libdevice.linkInto(*m_llvmModule)) {
      report(status->code == ErrorCode::Environment ? DiagnosticKind::ToolMissing
                                                    : DiagnosticKind::PassFailed,
             Severity::Error, status->message, {status->hint});
      linked = false;
    } else {
      prepareModule(*m_llvmModule, *m_machine, options);
      record("link-libdevice", start);
    }
  }
  if (linked && runPasses) {
    step(StageId::LlvmIr, "llvm-o3");
    const Clock::time_point start = Clock::now();
    optimizeModule(*m_llvmModule, *m_machine, options);
    record("llvm-o3", start);
  }
  if (!m_entryIsIr || m_request.entry != StageId::LlvmIr) {
    IrText text = printLlvmIr(*m_llvmModule, m_files, m_index);
    Stage stage;
    stage.id = StageId::LlvmIr;
    stage.ok = linked;
    stage.text = std::move(text.text);
    stage.sourceMap = std::move(text.sourceMap);
    finish(std::move(stage));
  }
  return linked && !stopped();
}

/// The instruction that holds this assembly.
static const llvm::Instruction *findAssembly(const llvm::Module &module, std::string_view text) {
  for (const llvm::Function &function : module)
    for (const llvm::Instruction &instruction : llvm::instructions(function)) {
      const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      const auto *assembly =
          call ? llvm::dyn_cast<llvm::InlineAsm>(call->getCalledOperand()) : nullptr;
      if (assembly && std::string_view(assembly->getAsmString()) == text)
        return &instruction;
    }
  return nullptr;
}

/// LLVM gives no place for what is wrong with inline assembly, but quotes it.
static void placeAssembly(const llvm::Module &module, llvm::MutableArrayRef<Diagnostic> diagnostics,
                          FileTable &files) {
  for (Diagnostic &diagnostic : diagnostics) {
    const std::string_view message = diagnostic.message;
    const size_t begin = message.find('\''), end = message.rfind('\'');
    if (message.find("inline asm") == message.npos || begin >= end)
      continue;
    const llvm::Instruction *at = findAssembly(module, message.substr(begin + 1, end - begin - 1));
    const llvm::DILocation *location = at ? at->getDebugLoc().get() : nullptr;
    const int32_t file = location ? files.indexOfName(decodeDebugPath(
                                        llvm::sys::path::filename(location->getFilename()).str()))
                                  : -1;
    if (file >= 0 && location->getLine() > 0)
      diagnostic.range =
          files.restOfLine(static_cast<uint32_t>(file),
                           {location->getLine() - 1, std::max(location->getColumn(), 1U) - 1});
  }
}

bool Compilation::makePtx() {
  begin(StageId::Ptx);
  const std::string kernel = kernelSymbol(*m_llvmModule);
  if (kernel.empty())
    report(DiagnosticKind::IrInvalid, Severity::Error, "no kernel in the LLVM IR",
           {"a kernel has the calling convention `ptx_kernel`"});
  m_result.metadata.name = kernel;
  m_result.metadata.target = m_result.target;
  step(StageId::Ptx, "nvptx-codegen");
  const Clock::time_point start = Clock::now();
  Stage stage;
  stage.id = StageId::Ptx;
  const size_t numDiagnostics = m_result.diagnostics.size();
  if (!kernel.empty())
    stage.text = emitPtx(*m_llvmModule, *m_machine);
  placeAssembly(*m_llvmModule,
                llvm::MutableArrayRef(m_result.diagnostics).drop_front(numDiagnostics), m_files);
  const auto spent = std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - start);
  m_result.passes.push_back(
      {StageId::Ptx, "nvptx-codegen", spent.count(), true, stage.text.empty(), "", {}});
  stage.sourceMap = ptxSourceMap(stage.text, m_files, m_index);
  if (m_request.recordPassIr)
    keepIr(m_result.passes.back(), {stage.text, stage.sourceMap});
  stage.ok = !stage.text.empty() && !hasErrors();
  if (stage.text.empty() && !hasErrors())
    report(DiagnosticKind::PassFailed, Severity::Error, "LLVM wrote no PTX");
  const bool ok = stage.ok;
  finish(std::move(stage));
  return ok && !stopped();
}

} // namespace tilescope::compiler
