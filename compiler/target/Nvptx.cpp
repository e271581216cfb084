// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/target/Nvptx.h"

#include "compiler/target/ShiftedOffsets.h"

#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/OptBisect.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Target/TargetOptions.h"

#include <algorithm>
#include <mutex>

extern "C" {
void LLVMInitializeNVPTXTargetInfo();
void LLVMInitializeNVPTXTarget();
void LLVMInitializeNVPTXTargetMC();
void LLVMInitializeNVPTXAsmPrinter();
}

namespace tilescope::compiler {

static constexpr llvm::StringLiteral kTriple = "nvptx64-nvidia-cuda";

static void setLlvmOption(llvm::StringRef name, llvm::StringRef value) {
  auto &options = llvm::cl::getRegisteredOptions();
  if (auto it = options.find(name); it != options.end())
    it->second->addOccurrence(0, name, value);
}

/// Unrolled blocks are basic blocks of thousands of instructions. Searches whose time grows with
/// the square of that, and that find nothing in such code, are left out or bounded.
static void boundSearches() {
  // Loads that equal earlier ones were merged by EarlyCSE, which looks at each once.
  setLlvmOption("enable-gvn-memdep", "false");
  setLlvmOption("slp-schedule-budget", "10000");
  // Otherwise vectors that are loaded from shared memory are split into loads of their elements,
  // which code generation joins again; each new load costs a walk over its whole block, twice.
  setLlvmOption("vector-combine-max-scan-instrs", "0");
  // Code generation looks again only at blocks that it has changed. Otherwise each change, of however
  // small a block, has it look at all of them again.
  setLlvmOption("cgpp-huge-func", "0");
  // No loop keeps a value in memory from one iteration to the next: values are in registers.
  setLlvmOption("disable-licm-promotion", "true");
}

void initializeNvptx() {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
    // Pointers to shared, constant and local memory in 32 bits: half the registers for addresses.
    setLlvmOption("nvptx-short-ptr", "true");
    boundSearches();
  });
}

std::unique_ptr<llvm::TargetMachine> createTargetMachine(const CodegenOptions &options) {
  std::string error;
  const llvm::Triple triple(kTriple);
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(triple, error);
  if (target == nullptr)
    return nullptr;
  llvm::TargetOptions targetOptions;
  targetOptions.AllowFPOpFusion =
      options.fpFusion ? llvm::FPOpFusion::Fast : llvm::FPOpFusion::Standard;
  targetOptions.TrapUnreachable = true;
  targetOptions.MCOptions.AsmVerbose = true;
  targetOptions.MCOptions.PreserveAsmComments = true;
  const std::string features = "+ptx" + std::to_string(options.ptxVersion);
  return std::unique_ptr<llvm::TargetMachine>(target->createTargetMachine(
      triple, options.target.processor(), features, targetOptions, llvm::Reloc::PIC_, std::nullopt,
      // `Aggressive` numbers all values twice more, and selects the same instructions.
      llvm::CodeGenOptLevel::Default));
}

static bool isKernel(const llvm::Function &function) {
  return function.getCallingConv() == llvm::CallingConv::PTX_Kernel;
}

/// Takes the forms of the approximations that keep denormals.
static void keepDenormals(llvm::Module &module) {
  static constexpr std::pair<const char *, const char *> kForms[] = {
      {"llvm.nvvm.ex2.approx.ftz.f32", "llvm.nvvm.ex2.approx.f32"},
      {"llvm.nvvm.sqrt.approx.ftz.f", "llvm.nvvm.sqrt.approx.f"},
      {"llvm.nvvm.rsqrt.approx.ftz.f", "llvm.nvvm.rsqrt.approx.f"}};
  for (auto [flushing, keeping] : kForms)
    if (llvm::Function *function = module.getFunction(flushing)) {
      function->replaceAllUsesWith(
          module.getOrInsertFunction(keeping, function->getFunctionType()).getCallee());
      function->eraseFromParent();
    }
}

void prepareModule(llvm::Module &module, llvm::TargetMachine &machine,
                   const CodegenOptions &options) {
  module.setTargetTriple(machine.getTargetTriple());
  module.setDataLayout(machine.createDataLayout());
  constexpr llvm::StringLiteral kFlag = "nvvm-reflect-ftz";
  if (module.getModuleFlag(kFlag) == nullptr)
    module.addModuleFlag(llvm::Module::Override, kFlag, options.flushDenormalsInLibdevice);
  if (!options.flushDenormalsInLibdevice)
    keepDenormals(module);
  for (llvm::Function &function : module) {
    if (function.isDeclaration() || isKernel(function))
      continue;
    function.setLinkage(llvm::GlobalValue::InternalLinkage);
    if (!function.hasFnAttribute(llvm::Attribute::NoInline) &&
        !function.hasFnAttribute(llvm::Attribute::OptimizeNone))
      function.addFnAttr(llvm::Attribute::AlwaysInline);
  }
}

static unsigned mostInstructions(const llvm::Module &module) {
  unsigned most = 0;
  for (const llvm::Function &function : module)
    most = std::max(most, function.getInstructionCount());
  return most;
}

namespace {
/// Leaves out passes whose time grows faster than the code, where unrolled blocks make it long.
/// There they change next to nothing: the assembler reduces strength again, and the lowering has
/// made memory accesses wide.
class ProportionalPasses : public llvm::OptPassGate {
public:
  explicit ProportionalPasses(const llvm::Module &module)
      : m_context(module.getContext()), m_previous(m_context.getOptPassGate()),
        m_instructions(mostInstructions(module)) {
    m_context.setOptPassGate(*this);
  }
  ~ProportionalPasses() override { m_context.setOptPassGate(m_previous); }

  bool isEnabled() const override { return true; }
  bool shouldRunPass(llvm::StringRef pass, llvm::StringRef) const override {
    if (pass == "slsr")
      return false;
    // LLVM asks about function passes by their arguments, about loop passes by their names.
    if (pass == "loop-reduce" || pass == "Loop Strength Reduction")
      return m_instructions < kManyForLoops;
    if (pass == "load-store-vectorizer")
      return m_instructions < kManyForVectors;
    return true;
  }

private:
  static constexpr unsigned kManyForLoops = 4300;
  static constexpr unsigned kManyForVectors = 17000;

  llvm::LLVMContext &m_context;
  llvm::OptPassGate &m_previous;
  unsigned m_instructions;
};
} // namespace

std::string emitPtx(llvm::Module &module, llvm::TargetMachine &machine) {
  const ProportionalPasses gate(module);
  llvm::SmallString<0> buffer;
  llvm::raw_svector_ostream stream(buffer);
  llvm::legacy::PassManager passes;
  // The optimizer's input was verified before.
  if (machine.addPassesToEmitFile(passes, stream, nullptr, llvm::CodeGenFileType::AssemblyFile,
                                  /*DisableVerify=*/true))
    return {};
  passes.run(module);
  std::string ptx = buffer.str().str();
  // The directive asks the assembler to compile for a debugger, without optimization.
  if (const size_t at = ptx.find(", debug"); at != std::string::npos && at < 300)
    ptx.erase(at, 7);
  return shiftLoopOffsets(ptx);
}

std::vector<std::string> kernelSymbols(const llvm::Module &module) {
  std::vector<std::string> symbols;
  for (const llvm::Function &function : module)
    if (isKernel(function) && !function.isDeclaration())
      symbols.push_back(function.getName().str());
  return symbols;
}

} // namespace tilescope::compiler
