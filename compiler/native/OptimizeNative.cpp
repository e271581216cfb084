// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/native/OptimizeNative.h"

#include "compiler/native/Bf16Bits.h"

#include "llvm/Analysis/CGSCCPassManager.h"
#include "llvm/Analysis/LoopAnalysisManager.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsX86.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassInstrumentation.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;

namespace tilescope::native {

static constexpr unsigned kNeonBytes = 16;

/// Whether it has instructions for bf16, which only such functions may use: where LLVM itself converts to bf16 with
/// those of the same set, it takes denormal numbers for zero.
static bool usesBf16(const Function &function) {
  for (const Instruction &instruction : instructions(function))
    if (const auto *call = dyn_cast<IntrinsicInst>(&instruction))
      if (call->getIntrinsicID() == Intrinsic::x86_avx512bf16_dpbf16ps_512 ||
          call->getIntrinsicID() == Intrinsic::x86_avx512bf16_cvtne2ps2bf16_512)
        return true;
  return false;
}

void prepareNative(Module &module, TargetMachine &machine, unsigned vectorBytes) {
  module.setDataLayout(machine.createDataLayout());
  module.setTargetTriple(machine.getTargetTriple());
  for (Function &function : module) {
    function.addFnAttr("target-cpu", machine.getTargetCPU());
    const std::string features = machine.getTargetFeatureString().str();
    function.addFnAttr("target-features",
                       usesBf16(function) ? features + ",+avx512bf16" : features);
    // The lowering has chosen the width: LLVM shall not halve it to keep clocks high.
    function.addFnAttr("prefer-vector-width", "512");
    function.addFnAttr("no-trapping-math", "true");
    // Registers of a length that instructions ask for at run time: the lowering has chosen it.
    if (machine.getTargetTriple().isAArch64() && vectorBytes > kNeonBytes)
      function.addFnAttr(Attribute::getWithVScaleRangeArgs(
          module.getContext(), vectorBytes / kNeonBytes, vectorBytes / kNeonBytes));
  }
}

/// For each loop that they change, these passes forget what is known of the whole nest around it, and find it out again.
/// In a nest of hundreds of loops, as a sort in a loop is, they take ten times as long as all others, and change little.
static bool isSlowOnNests(StringRef pass) {
  return pass == "IndVarSimplifyPass" || pass == "LoopFullUnrollPass";
}

/// In nests of more loops, they are left out. Those of the examples have 16 at most.
static constexpr size_t kMostLoops = 64;

static bool shallRun(StringRef pass, const Any &unit) {
  if (!isSlowOnNests(pass))
    return true;
  const auto *loop = any_cast<const Loop *>(&unit);
  return !loop || (*loop)->getOutermostLoop()->getLoopsInPreorder().size() <= kMostLoops;
}

void optimizeNative(Module &module, TargetMachine &machine) {
  PipelineTuningOptions tuning;
  tuning.LoopVectorization = false;
  tuning.SLPVectorization = false;
  PassInstrumentationCallbacks callbacks;
  callbacks.registerShouldRunOptionalPassCallback(shallRun);
  PassBuilder builder(&machine, tuning, std::nullopt, &callbacks);
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager graphs;
  ModuleAnalysisManager modules;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(graphs);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, graphs, modules);
  builder.buildPerModuleDefaultPipeline(OptimizationLevel::O2).run(module, modules);
  for (Function &function : module)
    keepBf16AsBits(function);
}

std::vector<std::string> programSymbols(const Module &module) {
  std::vector<std::string> symbols;
  for (const Function &function : module)
    if (!function.isDeclaration() && !function.hasLocalLinkage())
      symbols.push_back(function.getName().str());
  return symbols;
}

} // namespace tilescope::native
