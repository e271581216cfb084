// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Documents that are IR or PTX: each enters at its own stage. They may come from Triton, whose
// operations this compiler may not know.
#include "compiler/analysis/LaunchSuggestion.h"
#include "compiler/dialects/tt/ir/Dialect.h"
#include "compiler/dialects/ttng/ir/TensorBox.h"
#include "compiler/pipeline/Compilation.h"
#include "compiler/pipeline/DocumentChecks.h"
#include "compiler/pipeline/DocumentFacts.h"
#include "compiler/pipeline/IrText.h"
#include "compiler/pipeline/MlirDiagnostics.h"
#include "compiler/pipeline/NestingLimit.h"
#include "compiler/pipeline/PtxFacts.h"
#include "compiler/pipeline/PtxSourceMap.h"

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

Stage Compilation::documentStage(StageId id, bool ok) {
  Stage stage;
  stage.id = id;
  stage.ok = ok;
  stage.text = m_request.text;
  stage.sourceMap = identityMap(m_request.text, m_files);
  return stage;
}

bool Compilation::checkNesting() {
  if (m_request.entry > StageId::Ptx)
    return true;
  const std::optional<NestingFault> fault = findNestingFault(m_request.text, m_request.entry);
  if (!fault)
    return true;
  begin(m_request.entry);
  report(DiagnosticKind::IrInvalid, Severity::Error, fault->message);
  m_result.diagnostics.back().range = m_files.restOfLine(0, fault->place);
  finish(documentStage(m_request.entry, false));
  return false;
}

/// A document that holds no code has nothing to show but this.
void Compilation::reportNoKernel(std::string rule) {
  report(DiagnosticKind::NoKernel, Severity::Error, "the document has no kernel",
         {std::move(rule)});
}

bool Compilation::importMlir(StageId id) {
  begin(id);
  mlir::MLIRContext &context = *m_state.context;
  DiagnosticCollector collector(context, DiagnosticKind::IrInvalid, m_files, m_result.diagnostics);
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(m_request.text, m_request.path),
                             llvm::SMLoc());
  const size_t firstDiagnostic = m_result.diagnostics.size();
  mlir::Block block;
  mlir::AsmParserState parsed;
  const mlir::ParserConfig config(&context);
  if (mlir::succeeded(mlir::parseAsmSourceFile(sources, &block, config, &parsed))) {
    locateInDocument(parsed, sources, context, m_request.path, m_files);
    nameValues(parsed);
    if (block.getOperations().size() == 1 && mlir::isa<mlir::ModuleOp>(block.front())) {
      m_module = mlir::cast<mlir::ModuleOp>(block.front());
      m_module->getOperation()->remove();
    } else {
      // A file may leave the module out.
      m_module = mlir::ModuleOp::create(mlir::FileLineColLoc::get(&context, m_request.path, 1, 1));
      m_module->getBody()->getOperations().splice(m_module->getBody()->begin(),
                                                  block.getOperations());
    }
    if (mlir::failed(mlir::verify(*m_module)) || mlir::failed(checkMlirDocument(*m_module, id)))
      m_module = {};
  }
  explainForeignDialects(llvm::MutableArrayRef(m_result.diagnostics).drop_front(firstDiagnostic));
  if (m_module && !hasErrors()) {
    indexRanges(*m_module, m_files, m_index);
    const DocumentFacts facts(parsed, sources);
    describeKernel(facts);
    if (m_request.collectFacts) {
      m_result.values = facts.values();
      m_result.layouts = facts.layouts(*m_module);
    }
  }
  const bool ok = m_module && !hasErrors();
  Stage stage = documentStage(id, ok);
  // In the notation of another release where one is asked for; else as it stands there.
  if (ok && !m_options.tritonVersion.empty()) {
    IrText printed =
        printIr(*m_module, m_files, m_request.collectFacts ? &m_result.layouts : nullptr);
    stage.text = std::move(printed.text);
    stage.sourceMap = std::move(printed.sourceMap);
  }
  finish(std::move(stage));
  return ok && !stopped();
}

static std::string signatureType(mlir::Type type);

/// `tensordesc<fp16[128,64],swizzle=128>`; without the swizzle where bulk copies cannot move the
/// block.
static std::string descriptorType(tt::TensorDescType type) {
  const mlir::RankedTensorType block = type.getBlockType();
  std::string text = "tensordesc<" + signatureType(block.getElementType());
  for (const auto [dim, extent] : llvm::enumerate(block.getShape()))
    text += (dim == 0 ? "[" : ",") + std::to_string(extent);
  text += "]";
  if (const std::optional<ttng::TensorBox> box = ttng::tensorBox(type))
    text += ",swizzle=" + std::to_string(box->swizzleBytes);
  return text + ">";
}

/// Triton passes a tensor's extents and strides after its descriptor. Gives each parameter of such
/// a group the descriptor's name: `a.shape.0`, …, `a.stride.0`, ….
static void nameExtents(std::vector<KernelParameter> &parameters, mlir::Region &body) {
  for (size_t i = 0; i < parameters.size(); ++i) {
    const auto type = llvm::dyn_cast<tt::TensorDescType>(body.getArgument(i).getType());
    const size_t rank = type ? type.getBlockType().getRank() : 0;
    const bool fits = rank > 0 && i + 2 * rank < parameters.size() &&
                      llvm::all_of(llvm::seq(rank), [&](size_t dim) {
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
  if (auto pointer = llvm::dyn_cast<tt::PointerType>(type))
    return "*" + signatureType(pointer.getPointeeType());
  if (llvm::isa<mlir::LLVM::LLVMPointerType>(type))
    return "*i8";
  if (auto described = llvm::dyn_cast<tt::TensorDescType>(type))
    return descriptorType(described);
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

/// Names the kernel of a document that is MLIR, and what its text says about launching it.
void Compilation::describeKernel(const DocumentFacts &facts) {
  mlir::FunctionOpInterface kernel;
  m_module->walk([&](mlir::FunctionOpInterface function) {
    const auto noinline = function->getAttrOfType<mlir::BoolAttr>("noinline");
    if (function.isExternal() || function.isPrivate() || (noinline && noinline.getValue()))
      return;
    m_result.kernels.push_back(function.getName().str());
    if (!kernel || function.getName() == m_request.selection.kernel)
      kernel = function;
  });
  if (!kernel)
    return reportNoKernel(
        "a kernel is a public function with a body, `tt.func public @name(…) {…}`");
  if (auto warps = (*m_module)->getAttrOfType<mlir::IntegerAttr>("ttg.num-warps"))
    m_options.numWarps = static_cast<int>(warps.getInt());
  std::vector<KernelParameter> parameters;
  for (mlir::BlockArgument argument : kernel.getFunctionBody().getArguments()) {
    // `%x_ptr` is `x_ptr`.
    std::string name = facts.nameOf(argument);
    if (name.empty())
      name = "arg" + std::to_string(argument.getArgNumber());
    parameters.push_back({std::move(name), signatureType(argument.getType())});
  }
  nameExtents(parameters, kernel.getFunctionBody());
  if (m_request.entry == StageId::Ttir)
    m_result.suggestion = suggestLaunch(kernel, parameters, {});
  // In the LLVM dialect the two scratch pointers are parameters already.
  const bool hasScratch = llvm::isa<mlir::LLVM::LLVMFuncOp>(kernel.getOperation());
  takeDocumentKernel(kernel.getName().str(), std::move(parameters), hasScratch);
}

void Compilation::takeDocumentKernel(std::string name, std::vector<KernelParameter> parameters,
                                     bool hasScratch) {
  if (hasScratch)
    parameters.resize(parameters.size() - std::min<size_t>(parameters.size(), 2));
  m_result.kernel = std::move(name);
  KernelMetadata &metadata = m_result.metadata;
  metadata.name = m_result.kernel;
  metadata.target = m_result.target;
  metadata.numWarps = m_options.numWarps;
  metadata.numStages = m_options.numStages;
  metadata.numCtas = m_options.numCtas;
  metadata.sharedBytes = m_options.sharedBytes;
  metadata.globalScratchBytes = m_options.globalScratchBytes;
  metadata.parameters = std::move(parameters);
}

bool Compilation::importPtx() {
  begin(StageId::Ptx);
  std::vector<PtxEntry> kernels = ptxKernels(m_request.text);
  for (const PtxEntry &kernel : kernels)
    m_result.kernels.push_back(kernel.name);
  const bool ok = !kernels.empty();
  if (ok) {
    const auto named = std::ranges::find(kernels, m_request.selection.kernel, &PtxEntry::name);
    PtxEntry &kernel = named == kernels.end() ? kernels.front() : *named;
    if (kernel.numThreads > 0)
      m_options.numWarps = (kernel.numThreads + 31) / 32;
    takeDocumentKernel(std::move(kernel.name), std::move(kernel.parameters), true);
  } else {
    reportNoKernel("a kernel is an `.entry` function");
  }
  finish(documentStage(StageId::Ptx, ok));
  return ok && !stopped();
}

} // namespace tilescope::compiler
