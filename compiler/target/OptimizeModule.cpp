// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// The optimizer. Its input is no program as people write it: functions are inlined, blocks are
// unrolled into long stretches without branches, values are in registers, and memory is accessed as
// widely as layouts allow. LLVM's own O3 looks nine times through such code for what the first
// look has found; here each pass that finds something runs as often as others make work for it.
#include "compiler/target/BreakStructPhis.h"
#include "compiler/target/KeepNegations.h"
#include "compiler/target/Nvptx.h"
#include "compiler/target/UnrollShortLoops.h"

#include "llvm/Analysis/CGSCCPassManager.h"
#include "llvm/Analysis/LoopAnalysisManager.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/AggressiveInstCombine/AggressiveInstCombine.h"
#include "llvm/Transforms/IPO/AlwaysInliner.h"
#include "llvm/Transforms/IPO/ConstantMerge.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"
#include "llvm/Transforms/IPO/InferFunctionAttrs.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/ADCE.h"
#include "llvm/Transforms/Scalar/BDCE.h"
#include "llvm/Transforms/Scalar/ConstraintElimination.h"
#include "llvm/Transforms/Scalar/CorrelatedValuePropagation.h"
#include "llvm/Transforms/Scalar/DivRemPairs.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/GVN.h"
#include "llvm/Transforms/Scalar/IndVarSimplify.h"
#include "llvm/Transforms/Scalar/InferAlignment.h"
#include "llvm/Transforms/Scalar/InstSimplifyPass.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopDeletion.h"
#include "llvm/Transforms/Scalar/LoopInstSimplify.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/LoopRotation.h"
#include "llvm/Transforms/Scalar/LoopSink.h"
#include "llvm/Transforms/Scalar/LoopUnrollPass.h"
#include "llvm/Transforms/Scalar/Reassociate.h"
#include "llvm/Transforms/Scalar/SCCP.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimpleLoopUnswitch.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Scalar/SpeculativeExecution.h"
#include "llvm/Transforms/Vectorize/SLPVectorizer.h"
#include "llvm/Transforms/Vectorize/VectorCombine.h"

using namespace llvm;

namespace tilescope::compiler {

/// Whether the vectorizer looks for sums and comparisons that could be those of vectors. Pairs of
/// fp32 are vectors from capability 10.0 on; pairs of 16-bit values are found from the stores on.
/// LLVM has one answer for the process: a worker compiles one kernel at a time.
static void lookForVectorSums(bool wanted) {
  auto &options = cl::getRegisteredOptions();
  if (auto it = options.find("slp-vectorize-hor"); it != options.end())
    static_cast<cl::opt<bool> *>(it->second)->setValue(wanted);
}

/// Whether threads execute the instruction together, so that it may not move into a branch.
/// Source: PTX ISA, "barrier{.cta}" and the qualifiers `.sync` and `.aligned`.
static bool isCollective(StringRef assembly) {
  return assembly.contains(".sync") || assembly.contains(".aligned") ||
         assembly.contains("barrier.cta");
}

/// Whether results follow from operands alone. Kernels call assembly pure that reads memory or a
/// clock, and rely on its staying where it is.
static bool onlyComputes(const InlineAsm &assembly) {
  const StringRef text = assembly.getAsmString();
  return !assembly.hasSideEffects() && !text.contains('[') && !text.contains("%clock") &&
         !text.contains("%globaltimer");
}

/// Says what LLVM cannot see in assembly: that it must stay where all threads execute it, and that
/// it may move freely where it only computes.
static void describeAssembly(Function &function) {
  function.addFnAttr(Attribute::Convergent);
  for (Instruction &instruction : instructions(function)) {
    auto *call = dyn_cast<CallInst>(&instruction);
    if (call == nullptr || !call->isInlineAsm())
      continue;
    const auto *assembly = cast<InlineAsm>(call->getCalledOperand());
    if (isCollective(assembly->getAsmString()))
      call->addFnAttr(Attribute::Convergent);
    if (!onlyComputes(*assembly))
      continue;
    call->setDoesNotAccessMemory();
    call->setDoesNotThrow();
    call->addFnAttr(Attribute::WillReturn);
  }
}

namespace {

/// Cleans the functions that are about to be inlined, most of them libdevice's: once here, not once
/// for each call.
class CleanCalleesPass : public PassInfoMixin<CleanCalleesPass> {
public:
  explicit CleanCalleesPass(FunctionPassManager passes) : m_passes(std::move(passes)) {}

  PreservedAnalyses run(Module &module, ModuleAnalysisManager &analyses) {
    FunctionAnalysisManager &functions =
        analyses.getResult<FunctionAnalysisManagerModuleProxy>(module).getManager();
    for (Function &function : module)
      if (function.hasFnAttribute(Attribute::AlwaysInline) && !function.isDeclaration())
        functions.invalidate(function, m_passes.run(function, functions));
    return PreservedAnalyses::none();
  }

private:
  FunctionPassManager m_passes;
};

} // namespace

static SimplifyCFGPass simplifyBranches() {
  return SimplifyCFGPass(SimplifyCFGOptions().convertSwitchRangeToICmp(true));
}

/// Where loops have their last form: joins what both sides of a branch do.
static SimplifyCFGPass joinBranches() {
  return SimplifyCFGPass(
      SimplifyCFGOptions().convertSwitchRangeToICmp(true).hoistCommonInsts(true).sinkCommonInsts(
          true));
}

static FunctionPassManager cleanCallees() {
  FunctionPassManager passes;
  passes.addPass(simplifyBranches());
  passes.addPass(SROAPass(SROAOptions::ModifyCFG));
  passes.addPass(EarlyCSEPass());
  passes.addPass(InstCombinePass());
  passes.addPass(simplifyBranches());
  return passes;
}

/// What holds in a loop moves out of it.
static void hoistInvariants(FunctionPassManager &passes) {
  passes.addPass(createFunctionToLoopPassAdaptor(LICMPass(LICMOptions()), /*UseMemorySSA=*/true));
}

static void addLoopPasses(FunctionPassManager &passes) {
  LoopPassManager shape;
  shape.addPass(LoopInstSimplifyPass());
  // Rotation copies the head of a loop: what can leave it leaves it first.
  LICMOptions inHead;
  inHead.AllowSpeculation = false;
  shape.addPass(LICMPass(inHead));
  shape.addPass(LoopRotatePass(/*EnableHeaderDuplication=*/true));
  shape.addPass(LICMPass(LICMOptions()));
  shape.addPass(SimpleLoopUnswitchPass(/*NonTrivial=*/true));
  passes.addPass(createFunctionToLoopPassAdaptor(std::move(shape), /*UseMemorySSA=*/true));
  passes.addPass(simplifyBranches());
  // Variables that count are recognized in their folded form.
  passes.addPass(InstCombinePass());

  LoopPassManager count;
  count.addPass(IndVarSimplifyPass());
  count.addPass(LoopDeletionPass());
  count.addPass(UnrollShortLoopsPass());
  count.addPass(LoopFullUnrollPass());
  passes.addPass(createFunctionToLoopPassAdaptor(std::move(count)));
  passes.addPass(SROAPass(SROAOptions::ModifyCFG));
}

/// What is equal, constant or not used: all that makes the code shorter.
static void addScalarPasses(FunctionPassManager &passes) {
  passes.addPass(simplifyBranches());
  passes.addPass(SROAPass(SROAOptions::ModifyCFG));
  // Before folding, which then sees less, and behind it: what is equal when folded.
  passes.addPass(EarlyCSEPass());
  passes.addPass(InstCombinePass());
  passes.addPass(AggressiveInstCombinePass());
  passes.addPass(simplifyBranches());
  passes.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
  // Branches around a few instructions become selections.
  passes.addPass(SpeculativeExecutionPass(/*OnlyIfDivergentTarget=*/true));
  passes.addPass(simplifyBranches());
  passes.addPass(ReassociatePass());
  passes.addPass(ConstraintEliminationPass());
}

static FunctionPassManager optimizeFunctions(bool formsVectors) {
  FunctionPassManager passes;
  addScalarPasses(passes);
  addLoopPasses(passes);
  passes.addPass(GVNPass());
  passes.addPass(SCCPPass());
  passes.addPass(BDCEPass());
  passes.addPass(BreakStructPhisPass());
  passes.addPass(InstCombinePass());
  passes.addPass(CorrelatedValuePropagationPass());
  passes.addPass(ADCEPass());
  hoistInvariants(passes);
  passes.addPass(joinBranches());

  passes.addPass(InferAlignmentPass());
  if (formsVectors) {
    passes.addPass(SLPVectorizerPass());
    passes.addPass(VectorCombinePass());
  }
  passes.addPass(LoopUnrollPass(LoopUnrollOptions(3)));
  passes.addPass(InstCombinePass());
  hoistInvariants(passes);
  passes.addPass(LoopSinkPass());
  passes.addPass(InstSimplifyPass());
  passes.addPass(DivRemPairsPass());
  passes.addPass(simplifyBranches());
  return passes;
}

void optimizeModule(Module &module, TargetMachine &machine, const CodegenOptions &options) {
  for (Function &function : module)
    if (!function.isDeclaration())
      describeAssembly(function);
  lookForVectorSums(options.target.capability >= 100);

  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager callGraph;
  ModuleAnalysisManager modules;
  PassBuilder builder(&machine);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(callGraph);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, callGraph, modules);

  ModulePassManager passes;
  // Those of the target: what libdevice asks about it, and the ranges of its registers.
  builder.invokePipelineStartEPCallbacks(passes, OptimizationLevel::O3);
  passes.addPass(InferFunctionAttrsPass());
  passes.addPass(CleanCalleesPass(cleanCallees()));
  passes.addPass(AlwaysInlinerPass());
  passes.addPass(GlobalDCEPass());
  // On sm_80 the assembler mishandles some vectors that this makes.
  passes.addPass(createModuleToFunctionPassAdaptor(
      optimizeFunctions(options.target.capability != 80), /*EagerlyInvalidate=*/true));
  passes.addPass(GlobalDCEPass());
  passes.addPass(ConstantMergePass());
  if (options.target.capability >= 90)
    passes.addPass(createModuleToFunctionPassAdaptor(KeepNegationsPass()));
  passes.run(module, modules);
}

} // namespace tilescope::compiler
