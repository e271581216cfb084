// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/artifacts/CpuTarget.h"
#include "compiler/native/OptimizeNative.h"
#include "compiler/native/Processor.h"
#include "compiler/pipeline/AsmConstraints.h"
#include "compiler/pipeline/DocumentChecks.h"
#include "compiler/pipeline/IrText.h"
#include "compiler/pipeline/LlvmPlaces.h"
#include "compiler/pipeline/MlirDiagnostics.h"
#include "compiler/pipeline/PtxSourceMap.h"
#include "compiler/pipeline/Stages.h"
#include "compiler/target/Nvptx.h"
#include "compiler/types/SignatureType.h"

#include "llvm/AsmParser/AsmParserContext.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Support/SourceMgr.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Target/LLVMIR/Export.h"

#include <algorithm>
#include <exception>

namespace tilescope::compiler {

static void takeLlvmError(CompileJob &job, const llvm::DiagnosticInfo &info) {
  if (info.getSeverity() != llvm::DS_Error)
    return;
  std::string message;
  llvm::raw_string_ostream stream(message);
  llvm::DiagnosticPrinterRawOStream printer(stream);
  info.print(printer);
  Diagnostic &diagnostic =
      job.report(DiagnosticKind::PassFailed, Severity::Error, std::move(message));
  if (const auto *assembly = llvm::dyn_cast<llvm::DiagnosticInfoInlineAsm>(&info))
    if (const llvm::Instruction *at = assembly->getInstruction())
      diagnostic.range = placeOf(at->getDebugLoc().get(), job.files);
}

/// Its errors become diagnostics of the job instead of ending the process.
static std::unique_ptr<llvm::LLVMContext> makeLlvmContext(CompileJob &job) {
  auto context = std::make_unique<llvm::LLVMContext>();
  context->setDiagnosticHandlerCallBack(
      [](const llvm::DiagnosticInfo *info, void *job) {
        takeLlvmError(*static_cast<CompileJob *>(job), *info);
      },
      &job);
  return context;
}

/// Of a pass that ended now.
static void recordLlvmPass(CompileJob &job, const LlvmKernel &kernel, const char *name,
                           CompileJob::Clock::time_point start) {
  PassRecord &record = job.addPass(StageId::LlvmIr, name, start, false);
  if (job.request.recordPassIr)
    keepIr(record, printLlvmIr(*kernel.module, job.files, kernel.facts.index));
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

static SourceRange placeInDocument(const LlvmFault &fault, const llvm::AsmParserContext &parsed,
                                   FileTable &files) {
  auto place = fault.instruction ? parsed.getInstructionLocation(fault.instruction) : std::nullopt;
  if (!place && fault.function)
    place = parsed.getFunctionLocation(fault.function);
  return place ? files.wholeLine(0, place->Start.Line) : SourceRange();
}

/// Nothing for what a signature cannot say. Integers count as signed, as in all IR.
static std::optional<ScalarType> scalarOf(const llvm::Type &type) {
  if (type.isPointerTy())
    return ScalarType{ScalarKind::Int8}.pointerTo();
  if (type.isBFloatTy())
    return ScalarType{ScalarKind::Bf16};
  for (const ScalarInfo &info : kScalars) {
    const bool isInteger =
        info.category == ScalarClass::Bool || info.category == ScalarClass::Signed;
    const bool isFloat = info.category == ScalarClass::Floating && info.bits > 8;
    if ((isInteger && type.isIntegerTy(info.bits)) ||
        (isFloat && type.isIEEELikeFPTy() &&
         type.getPrimitiveSizeInBits().getFixedValue() == static_cast<uint64_t>(info.bits)))
      return ScalarType{info.kind};
  }
  return std::nullopt;
}

static std::string signatureType(llvm::Type *type) {
  if (const std::optional<ScalarType> scalar = scalarOf(*type))
    return toSignature(*scalar);
  std::string text;
  llvm::raw_string_ostream(text) << *type;
  return text;
}

/// The functions that a launch can name.
static std::vector<std::string> kernelsOf(const llvm::Module &module, const TargetSpec &target) {
  return target.isCpu() ? native::programSymbols(module) : kernelSymbols(module);
}

/// The kernel that was chosen, else the first; empty when the module has none.
static std::string chosenKernel(const llvm::Module &module, const TargetSpec &target,
                                const std::string &wanted) {
  const std::vector<std::string> kernels = kernelsOf(module, target);
  if (kernels.empty())
    return {};
  return std::ranges::find(kernels, wanted) != kernels.end() ? wanted : kernels.front();
}

/// Names the kernel of a document that is LLVM IR, and what its text says about launching it.
static KernelFacts describeKernel(CompileJob &job, const llvm::Module &module,
                                  KernelOptions options) {
  const std::string name = chosenKernel(module, options.target, job.request.selection.kernel);
  if (name.empty()) {
    reportNoKernel(job, options.target.isCpu()
                            ? "a kernel is a function with a body that others can call"
                            : "a kernel has the calling convention `ptx_kernel` and a body");
    return {std::move(options), {}, {}};
  }
  const llvm::Function *kernel = module.getFunction(name);
  job.result.kernels = kernelsOf(module, options.target);
  unsigned threads = 0;
  const llvm::StringRef required = kernel->getFnAttribute("nvvm.reqntid").getValueAsString();
  if (!required.split(',').first.getAsInteger(10, threads) && threads > 0)
    options.numWarps = static_cast<int>((threads + 31) / 32);
  unsigned blocks = 0;
  const llvm::StringRef cluster = kernel->getFnAttribute("nvvm.cluster_dim").getValueAsString();
  if (!cluster.split(',').first.getAsInteger(10, blocks) && blocks > 0)
    options.numCtas = static_cast<int>(blocks);
  std::vector<KernelParameter> parameters;
  for (const llvm::Argument &argument : kernel->args())
    parameters.push_back({argument.hasName() ? argument.getName().str()
                                             : "arg" + std::to_string(argument.getArgNo()),
                          signatureType(argument.getType())});
  return takeDocumentKernel(job, std::move(options), name, std::move(parameters), true);
}

/// Parses the document into a context of its own.
static void parseLlvmIr(CompileJob &job, LlvmKernel &kernel, llvm::AsmParserContext &parsed,
                        llvm::SMDiagnostic &error) {
  kernel.context = makeLlvmContext(job);
  if (auto unreadable = unreadableConstraints(job.request.text, job.request.path)) {
    error = std::move(*unreadable);
    return;
  }
  // LLVM is built without exceptions, but the standard library throws in it.
  try {
    kernel.module = llvm::parseAssembly(
        llvm::MemoryBufferRef(job.request.text, job.request.path), error, *kernel.context, nullptr,
        [](llvm::StringRef, llvm::StringRef) { return std::nullopt; }, &parsed);
  } catch (const std::exception &) {
    error = llvm::SMDiagnostic(job.request.path, llvm::SourceMgr::DK_Error,
                               "LLVM cannot read this text");
    // The module read so far is not in a state to be destroyed.
    (void)kernel.context.release();
    kernel.context = makeLlvmContext(job);
  }
}

/// The document in LLVM's own notation.
static std::optional<LlvmKernel> importLlvmIr(CompileJob &job, Document document) {
  job.begin(StageId::LlvmIr);
  LlvmKernel kernel;
  llvm::SMDiagnostic error;
  llvm::AsmParserContext parsed;
  parseLlvmIr(job, kernel, parsed, error);
  const std::optional<LlvmFault> fault =
      kernel.module ? checkLlvmModule(*kernel.module, isCpuTarget(job.result.target))
                    : std::optional<LlvmFault>();
  if (fault) {
    job.report(DiagnosticKind::IrInvalid, Severity::Error, fault->message).range =
        placeInDocument(*fault, parsed, job.files);
  } else if (kernel.module) {
    if (kernel.module->debug_compile_units().empty())
      locateInDocument(*kernel.module, parsed, job.request.path, job.files);
    kernel.facts = describeKernel(job, *kernel.module, std::move(document.options));
  } else {
    job.report(DiagnosticKind::IrInvalid, Severity::Error, error.getMessage().str()).range =
        placeOf(error, job.files);
  }
  const bool ok = kernel.module && !job.hasErrors();
  job.finish(documentStage(job, StageId::LlvmIr, ok));
  return ok && !job.stopped() ? std::optional(std::move(kernel)) : std::nullopt;
}

static bool hasReadableConstraints(mlir::ModuleOp module) {
  const mlir::WalkResult walked = module->walk([](mlir::LLVM::InlineAsmOp assembly) {
    if (areReadableConstraints(assembly.getConstraints()))
      return mlir::WalkResult::advance();
    assembly.emitError("inline assembly has no constraints with `@` or `^` on a GPU: \"")
        << assembly.getConstraints() << "\"";
    return mlir::WalkResult::interrupt();
  });
  return !walked.wasInterrupted();
}

/// Links libdevice where the kernel calls it.
static bool linkLibdevice(CompileJob &job, LlvmKernel &kernel, const CodegenOptions &options) {
  if (unresolvedLibdeviceFunctions(*kernel.module).empty())
    return true;
  job.step(StageId::LlvmIr, "link-libdevice");
  const CompileJob::Clock::time_point start = CompileJob::Clock::now();
  if (Status status = job.state.libdevice.linkInto(*kernel.module); !status) {
    job.report(status.error().code == ErrorCode::Environment ? DiagnosticKind::ToolMissing
                                                             : DiagnosticKind::PassFailed,
               Severity::Error, status.error().message, {status.error().hint});
    return false;
  }
  prepareModule(*kernel.module, *kernel.machine, options);
  recordLlvmPass(job, kernel, "link-libdevice", start);
  return true;
}

/// Brings a module of a GPU into the form that its code is generated of, without optimizing it.
static bool prepareForGpu(CompileJob &job, LlvmKernel &kernel) {
  const CodegenOptions options = codegenOptions(kernel.facts.options, job.state.toolkit);
  kernel.machine = createTargetMachine(options);
  prepareModule(*kernel.module, *kernel.machine, options);
  return linkLibdevice(job, kernel, options);
}

static bool prepareForCpu(LlvmKernel &kernel) {
  const native::Processor processor = native::processorOf(kernel.facts.options.target.cpu);
  kernel.machine = native::createMachine(processor);
  native::prepareNative(*kernel.module, *kernel.machine, processor.vectorBytes);
  return true;
}

static void runOptimizer(CompileJob &job, LlvmKernel &kernel) {
  job.step(StageId::LlvmIr, "llvm-optimize");
  const CompileJob::Clock::time_point start = CompileJob::Clock::now();
  const KernelOptions &options = kernel.facts.options;
  if (options.target.isCpu())
    native::optimizeNative(*kernel.module, *kernel.machine);
  else
    optimizeModule(*kernel.module, *kernel.machine, codegenOptions(options, job.state.toolkit));
  recordLlvmPass(job, kernel, "llvm-optimize", start);
}

/// Links what the kernel calls and optimizes; publishes the stage. Of a document in LLVM IR, which
/// stays as it is, only what code generation needs is done.
static bool optimize(CompileJob &job, LlvmKernel &kernel, bool isDocument) {
  const bool linked =
      kernel.facts.options.target.isCpu() ? prepareForCpu(kernel) : prepareForGpu(job, kernel);
  if (linked && !isDocument)
    runOptimizer(job, kernel);
  // A document in the LLVM dialect is shown unchanged, too.
  if (job.request.entry != StageId::LlvmIr) {
    IrText text;
    if (job.needsText(StageId::LlvmIr))
      text = printLlvmIr(*kernel.module, job.files, kernel.facts.index);
    Stage stage;
    stage.id = StageId::LlvmIr;
    stage.ok = linked;
    stage.text = std::move(text.text);
    stage.sourceMap = std::move(text.sourceMap);
    job.finish(std::move(stage));
  }
  return linked && !job.stopped();
}

std::optional<LlvmKernel> translateToLlvm(CompileJob &job, MlirKernel kernel) {
  job.step(StageId::LlvmIr, "translate-to-llvm-ir");
  const CompileJob::Clock::time_point start = CompileJob::Clock::now();
  DiagnosticCollector collector(*job.state.context, DiagnosticKind::PassFailed, job.files,
                                job.result.diagnostics);
  LlvmKernel made;
  made.context = makeLlvmContext(job);
  made.facts = std::move(kernel.facts);
  if (hasReadableConstraints(*kernel.module))
    // Verified below, where faults have places.
    made.module = mlir::translateModuleToLLVMIR(*kernel.module, *made.context, "LLVMDialectModule",
                                                /*disableVerification=*/true);
  const std::optional<LlvmFault> fault =
      made.module ? checkLlvmModule(*made.module, isCpuTarget(job.result.target))
                  : std::optional<LlvmFault>();
  if (made.module) {
    PassRecord &record =
        job.addPass(StageId::LlvmIr, "translate-to-llvm-ir", start, fault.has_value());
    if (!fault && job.request.recordPassIr)
      keepIr(record, printLlvmIr(*made.module, job.files, made.facts.index));
  }
  if (fault)
    job.report(DiagnosticKind::PassFailed, Severity::Error, fault->message).range =
        placeOf(*fault, job.files);
  else if (!made.module && !collector.hasErrors())
    job.report(DiagnosticKind::PassFailed, Severity::Error,
               "the LLVM dialect cannot be translated to LLVM IR");
  if (fault || !made.module) {
    job.finishFailed(StageId::LlvmIr);
    return std::nullopt;
  }
  return optimize(job, made, false) ? std::optional(std::move(made)) : std::nullopt;
}

std::optional<LlvmKernel> enterLlvmIr(CompileJob &job, Document document) {
  // The same ending serves both textual forms of this stage.
  if (job.request.text.find("llvm.func") == std::string::npos) {
    std::optional<LlvmKernel> kernel = importLlvmIr(job, std::move(document));
    const bool goesOn = kernel && job.wantsBehind(StageId::LlvmIr) && optimize(job, *kernel, true);
    return goesOn ? std::move(kernel) : std::nullopt;
  }
  std::optional<MlirKernel> kernel = importMlir(job, StageId::LlvmIr, std::move(document));
  const bool goesOn =
      kernel && job.wantsBehind(StageId::LlvmIr) && runDebugScopes(job, *kernel->module);
  return goesOn ? translateToLlvm(job, std::move(*kernel)) : std::nullopt;
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

/// The kernel's symbol; empty after an error.
static std::string kernelToEmit(CompileJob &job, const LlvmKernel &kernel) {
  const std::string name =
      chosenKernel(*kernel.module, kernel.facts.options.target, kernel.facts.metadata.name);
  if (name.empty())
    job.report(DiagnosticKind::IrInvalid, Severity::Error, "no kernel in the LLVM IR",
               {"a kernel has the calling convention `ptx_kernel`"});
  const std::optional<LlvmFault> fault = findUnspeakableName(*kernel.module);
  if (fault)
    job.report(DiagnosticKind::IrInvalid, Severity::Error, fault->message).range =
        placeOf(*fault, job.files);
  return fault ? std::string() : name;
}

std::optional<PtxKernel> makePtx(CompileJob &job, LlvmKernel kernel) {
  job.begin(StageId::Ptx);
  PtxKernel made;
  made.facts = kernel.facts;
  KernelMetadata &metadata = made.facts.metadata;
  metadata.name = kernelToEmit(job, kernel);
  metadata.target = job.result.target;
  job.result.metadata = metadata;
  job.step(StageId::Ptx, "nvptx-codegen");
  const CompileJob::Clock::time_point start = CompileJob::Clock::now();
  std::vector<Diagnostic> &diagnostics = job.result.diagnostics;
  const size_t numDiagnostics = diagnostics.size();
  if (!metadata.name.empty())
    made.text = emitPtx(*kernel.module, *kernel.machine);
  if (!made.text.empty())
    made.text += made.facts.traceText;
  placeAssembly(*kernel.module, llvm::MutableArrayRef(diagnostics).drop_front(numDiagnostics),
                job.files);
  PassRecord &record = job.addPass(StageId::Ptx, "nvptx-codegen", start, made.text.empty());
  made.sourceMap = ptxSourceMap(made.text, job.files, made.facts.index);
  if (job.request.recordPassIr)
    keepIr(record, {made.text, made.sourceMap});
  if (made.text.empty() && !job.hasErrors())
    job.report(DiagnosticKind::PassFailed, Severity::Error, "LLVM wrote no PTX");
  Stage stage;
  stage.id = StageId::Ptx;
  stage.ok = !job.hasErrors();
  stage.text = made.text;
  stage.sourceMap = made.sourceMap;
  const bool ok = stage.ok;
  job.finish(std::move(stage));
  return ok && !job.stopped() ? std::optional(std::move(made)) : std::nullopt;
}

} // namespace tilescope::compiler
