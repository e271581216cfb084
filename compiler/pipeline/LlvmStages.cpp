// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/artifacts/DebugPath.h"
#include "compiler/pipeline/Compilation.h"
#include "compiler/pipeline/DocumentChecks.h"
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
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Target/TargetMachine.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Target/LLVMIR/Export.h"

#include <exception>

namespace tilescope::compiler {

/// The file that debug information names; -1 when it names none that is known.
static int32_t fileOf(llvm::StringRef debugPath, FileTable &files) {
  return files.indexOfName(decodeDebugPath(llvm::sys::path::filename(debugPath).str()));
}

/// Where the debug information places an instruction; an empty range when it does not.
static SourceRange placeOf(const llvm::DILocation *location, FileTable &files) {
  const int32_t file = location ? fileOf(location->getFilename(), files) : -1;
  return file >= 0 && location->getLine() > 0
             ? files.restOfLine(static_cast<uint32_t>(file),
                                {location->getLine() - 1, std::max(location->getColumn(), 1U) - 1})
             : SourceRange();
}

/// Where the debug information places a function.
static SourceRange placeOf(const llvm::DISubprogram *scope, FileTable &files) {
  const int32_t file = scope ? fileOf(scope->getFilename(), files) : -1;
  return file >= 0 && scope->getLine() > 0
             ? files.wholeLine(static_cast<uint32_t>(file), scope->getLine() - 1)
             : SourceRange();
}

static SourceRange placeOf(const LlvmFault &fault, FileTable &files) {
  const llvm::DILocation *location =
      fault.instruction ? fault.instruction->getDebugLoc().get() : nullptr;
  if (location != nullptr)
    return placeOf(location, files);
  return placeOf(fault.function ? fault.function->getSubprogram() : nullptr, files);
}

void Compilation::takeLlvmError(const llvm::DiagnosticInfo &info) {
  if (info.getSeverity() != llvm::DS_Error)
    return;
  std::string message;
  llvm::raw_string_ostream stream(message);
  llvm::DiagnosticPrinterRawOStream printer(stream);
  info.print(printer);
  report(DiagnosticKind::PassFailed, Severity::Error, std::move(message));
  if (const auto *assembly = llvm::dyn_cast<llvm::DiagnosticInfoInlineAsm>(&info))
    if (const llvm::Instruction *at = assembly->getInstruction())
      m_result.diagnostics.back().range = placeOf(at->getDebugLoc().get(), m_files);
}

/// Its errors become diagnostics instead of ending the process.
void Compilation::makeLlvmContext() {
  m_llvmContext = std::make_unique<llvm::LLVMContext>();
  m_llvmContext->setDiagnosticHandlerCallBack(
      [](const llvm::DiagnosticInfo *info, void *compilation) {
        static_cast<Compilation *>(compilation)->takeLlvmError(*info);
      },
      this);
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

/// Sets the location of every instruction to its place in the document.
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

static SourceRange placeInDocument(const LlvmFault &fault, const llvm::AsmParserContext &parsed,
                                   FileTable &files) {
  auto place = fault.instruction ? parsed.getInstructionLocation(fault.instruction) : std::nullopt;
  if (!place && fault.function)
    place = parsed.getFunctionLocation(fault.function);
  return place ? files.wholeLine(0, place->Start.Line) : SourceRange();
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

std::string Compilation::chosenLlvmKernel(const std::string &wanted) const {
  const std::vector<std::string> kernels = kernelSymbols(*m_llvmModule);
  if (kernels.empty())
    return {};
  return std::ranges::find(kernels, wanted) != kernels.end() ? wanted : kernels.front();
}

/// Names the kernel of a document that is LLVM IR, and what its text says about launching it.
void Compilation::describeLlvmKernel() {
  const std::string name = chosenLlvmKernel(m_request.selection.kernel);
  if (name.empty())
    return reportNoKernel("a kernel has the calling convention `ptx_kernel` and a body");
  const llvm::Function *kernel = m_llvmModule->getFunction(name);
  m_result.kernels = kernelSymbols(*m_llvmModule);
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
  makeLlvmContext();
  llvm::SMDiagnostic error;
  llvm::AsmParserContext parsed;
  // LLVM is built without exceptions, but the standard library throws in it: at a constraint of
  // inline assembly that has a negative length, for one.
  try {
    m_llvmModule = llvm::parseAssembly(
        llvm::MemoryBufferRef(m_request.text, m_request.path), error, *m_llvmContext, nullptr,
        [](llvm::StringRef, llvm::StringRef) { return std::nullopt; }, &parsed);
  } catch (const std::exception &) {
    error =
        llvm::SMDiagnostic(m_request.path, llvm::SourceMgr::DK_Error, "LLVM cannot read this text");
    // What was read so far is in no state to be destroyed.
    (void)m_llvmContext.release();
    makeLlvmContext();
  }
  std::optional<LlvmFault> fault;
  if (m_llvmModule != nullptr)
    fault = checkLlvmModule(*m_llvmModule);
  if (fault) {
    report(DiagnosticKind::IrInvalid, Severity::Error, fault->message);
    m_result.diagnostics.back().range = placeInDocument(*fault, parsed, m_files);
  } else if (m_llvmModule != nullptr) {
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
  const bool ok = m_llvmModule != nullptr && !hasErrors();
  finish(documentStage(StageId::LlvmIr, ok));
  return ok && !stopped() && (!wants(StageId::Ptx) || optimiseLlvm(false));
}

/// LLVM reads a length behind `@` without looking whether it is one.
static bool hasReadableConstraints(mlir::ModuleOp module) {
  const mlir::WalkResult walked = module->walk([](mlir::LLVM::InlineAsmOp assembly) {
    if (!assembly.getConstraints().contains('@'))
      return mlir::WalkResult::advance();
    assembly.emitError("inline assembly has no constraints with `@` on a GPU: \"")
        << assembly.getConstraints() << "\"";
    return mlir::WalkResult::interrupt();
  });
  return !walked.wasInterrupted();
}

bool Compilation::translateToLlvm() {
  step(StageId::LlvmIr, "translate-to-llvm-ir");
  const Clock::time_point start = Clock::now();
  DiagnosticCollector collector(*m_state.context, DiagnosticKind::PassFailed, m_files,
                                m_result.diagnostics);
  makeLlvmContext();
  if (hasReadableConstraints(*m_module))
    // Verified below, where faults have places.
    m_llvmModule = mlir::translateModuleToLLVMIR(*m_module, *m_llvmContext, "LLVMDialectModule",
                                                 /*disableVerification=*/true);
  if (m_llvmModule != nullptr) {
    const auto spent = std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - start);
    const std::optional<LlvmFault> fault = checkLlvmModule(*m_llvmModule);
    m_result.passes.push_back(
        {StageId::LlvmIr, "translate-to-llvm-ir", spent.count(), true, fault.has_value(), "", {}});
    if (!fault && m_request.recordPassIr)
      keepIr(m_result.passes.back(), printLlvmIr(*m_llvmModule, m_files, m_index));
    if (!fault)
      return true;
    report(DiagnosticKind::PassFailed, Severity::Error, fault->message);
    m_result.diagnostics.back().range = placeOf(*fault, m_files);
  } else if (!collector.hasErrors()) {
    report(DiagnosticKind::PassFailed, Severity::Error,
           "the LLVM dialect cannot be translated to LLVM IR");
  }
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
    if (Status status = m_state.libdevice.linkInto(*m_llvmModule); !status) {
      report(status.error().code == ErrorCode::Environment ? DiagnosticKind::ToolMissing
                                                           : DiagnosticKind::PassFailed,
             Severity::Error, status.error().message, {status.error().hint});
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

/// LLVM states no place for what is wrong with inline assembly, but quotes it.
static void placeAssembly(const llvm::Module &module, llvm::MutableArrayRef<Diagnostic> diagnostics,
                          FileTable &files) {
  for (Diagnostic &diagnostic : diagnostics) {
    const std::string_view message = diagnostic.message;
    const size_t begin = message.find('\''), end = message.rfind('\'');
    if (message.find("inline asm") == message.npos || begin >= end)
      continue;
    const llvm::Instruction *at = findAssembly(module, message.substr(begin + 1, end - begin - 1));
    if (at != nullptr)
      diagnostic.range = placeOf(at->getDebugLoc().get(), files);
  }
}

bool Compilation::makePtx() {
  begin(StageId::Ptx);
  std::string kernel = chosenLlvmKernel(m_result.kernel);
  if (kernel.empty())
    report(DiagnosticKind::IrInvalid, Severity::Error, "no kernel in the LLVM IR",
           {"a kernel has the calling convention `ptx_kernel`"});
  if (const std::optional<LlvmFault> fault = findUnspeakableName(*m_llvmModule)) {
    report(DiagnosticKind::IrInvalid, Severity::Error, fault->message);
    m_result.diagnostics.back().range = placeOf(*fault, m_files);
    kernel.clear();
  }
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
