// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/target/Nvptx.h"

#include "compiler/target/BreakStructPhis.h"
#include "compiler/target/UnrollShortLoops.h"

#include "llvm/Analysis/CGSCCPassManager.h"
#include "llvm/Analysis/LoopAnalysisManager.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/OptBisect.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Target/TargetOptions.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"

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
}

/// Whether the vectorizer looks for sums and comparisons that could be those of vectors. Pairs of
/// fp32 are vectors from capability 10.0 on; pairs of 16-bit values are found from the stores on.
/// LLVM has one answer for the process: a worker compiles one kernel at a time.
static void lookForVectorSums(bool wanted) {
  auto &options = llvm::cl::getRegisteredOptions();
  if (auto it = options.find("slp-vectorize-hor"); it != options.end())
    static_cast<llvm::cl::opt<bool> *>(it->second)->setValue(wanted);
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

/// Whether threads execute the instruction together, so that it may not move into a branch.
/// Source: PTX ISA, "barrier{.cta}" and the qualifiers `.sync` and `.aligned`.
static bool isCollective(llvm::StringRef assembly) {
  return assembly.contains(".sync") || assembly.contains(".aligned") ||
         assembly.contains("barrier.cta");
}

/// Whether results follow from operands alone. Kernels call assembly pure that reads memory or a
/// clock, and rely on its staying where it is.
static bool onlyComputes(const llvm::InlineAsm &assembly) {
  const llvm::StringRef text = assembly.getAsmString();
  return !assembly.hasSideEffects() && !text.contains('[') && !text.contains("%clock") &&
         !text.contains("%globaltimer");
}

/// Says what LLVM cannot see in assembly: that it must stay where all threads execute it, and that
/// it may move freely where it only computes.
static void describeAssembly(llvm::Function &function) {
  function.addFnAttr(llvm::Attribute::Convergent);
  for (llvm::Instruction &instruction : llvm::instructions(function)) {
    auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    if (call == nullptr || !call->isInlineAsm())
      continue;
    const auto *assembly = llvm::cast<llvm::InlineAsm>(call->getCalledOperand());
    if (isCollective(assembly->getAsmString()))
      call->addFnAttr(llvm::Attribute::Convergent);
    if (!onlyComputes(*assembly))
      continue;
    call->setDoesNotAccessMemory();
    call->setDoesNotThrow();
    call->addFnAttr(llvm::Attribute::WillReturn);
  }
}

namespace {
/// Breaks phis of structs, and folds what that leaves where there were any.
struct BreakAndFoldPass : llvm::PassInfoMixin<BreakAndFoldPass> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses) {
    llvm::PreservedAnalyses preserved = BreakStructPhisPass().run(function, analyses);
    if (preserved.areAllPreserved())
      return preserved;
    analyses.invalidate(function, preserved);
    preserved.intersect(llvm::InstCombinePass().run(function, analyses));
    return preserved;
  }
};
} // namespace

void optimizeModule(llvm::Module &module, llvm::TargetMachine &machine,
                    const CodegenOptions &options) {
  for (llvm::Function &function : module)
    if (!function.isDeclaration())
      describeAssembly(function);

  llvm::PipelineTuningOptions tuning;
  tuning.LoopUnrolling = true;
  tuning.LoopInterleaving = true;
  tuning.LoopVectorization = true;
  // On sm_80 the assembler mishandles some vectors that this makes.
  tuning.SLPVectorization = options.target.capability != 80;
  lookForVectorSums(options.target.capability >= 100);

  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager callGraph;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(&machine, tuning);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(callGraph);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, callGraph, modules);
  builder.registerVectorizerStartEPCallback(
      [](llvm::FunctionPassManager &passes, llvm::OptimizationLevel) {
        passes.addPass(BreakAndFoldPass());
      });
  builder.registerLateLoopOptimizationsEPCallback(
      [](llvm::LoopPassManager &passes, llvm::OptimizationLevel) {
        passes.addPass(UnrollShortLoopsPass());
      });
  llvm::ModulePassManager passes =
      builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O3);
  passes.run(module, modules);
}

namespace {
/// Leaves out the pass whose time grows with the square of a block's length: unrolled tiles are
/// long blocks, and the assembler reduces strength again.
class WithoutStrengthReduction : public llvm::OptPassGate {
public:
  explicit WithoutStrengthReduction(llvm::LLVMContext &context)
      : m_context(context), m_previous(context.getOptPassGate()) {
    m_context.setOptPassGate(*this);
  }
  ~WithoutStrengthReduction() override { m_context.setOptPassGate(m_previous); }

  bool isEnabled() const override { return true; }
  bool shouldRunPass(llvm::StringRef pass, llvm::StringRef) const override {
    return pass != "slsr";
  }

private:
  llvm::LLVMContext &m_context;
  llvm::OptPassGate &m_previous;
};
} // namespace

std::string emitPtx(llvm::Module &module, llvm::TargetMachine &machine) {
  const WithoutStrengthReduction gate(module.getContext());
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
  return ptx;
}

std::vector<std::string> kernelSymbols(const llvm::Module &module) {
  std::vector<std::string> symbols;
  for (const llvm::Function &function : module)
    if (isKernel(function) && !function.isDeclaration())
      symbols.push_back(function.getName().str());
  return symbols;
}

} // namespace tilescope::compiler
