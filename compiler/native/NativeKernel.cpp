// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/native/NativeKernel.h"

#include "compiler/conversion/tt_to_cpu/TtToCpu.h"
#include "compiler/native/OptimizeNative.h"

#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Host.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"

#include <mutex>

namespace tilescope::native {

Processor hostProcessor() {
  Processor processor{llvm::sys::getHostCPUName().str()};
  const llvm::StringMap<bool> features = llvm::sys::getHostCPUFeatures();
  if (features.lookup("avx512f") && features.lookup("avx512vl") && features.lookup("avx512bw"))
    processor.vectorBytes = 64;
  else if (features.lookup("avx2"))
    processor.vectorBytes = 32;
  return processor;
}

static void initializeHost() {
  static std::once_flag once;
  std::call_once(once, [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
  });
}

static Error internalError(llvm::Error error) {
  return {ErrorCode::Internal, llvm::toString(std::move(error)), ""};
}

/// Describes code for this processor.
static Result<llvm::orc::JITTargetMachineBuilder> describeHost() {
  initializeHost();
  auto host = llvm::orc::JITTargetMachineBuilder::detectHost();
  if (!host)
    return internalError(host.takeError());
  // These instructions take denormal numbers for zero.
  host->getFeatures().AddFeature("avx512bf16", false);
  host->getFeatures().AddFeature("avxneconvert", false);
  // A product and a sum may become one operation with one rounding, as on GPUs.
  host->getOptions().AllowFPOpFusion = llvm::FPOpFusion::Fast;
  return std::move(*host);
}

static Result<std::unique_ptr<llvm::orc::LLJIT>>
makeJit(llvm::orc::JITTargetMachineBuilder machine) {
  auto jit = llvm::orc::LLJITBuilder()
                 .setJITTargetMachineBuilder(std::move(machine))
                 .setPlatformSetUp(llvm::orc::setUpInactivePlatform)
                 .create();
  if (!jit)
    return internalError(jit.takeError());
  auto library = llvm::orc::DynamicLibrarySearchGenerator::GetForCurrentProcess(
      (*jit)->getDataLayout().getGlobalPrefix());
  if (!library)
    return internalError(library.takeError());
  (*jit)->getMainJITDylib().addGenerator(std::move(*library));
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

Result<NativeKernel> NativeKernel::compile(mlir::ModuleOp ttir, bool argumentsOverlap,
                                           NativeTexts *texts) {
  const bool wantsTexts = texts && texts->areWanted;
  cpu::CpuKernel kernel = cpu::lowerToCpu(ttir, {hostProcessor().vectorBytes, argumentsOverlap});
  if (!kernel.module)
    return Error{ErrorCode::InvalidInput, "the kernel cannot be compiled for the cpu target", ""};
  if (wantsTexts)
    texts->cpuIr = printModule(*kernel.module);
  if (mlir::failed(cpu::lowerToLlvmDialect(*kernel.module)))
    return Error{ErrorCode::Internal, "the CPU IR has no form in LLVM's dialect", ""};
  auto context = std::make_unique<llvm::LLVMContext>();
  std::unique_ptr<llvm::Module> module = translate(*kernel.module, *context);
  auto host = describeHost();
  if (!module || !host)
    return host ? Error{ErrorCode::Internal, "the LLVM dialect has no form in LLVM IR", ""}
                : host.error();
  auto machine = host->createTargetMachine();
  if (!machine)
    return internalError(machine.takeError());
  optimizeNative(*module, **machine);
  if (wantsTexts) {
    llvm::raw_string_ostream(texts->llvmIr) << *module;
    texts->assembly = printAssembly(*module, **machine);
  }
  auto jit = makeJit(*host);
  if (!jit)
    return jit.error();
  if (llvm::Error error = (*jit)->addIRModule({std::move(module), std::move(context)}))
    return internalError(std::move(error));
  auto address = (*jit)->lookup(kernel.symbol);
  if (!address)
    return internalError(address.takeError());
  NativeKernel result;
  result.m_program = address->toPtr<Program>();
  result.m_scratchBytes = kernel.scratchBytes;
  result.m_code = std::shared_ptr<llvm::orc::LLJIT>(std::move(*jit));
  return result;
}

} // namespace tilescope::native
