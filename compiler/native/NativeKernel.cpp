// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/native/NativeKernel.h"

#include "compiler/conversion/tt_to_cpu/OutsideRecords.h"
#include "compiler/conversion/tt_to_cpu/StoreMarks.h"
#include "compiler/conversion/tt_to_cpu/TableFunctions.h"
#include "compiler/conversion/tt_to_cpu/TtToCpu.h"
#include "compiler/native/Assembly.h"
#include "compiler/native/LibraryCalls.h"
#include "compiler/native/OptimizeNative.h"
#include "compiler/native/Processor.h"
#include "compiler/native/ProgramCalls.h"
#include "compiler/native/SavedCode.h"
#include "compiler/target/DebugScopes.h"

#include "llvm/ExecutionEngine/Orc/AbsoluteSymbols.h"
#include "llvm/ExecutionEngine/Orc/CompileUtils.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/ExecutionEngine/Orc/ObjectTransformLayer.h"
#include "llvm/IR/Module.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"

#include <atomic>

namespace tilescope::native {

static Error internalError(llvm::Error error) {
  return {ErrorCode::Internal, llvm::toString(std::move(error)), ""};
}

static Result<std::unique_ptr<llvm::orc::LLJIT>>
makeJit(std::unique_ptr<llvm::TargetMachine> machine) {
  llvm::orc::JITTargetMachineBuilder builder(machine->getTargetTriple());
  auto jit =
      llvm::orc::LLJITBuilder()
          .setJITTargetMachineBuilder(std::move(builder))
          .setDataLayout(machine->createDataLayout())
          .setCompileFunctionCreator(
              [&](llvm::orc::JITTargetMachineBuilder)
                  -> llvm::Expected<std::unique_ptr<llvm::orc::IRCompileLayer::IRCompiler>> {
                return std::make_unique<llvm::orc::TMOwningSimpleCompiler>(std::move(machine));
              })
          .setPlatformSetUp(llvm::orc::setUpInactivePlatform)
          .create();
  if (!jit)
    return internalError(jit.takeError());
  auto library = llvm::orc::DynamicLibrarySearchGenerator::GetForCurrentProcess(
      (*jit)->getDataLayout().getGlobalPrefix());
  if (!library)
    return internalError(library.takeError());
  (*jit)->getMainJITDylib().addGenerator(std::move(*library));
  if (llvm::Error error = defineLibraryCalls(**jit))
    return internalError(std::move(error));
  return std::move(*jit);
}

static std::string printModule(mlir::ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream);
  return text;
}

static std::unique_ptr<llvm::Module> translate(mlir::ModuleOp module, llvm::LLVMContext &context) {
  mlir::DialectRegistry registry;
  mlir::registerBuiltinDialectTranslation(registry);
  mlir::registerLLVMDialectTranslation(registry);
  module.getContext()->appendDialectRegistry(registry);
  return mlir::translateModuleToLLVMIR(module, context, "kernel");
}

static bool runPasses(mlir::ModuleOp module,
                      llvm::function_ref<void(mlir::OpPassManager &)> addPasses) {
  mlir::PassManager passes(module.getContext());
  addPasses(passes);
  return mlir::succeeded(passes.run(module));
}

/// In place.
static Status lower(mlir::ModuleOp module, const cpu::LoweringOptions &options,
                    NativeTexts *texts) {
  if (!runPasses(module, [&](auto &passes) { cpu::addCpuIrPasses(passes, options); }))
    return Error{ErrorCode::InvalidInput, "the kernel cannot be compiled for the cpu target", ""};
  if (texts)
    texts->cpuIr = printModule(module);
  if (!runPasses(module, [](auto &passes) {
        cpu::addCpuToLlvmPasses(passes);
        passes.addPass(compiler::createDebugScopesPass());
      }))
    return Error{ErrorCode::Internal, "the CPU IR has no form in LLVM's dialect", ""};
  return {};
}

struct NativeKernel::Code {
  std::unique_ptr<llvm::orc::LLJIT> jit;
  std::string symbol;
  /// By number (CodePlaces.h).
  std::vector<std::vector<CodePlace>> places;
  std::vector<CheckedAccess> accesses;
  /// As the linker got it.
  std::unique_ptr<llvm::MemoryBuffer> object;
  /// Of a program, in nanoseconds; negative: not known.
  mutable std::atomic<int64_t> programNs = -1;
};

std::optional<std::chrono::nanoseconds> NativeKernel::programDuration() const {
  const int64_t duration = m_code->programNs;
  return duration < 0 ? std::nullopt : std::optional(std::chrono::nanoseconds(duration));
}

void NativeKernel::keepProgramDuration(std::chrono::nanoseconds duration) const {
  m_code->programNs = duration.count();
}

/// Has the object that is linked copied into `object`.
static void keepObject(llvm::orc::LLJIT &jit, std::unique_ptr<llvm::MemoryBuffer> &object) {
  jit.getObjTransformLayer().setTransform(
      [&object](std::unique_ptr<llvm::MemoryBuffer> linked)
          -> llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> {
        object = llvm::MemoryBuffer::getMemBufferCopy(linked->getBuffer());
        return std::move(linked);
      });
}

size_t NativeKernel::codeBytes() const {
  // The linked code, its object, and the linker's own.
  constexpr size_t kOverhead = 1 << 16;
  return kOverhead + (m_code->object ? 2 * m_code->object->getBufferSize() : 0);
}

std::vector<CodePlace> NativeKernel::placesAt(uint64_t address) const {
  const auto start = reinterpret_cast<uint64_t>(m_program);
  if (!m_code->object || address < start)
    return {};
  const uint32_t number = placeNumber(*m_code->object, m_code->symbol, address - start);
  return number > 0 && number <= m_code->places.size() ? m_code->places[number - 1]
                                                       : std::vector<CodePlace>();
}

std::span<const CheckedAccess> NativeKernel::checkedAccesses() const { return m_code->accesses; }

static std::vector<CheckedAccess> describeAccesses(mlir::ModuleOp module) {
  std::vector<CheckedAccess> accesses;
  for (const cpu::CheckedAccess &access : cpu::checkedAccesses(module))
    accesses.push_back({access.element, compiler::interpreter::sourcePlaces(access.location)});
  return accesses;
}

SavedCode NativeKernel::save() const {
  return {.symbol = m_code->symbol,
          .object = m_code->object ? m_code->object->getBuffer().str() : std::string(),
          .places = m_code->places,
          .accesses = m_code->accesses,
          .assertions = m_assertions,
          .prints = m_prints,
          .assemblies = m_assemblies,
          .scratchBytes = m_scratchBytes,
          .checksBounds = m_checksBounds,
          .notesDoubts = m_notesDoubts};
}

static void *functionOf(llvm::StringRef symbol) {
  for (auto *find : {&cpu::outsideFunction, &cpu::storeFunction, &callsFunction})
    if (void *address = find(symbol))
      return address;
  return cpu::tableFunction(symbol);
}

/// Lets code find the functions of this process that it calls.
static llvm::Error defineCalledFunctions(llvm::orc::LLJIT &jit, const llvm::Module &module) {
  llvm::orc::SymbolMap symbols;
  for (const llvm::Function &function : module)
    if (void *address = functionOf(function.getName()))
      symbols[jit.mangleAndIntern(function.getName())] = {llvm::orc::ExecutorAddr::fromPtr(address),
                                                          llvm::JITSymbolFlags::Exported};
  if (symbols.empty())
    return llvm::Error::success();
  return jit.getMainJITDylib().define(llvm::orc::absoluteSymbols(std::move(symbols)));
}

/// The same for object code.
static llvm::Error defineCalledFunctions(llvm::orc::LLJIT &jit, const llvm::MemoryBuffer &object) {
  auto file = llvm::object::ObjectFile::createObjectFile(object.getMemBufferRef());
  if (!file)
    return file.takeError();
  llvm::orc::SymbolMap symbols;
  for (const llvm::object::SymbolRef &symbol : (*file)->symbols()) {
    auto name = symbol.getName();
    if (!name)
      return name.takeError();
    if (void *address = functionOf(*name))
      symbols[jit.getExecutionSession().intern(*name)] = {llvm::orc::ExecutorAddr::fromPtr(address),
                                                          llvm::JITSymbolFlags::Exported};
  }
  if (symbols.empty())
    return llvm::Error::success();
  return jit.getMainJITDylib().define(llvm::orc::absoluteSymbols(std::move(symbols)));
}

Result<NativeKernel> NativeKernel::load(SavedCode saved) {
  std::unique_ptr<llvm::TargetMachine> machine = createMachine(hostProcessor());
  if (!machine)
    return Error{ErrorCode::Internal, "LLVM has no code for this processor", ""};
  auto jit = makeJit(std::move(machine));
  if (!jit)
    return jit.error();
  auto code = std::make_shared<Code>();
  code->jit = std::move(*jit);
  keepObject(*code->jit, code->object);
  auto object = llvm::MemoryBuffer::getMemBufferCopy(saved.object, "kernel");
  if (llvm::Error error = defineCalledFunctions(*code->jit, *object))
    return internalError(std::move(error));
  if (llvm::Error error = code->jit->addObjectFile(std::move(object)))
    return internalError(std::move(error));
  auto address = code->jit->lookup(saved.symbol);
  if (!address)
    return internalError(address.takeError());
  NativeKernel result;
  result.m_program = address->toPtr<Program>();
  result.m_scratchBytes = saved.scratchBytes;
  result.m_checksBounds = saved.checksBounds;
  result.m_notesDoubts = saved.notesDoubts;
  result.m_assertions = std::move(saved.assertions);
  result.m_prints = std::move(saved.prints);
  result.m_assemblies = std::move(saved.assemblies);
  code->symbol = std::move(saved.symbol);
  code->places = std::move(saved.places);
  code->accesses = std::move(saved.accesses);
  result.m_code = std::move(code);
  return result;
}

Result<NativeKernel> NativeKernel::compile(mlir::ModuleOp ttir, const NativeOptions &options,
                                           NativeTexts *texts) {
  Processor processor = hostProcessor();
  if (options.vectorBytes) {
    processor.vectorBytes = options.vectorBytes;
    processor.pairsIntegers &= options.vectorBytes >= 32;
    processor.pairsBf16 &= options.vectorBytes == 64;
    processor.hasAvx512 &= options.vectorBytes == 64;
    processor.tilesIntegers &= options.vectorBytes == 64;
    processor.tilesBf16 &= options.vectorBytes == 64;
  }
  const mlir::OwningOpRef<mlir::ModuleOp> lowered = ttir.clone();
  const cpu::LoweringOptions lowering{.vectorBytes = processor.vectorBytes,
                                      .argumentsOverlap = options.argumentsOverlap,
                                      .checkBounds = options.checkBounds,
                                      .noteDoubts = options.noteDoubts,
                                      .isExact = options.isExact,
                                      .pairsIntegers = processor.pairsIntegers,
                                      .pairsBf16 = processor.pairsBf16,
                                      .tilesIntegers = processor.tilesIntegers,
                                      .tilesBf16 = processor.tilesBf16,
                                      .hasAvx512 = processor.hasAvx512,
                                      .streamsStores = options.streamsStores};
  if (Status status = lower(*lowered, lowering, texts); !status)
    return status.error();
  auto context = std::make_unique<llvm::LLVMContext>();
  std::unique_ptr<llvm::Module> module = translate(*lowered, *context);
  std::unique_ptr<llvm::TargetMachine> machine = createMachine(processor, options.isExact);
  if (!module || !machine)
    return Error{ErrorCode::Internal, "the LLVM dialect has no form in LLVM IR", ""};
  prepareNative(*module, *machine, processor.vectorBytes);
  optimizeNative(*module, *machine);
  if (texts) {
    llvm::raw_string_ostream(texts->llvmIr) << *module;
    texts->assembly = printAssembly(*module, *machine).text;
  }
  auto code = std::make_shared<Code>();
  code->symbol = programSymbols(*module).front();
  code->accesses = describeAccesses(*lowered);
  for (const llvm::DILocation *place : numberPlaces(*module, /*inObject=*/true))
    code->places.push_back(placesOf(place));
  auto jit = makeJit(std::move(machine));
  if (!jit)
    return jit.error();
  code->jit = std::move(*jit);
  keepObject(*code->jit, code->object);
  if (llvm::Error error = defineCalledFunctions(*code->jit, *module))
    return internalError(std::move(error));
  if (llvm::Error error = code->jit->addIRModule({std::move(module), std::move(context)}))
    return internalError(std::move(error));
  auto address = code->jit->lookup(code->symbol);
  if (!address)
    return internalError(address.takeError());
  NativeKernel result;
  result.m_program = address->toPtr<Program>();
  result.m_scratchBytes = cpu::scratchBytes(*lowered);
  result.m_checksBounds = options.checkBounds;
  result.m_notesDoubts = options.noteDoubts;
  for (cpu::Assertion &assertion : cpu::assertionsOf(*lowered))
    result.m_assertions.push_back({std::move(assertion.text), assertion.numElements,
                                   compiler::interpreter::sourcePlaces(assertion.location)});
  for (cpu::Print &print : cpu::printsOf(*lowered))
    result.m_prints.push_back({std::move(print.prefix), print.isHex, std::move(print.values),
                               compiler::interpreter::sourcePlaces(print.location)});
  for (const cpu::Assembly &assembly : cpu::assembliesOf(*lowered))
    result.m_assemblies.push_back({assembly.source, static_cast<size_t>(assembly.numElements),
                                   parseInlineAssembly(assembly.source)});
  result.m_code = std::move(code);
  return result;
}

} // namespace tilescope::native
