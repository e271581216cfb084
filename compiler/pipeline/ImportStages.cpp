// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Documents that are IR or PTX: each enters at its own stage. They may come from Triton, whose
// operations this compiler may not know.
#include "compiler/analysis/LaunchSuggestion.h"
#include "compiler/dialects/tt/ir/Dialect.h"
#include "compiler/dialects/ttg/ir/Dialect.h"
#include "compiler/dialects/ttng/ir/TensorBox.h"
#include "compiler/frontend/Types.h"
#include "compiler/pipeline/DocumentChecks.h"
#include "compiler/pipeline/DocumentFacts.h"
#include "compiler/pipeline/IrText.h"
#include "compiler/pipeline/MlirDiagnostics.h"
#include "compiler/pipeline/NestingLimit.h"
#include "compiler/pipeline/PtxFacts.h"
#include "compiler/pipeline/PtxSourceMap.h"
#include "compiler/pipeline/Stages.h"
#include "compiler/pipeline/TensorMemoryNote.h"

#include "llvm/Support/SourceMgr.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/AsmParser/AsmParserState.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Parser/Parser.h"

#include <algorithm>

namespace tilescope::compiler {

/// The name of a value in a document, without the suffix that made it unique: `x` for `%x_5`;
/// empty for numbers.
static llvm::StringRef givenName(llvm::SMRange place) {
  llvm::StringRef name(place.Start.getPointer(),
                       static_cast<size_t>(place.End.getPointer() - place.Start.getPointer()));
  name.consume_front("%");
  const auto isDigit = [](char c) { return llvm::isDigit(c); };
  const llvm::StringRef stem = name.rtrim("0123456789");
  if (stem.size() < name.size() && stem.size() > 1 && stem.ends_with("_"))
    return stem.drop_back();
  return llvm::all_of(name, isDigit) ? llvm::StringRef() : name;
}

/// Keeps the names of the document's values: later stages print them by their locations.
static mlir::Location named(llvm::SMRange place, mlir::Location location) {
  const llvm::StringRef name = givenName(place);
  if (name.empty() || location->findInstanceOf<mlir::NameLoc>())
    return location;
  return mlir::NameLoc::get(mlir::StringAttr::get(location.getContext(), name), location);
}

static void nameValues(const mlir::AsmParserState &parsed) {
  for (const mlir::AsmParserState::OperationDefinition &definition : parsed.getOpDefs())
    if (definition.resultGroups.size() == 1 && definition.op->getNumResults() == 1)
      definition.op->setLoc(
          named(definition.resultGroups.front().definition.loc, definition.op->getLoc()));
  for (const mlir::AsmParserState::BlockDefinition &definition : parsed.getBlockDefs())
    for (auto [argument, place] : llvm::zip(definition.block->getArguments(), definition.arguments))
      argument.setLoc(named(place.loc, argument.getLoc()));
}

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

/// `amdg.buffer_load` out of the parser's "Dialect `amdg' not found for custom op
/// 'amdg.buffer_load'", `amdg.encoding` out of "#"amdg"<"encoding<…>"> … created with unregistered
/// dialect"; empty for others.
static std::string foreignName(llvm::StringRef message) {
  if (message.contains("not found for custom op"))
    return message.rsplit("custom op '").second.take_until([](char c) { return c == '\''; }).str();
  if (!message.contains("created with unregistered dialect"))
    return {};
  llvm::StringRef rest = message;
  while (rest.consume_front("#") || rest.consume_front("!") || rest.consume_front("\"") ||
         rest.consume_front("`")) {
  }
  const auto isName = [](char c) { return llvm::isAlnum(c) || c == '_' || c == '.'; };
  const llvm::StringRef dialect = rest.take_while(isName);
  rest = rest.drop_front(dialect.size()).drop_until(isName);
  return (dialect + "." + rest.take_while(isName)).str();
}

/// `ttng.tmem_load` out of "custom op 'ttng.tmem_load' is unknown …", `#ttg.amd_mfma` out of
/// "unknown attribute `amd_mfma` in dialect `ttg`", `#ttng` out of "dialect 'ttng' provides no
/// attribute parsing hook"; empty for others.
static std::string unknownName(llvm::StringRef message) {
  if (message.starts_with("unknown") && message.contains("` in dialect `")) {
    const auto [name, rest] = message.split('`').second.split('`');
    return ("#" + rest.split('`').second.split('`').first + "." + name).str();
  }
  const bool isAttribute = message.contains("provides no attribute parsing hook");
  if (!isAttribute && !(message.contains("custom op '") && message.contains("' is unknown")))
    return {};
  llvm::StringRef name = message.split('\'').second;
  return (isAttribute ? "#" : "") + name.take_until([](char c) { return c == '\''; }).str();
}

/// What to do about a name of this compiler's or of another one's dialects.
static std::string wayOut(llvm::StringRef name) {
  if (name.starts_with("amdg.") || name.contains("ttg.amd_"))
    return "it is for AMD GPUs, so the document is shown as text only; the kernel's `.ttir` "
           "compiles here";
  return "the kernel's `.ttir` and `.llir` compile here";
}

/// Says in a user's words that the document uses what this compiler does not know.
static void explainForeignDialects(llvm::MutableArrayRef<Diagnostic> diagnostics) {
  for (Diagnostic &diagnostic : diagnostics) {
    const std::string unknown = unknownName(diagnostic.message);
    if (!unknown.empty()) {
      diagnostic.message = "`" + unknown + "` is not known here and cannot be read";
      diagnostic.notes = {wayOut(unknown)};
      continue;
    }
    const std::string name = foreignName(diagnostic.message);
    if (name.empty())
      continue;
    const llvm::StringRef dialect = llvm::StringRef(name).split('.').first;
    diagnostic.message =
        "`" + name + "` belongs to the dialect `" + dialect.str() + "`, which cannot be read";
    diagnostic.notes = {wayOut(name)};
  }
}

Stage documentStage(CompileJob &job, StageId id, bool ok) {
  Stage stage;
  stage.id = id;
  stage.ok = ok;
  stage.text = job.request.text;
  stage.sourceMap = identityMap(job.request.text, job.files);
  return stage;
}

bool checkNesting(CompileJob &job) {
  const StageId entry = job.request.entry;
  if (entry > StageId::Ptx)
    return true;
  const std::optional<NestingFault> fault = findNestingFault(job.request.text, entry);
  if (!fault)
    return true;
  job.begin(entry);
  job.report(DiagnosticKind::IrInvalid, Severity::Error, fault->message).range =
      job.files.restOfLine(0, fault->place);
  job.finish(documentStage(job, entry, false));
  return false;
}

void reportNoKernel(CompileJob &job, std::string rule) {
  job.report(DiagnosticKind::NoKernel, Severity::Error, "the document has no kernel",
             {std::move(rule)});
}

std::optional<SignatureType> signatureEntry(mlir::Type type) {
  if (llvm::isa<mlir::LLVM::LLVMPointerType>(type))
    return ScalarType{ScalarKind::Int8}.pointerTo();
  const auto described = llvm::dyn_cast<tt::TensorDescType>(type);
  mlir::Type element = described ? described.getBlockType().getElementType() : type;
  // Descriptors of scales hold `ui8`, and the data of a launch are bits.
  if (const auto integer = llvm::dyn_cast<mlir::IntegerType>(element))
    element = mlir::IntegerType::get(type.getContext(), integer.getWidth());
  const std::optional<ScalarType> scalar = frontend::fromMlir(element);
  if (!described || !scalar)
    return scalar;
  // What one bulk copy moves: in a cluster, a thread block's part.
  const mlir::RankedTensorType data = described.getBlockType();
  const llvm::SmallVector<int64_t> shape =
      data.getEncoding() && ttg::isSharedEncoding(data.getEncoding())
          ? ttg::getShapePerCta(ttg::getCgaLayout(data.getEncoding()), data.getShape())
          : llvm::SmallVector<int64_t>(data.getShape());
  SignatureType entry =
      SignatureType::block(*scalar, {shape.begin(), shape.end()}, SignatureType::Form::Descriptor);
  if (const std::optional<ttng::TensorBox> box = ttng::tensorBox(described))
    entry.swizzleBytes = box->swizzleBytes;
  return entry;
}

/// Triton passes a tensor's extents and strides after its descriptor. Names each parameter of such a
/// group after the descriptor: `a.shape.0`, …, `a.stride.0`, ….
static void nameExtents(std::vector<KernelParameter> &parameters, mlir::Region &body) {
  for (size_t i = 0; i < parameters.size(); ++i) {
    const auto type = llvm::dyn_cast<tt::TensorDescType>(body.getArgument(i).getType());
    const size_t rank = type ? type.getBlockType().getRank() : 0;
    const bool fits = rank > 0 && i + 2 * rank < parameters.size() &&
                      llvm::all_of(
                          llvm::seq(rank),
                          [&](size_t dim) {
                            return parameters[i + 1 + dim].type == "i32" &&
                                   parameters[i + 1 + rank + dim].type == "i64";
                          });
    for (size_t dim = 0; fits && dim < rank; ++dim) {
      parameters[i + 1 + dim].name = parameters[i].name + ".shape." + std::to_string(dim);
      parameters[i + 1 + rank + dim].name = parameters[i].name + ".stride." + std::to_string(dim);
    }
  }
}

/// The type in Triton's notation; what a signature cannot say is named as IR names it.
static std::string signatureType(mlir::Type type) {
  if (const std::optional<SignatureType> entry = signatureEntry(type))
    return toSignature(*entry);
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

/// The function that was chosen, else the first that is a kernel; all of them go into `names`.
static mlir::FunctionOpInterface findKernel(mlir::ModuleOp module, const std::string &wanted,
                                            std::vector<std::string> &names) {
  mlir::FunctionOpInterface kernel;
  module.walk([&](mlir::FunctionOpInterface function) {
    const auto noinline = function->getAttrOfType<mlir::BoolAttr>("noinline");
    if (function.isExternal() || function.isPrivate() || (noinline && noinline.getValue()))
      return;
    names.push_back(function.getName().str());
    if (!kernel || function.getName() == wanted)
      kernel = function;
  });
  return kernel;
}

/// Names the kernel of a document that is MLIR, and what its text says about launching it.
static KernelFacts describeKernel(CompileJob &job, mlir::ModuleOp module,
                                  const DocumentFacts &document, KernelOptions options) {
  mlir::FunctionOpInterface kernel =
      findKernel(module, job.request.selection.kernel, job.result.kernels);
  if (!kernel) {
    reportNoKernel(job, "a kernel is a public function with a body, `tt.func public @name(…) {…}`");
    return {std::move(options), {}, {}};
  }
  if (auto warps = module->getAttrOfType<mlir::IntegerAttr>("ttg.num-warps"))
    options.numWarps = static_cast<int>(warps.getInt());
  if (auto blocks = module->getAttrOfType<mlir::IntegerAttr>("ttg.num-ctas"))
    options.numCtas = static_cast<int>(blocks.getInt());
  std::vector<KernelParameter> parameters;
  for (mlir::BlockArgument argument : kernel.getFunctionBody().getArguments()) {
    // `%x_ptr` is `x_ptr`.
    std::string name = document.nameOf(argument);
    if (name.empty())
      name = "arg" + std::to_string(argument.getArgNumber());
    parameters.push_back({std::move(name), signatureType(argument.getType())});
  }
  nameExtents(parameters, kernel.getFunctionBody());
  if (job.request.entry == StageId::Ttir) {
    job.result.suggestion = suggestLaunch(kernel, parameters, {});
    if (!job.isRun)
      noteTensorMemory(job, module, options);
  }
  // In the LLVM dialect the two scratch pointers are parameters already.
  const bool hasScratch = llvm::isa<mlir::LLVM::LLVMFuncOp>(kernel.getOperation());
  return takeDocumentKernel(job, std::move(options), kernel.getName().str(), std::move(parameters),
                            hasScratch);
}

KernelFacts takeDocumentKernel(CompileJob &job, KernelOptions options, std::string name,
                               std::vector<KernelParameter> parameters, bool hasScratch) {
  if (hasScratch)
    parameters.resize(parameters.size() - std::min<size_t>(parameters.size(), 2));
  KernelFacts facts;
  KernelMetadata &metadata = facts.metadata;
  metadata.name = std::move(name);
  metadata.target = job.result.target;
  metadata.numWarps = options.numWarps;
  metadata.numStages = options.numStages;
  metadata.numCtas = options.numCtas;
  metadata.sharedBytes = options.sharedBytes;
  metadata.globalScratchBytes = options.globalScratchBytes;
  metadata.parameters = std::move(parameters);
  facts.options = std::move(options);
  job.result.kernel = metadata.name;
  job.result.metadata = metadata;
  return facts;
}

/// The module that the document holds, or is the inside of.
static mlir::OwningOpRef<mlir::ModuleOp> moduleOf(mlir::Block &block, const std::string &path,
                                                  mlir::MLIRContext &context) {
  if (block.getOperations().size() == 1 && mlir::isa<mlir::ModuleOp>(block.front())) {
    auto module = mlir::cast<mlir::ModuleOp>(block.front());
    module->remove();
    return module;
  }
  // A file may leave the module out.
  auto module = mlir::ModuleOp::create(mlir::FileLineColLoc::get(&context, path, 1, 1));
  module.getBody()->getOperations().splice(module.getBody()->begin(), block.getOperations());
  return module;
}

std::optional<MlirKernel> importMlir(CompileJob &job, StageId id, Document document) {
  job.begin(id);
  mlir::MLIRContext &context = *job.state.context;
  CompileResult &result = job.result;
  DiagnosticCollector collector(context, DiagnosticKind::IrInvalid, job.files, result.diagnostics);
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(
      llvm::MemoryBuffer::getMemBufferCopy(job.request.text, job.request.path), llvm::SMLoc());
  const size_t firstDiagnostic = result.diagnostics.size();
  mlir::Block block;
  mlir::AsmParserState parsed;
  MlirKernel kernel;
  if (mlir::succeeded(
          mlir::parseAsmSourceFile(sources, &block, mlir::ParserConfig(&context), &parsed))) {
    locateInDocument(parsed, sources, context, job.request.path, job.files);
    nameValues(parsed);
    kernel.module = moduleOf(block, job.request.path, context);
    if (mlir::failed(mlir::verify(*kernel.module)) ||
        mlir::failed(checkMlirDocument(*kernel.module, id)))
      kernel.module = {};
  }
  explainForeignDialects(llvm::MutableArrayRef(result.diagnostics).drop_front(firstDiagnostic));
  if (kernel.module && !job.hasErrors()) {
    const DocumentFacts facts(parsed, sources);
    kernel.facts = describeKernel(job, *kernel.module, facts, std::move(document.options));
    indexRanges(*kernel.module, job.files, kernel.facts.index);
    if (job.request.collectFacts) {
      result.values = facts.values();
      result.layouts = facts.layouts(*kernel.module);
    }
  }
  const bool ok = kernel.module && !job.hasErrors();
  Stage stage = documentStage(job, id, ok);
  // In the notation of another release where one is requested; else as it is there.
  if (ok && !kernel.facts.options.tritonVersion.empty()) {
    IrText printed =
        printIr(*kernel.module, job.files, job.request.collectFacts ? &result.layouts : nullptr);
    stage.text = std::move(printed.text);
    stage.sourceMap = std::move(printed.sourceMap);
  }
  job.finish(std::move(stage));
  return ok && !job.stopped() ? std::optional(std::move(kernel)) : std::nullopt;
}

template <typename Kernel>
static std::optional<Kernel> enterMlir(CompileJob &job, StageId id, Document document) {
  std::optional<MlirKernel> kernel = importMlir(job, id, std::move(document));
  return kernel ? std::optional(Kernel{std::move(*kernel)}) : std::nullopt;
}

std::optional<TtirKernel> enterTtir(CompileJob &job, Document document) {
  return enterMlir<TtirKernel>(job, StageId::Ttir, std::move(document));
}

std::optional<TtgirKernel> enterTtgir(CompileJob &job, Document document) {
  return enterMlir<TtgirKernel>(job, StageId::Ttgir, std::move(document));
}

std::optional<PtxKernel> enterPtx(CompileJob &job, Document document) {
  job.begin(StageId::Ptx);
  std::vector<PtxEntry> kernels = ptxKernels(job.request.text);
  for (const PtxEntry &kernel : kernels)
    job.result.kernels.push_back(kernel.name);
  PtxKernel made;
  const bool ok = !kernels.empty();
  if (ok) {
    const auto named = std::ranges::find(kernels, job.request.selection.kernel, &PtxEntry::name);
    PtxEntry &kernel = named == kernels.end() ? kernels.front() : *named;
    if (kernel.numThreads > 0)
      document.options.numWarps = (kernel.numThreads + 31) / 32;
    if (kernel.numBlocks > 0)
      document.options.numCtas = kernel.numBlocks;
    made.facts = takeDocumentKernel(job, std::move(document.options), std::move(kernel.name),
                                    std::move(kernel.parameters), true);
  } else {
    reportNoKernel(job, "a kernel is an `.entry` function");
  }
  Stage stage = documentStage(job, StageId::Ptx, ok);
  made.text = stage.text;
  made.sourceMap = stage.sourceMap;
  job.finish(std::move(stage));
  return ok && !job.stopped() ? std::optional(std::move(made)) : std::nullopt;
}

} // namespace tilescope::compiler
