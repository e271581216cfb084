// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/native/Processor.h"

#include "compiler/artifacts/CpuTarget.h"
#include "compiler/native/TilePermission.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/X86TargetParser.h"

#include <algorithm>
#include <fstream>
#include <mutex>
#include <thread>

extern "C" {
void LLVMInitializeX86TargetInfo();
void LLVMInitializeX86Target();
void LLVMInitializeX86TargetMC();
void LLVMInitializeX86AsmPrinter();
void LLVMInitializeAArch64TargetInfo();
void LLVMInitializeAArch64Target();
void LLVMInitializeAArch64TargetMC();
void LLVMInitializeAArch64AsmPrinter();
}

namespace tilescope::native {

/// This pass of LLVM 22 ends the process on some masked accesses of AVX2, whose sizes are not known. Only an option
/// turns it off.
static void turnOffStoreForwardingPass() {
  auto &options = llvm::cl::getRegisteredOptions();
  if (auto known = options.find("x86-disable-avoid-SFB"); known != options.end())
    static_cast<llvm::cl::opt<bool> *>(known->second)->setValue(true);
}

static void initializeTargets() {
  static std::once_flag once;
  std::call_once(once, [] {
    turnOffStoreForwardingPass();
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmPrinter();
    LLVMInitializeAArch64TargetInfo();
    LLVMInitializeAArch64Target();
    LLVMInitializeAArch64TargetMC();
    LLVMInitializeAArch64AsmPrinter();
  });
}

/// Chooses the form of code by what the processor has.
static void chooseForm(Processor &processor, const llvm::StringMap<bool> &features) {
  const auto has = [&](std::initializer_list<llvm::StringRef> all) {
    return llvm::all_of(all, [&](llvm::StringRef feature) { return features.lookup(feature); });
  };
  processor.hasAvx512 = has({"avx512f", "avx512vl", "avx512bw", "avx512dq"});
  if (processor.hasAvx512)
    processor.vectorBytes = 64;
  else if (has({"avx2"}))
    processor.vectorBytes = 32;
  processor.pairsIntegers = has({"avx2"});
  processor.pairsBf16 = processor.hasAvx512 && has({"avx512bf16"});
  processor.tilesIntegers = processor.hasAvx512 && has({"amx-tile", "amx-int8"});
  processor.tilesBf16 = processor.hasAvx512 && has({"amx-tile", "amx-bf16"});
}

Processor hostProcessor() {
  Processor processor{llvm::sys::getProcessTriple(), llvm::sys::getHostCPUName().str(), {}};
  llvm::StringMap<bool> features = llvm::sys::getHostCPUFeatures();
  const bool mayUseTiles = features.lookup("amx-tile") && requestTiles();
  for (auto &feature : features) {
    feature.second &= mayUseTiles || !feature.first().starts_with("amx-");
    processor.features.push_back((feature.second ? "+" : "-") + feature.first().str());
  }
  std::ranges::sort(processor.features);
  chooseForm(processor, features);
  return processor;
}

/// As the system writes it, such as `32768K`; 0: it does not say.
static uint64_t cacheBytes(unsigned index) {
  std::ifstream file("/sys/devices/system/cpu/cpu0/cache/index" + std::to_string(index) + "/size");
  uint64_t size = 0;
  char unit = 0;
  if (!(file >> size))
    return 0;
  file >> unit;
  return unit == 'K' ? size << 10 : unit == 'M' ? size << 20 : size;
}

uint64_t lastCacheBytes() {
  // The C library counts the caches of all cores of a chip together, of which a core uses its own.
  static constexpr uint64_t kUsual = uint64_t{32} << 20;
  // No chip has more for each of its processors. A virtual machine with a few processors of a large chip is told of the
  // whole cache, which others fill, too.
  static constexpr uint64_t kMostPerProcessor = uint64_t{16} << 20;
  // Each launch asks.
  static const uint64_t largest = [] {
    uint64_t last = 0;
    for (unsigned index = 0; const uint64_t bytes = cacheBytes(index); ++index)
      last = std::max(last, bytes);
    const uint64_t numProcessors = std::max(1U, std::thread::hardware_concurrency());
    return std::min(last > 0 ? last : kUsual, kMostPerProcessor * numProcessors);
  }();
  return largest;
}

Processor processorOf(std::string_view target) {
  const auto known = std::ranges::find(compiler::kCpuTargets, target, &compiler::CpuTarget::name);
  if (known == compiler::kCpuTargets.end() || known->triple.empty())
    return hostProcessor();
  const std::string name(target.substr(target.find(':') + 1));
  Processor processor{std::string(known->triple), name, {}, known->vectorBytes};
  if (llvm::Triple(processor.triple).isX86()) {
    llvm::SmallVector<llvm::StringRef> named;
    llvm::X86::getFeaturesForCPU(name, named);
    llvm::StringMap<bool> features;
    for (const llvm::StringRef feature : named) {
      features[feature] = true;
      llvm::X86::updateImpliedFeatures(feature, true, features);
    }
    chooseForm(processor, features);
  }
  return processor;
}

std::unique_ptr<llvm::TargetMachine> createMachine(const Processor &processor, bool isExact) {
  initializeTargets();
  const llvm::Triple triple(processor.triple);
  std::string error;
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(triple, error);
  if (!target)
    return nullptr;
  std::vector<std::string> features = processor.features;
  // These instructions take denormal numbers for zero.
  if (triple.isX86())
    features.insert(features.end(), {"-avx512bf16", "-avxneconvert"});
  llvm::TargetOptions options;
  // A product and a sum may become one operation with one rounding, as on GPUs.
  options.AllowFPOpFusion = isExact ? llvm::FPOpFusion::Strict : llvm::FPOpFusion::Fast;
  // As Intel and AMD write instructions.
  if (triple.isX86())
    options.MCOptions.OutputAsmVariant = 1;
  return std::unique_ptr<llvm::TargetMachine>(
      target->createTargetMachine(triple, processor.name, llvm::join(features, ","), options,
                                  llvm::Reloc::PIC_, std::nullopt, llvm::CodeGenOptLevel::Default));
}

} // namespace tilescope::native
