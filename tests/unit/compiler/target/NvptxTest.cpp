// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/target/Nvptx.h"

#include "compiler/target/BreakStructPhis.h"
#include "compiler/target/CudaToolkit.h"
#include "compiler/target/Libdevice.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Target/TargetMachine.h"

#include <catch2/catch.hpp>

using namespace tilescope;
using namespace tilescope::compiler;

static std::unique_ptr<llvm::Module> parse(llvm::LLVMContext &context, const char *text) {
  llvm::SMDiagnostic error;
  std::unique_ptr<llvm::Module> module = llvm::parseAssemblyString(text, error, context);
  INFO(error.getMessage().str());
  REQUIRE(module);
  return module;
}

static std::string compileToPtx(llvm::Module &module, const CodegenOptions &options) {
  initializeNvptx();
  std::unique_ptr<llvm::TargetMachine> machine = createTargetMachine(options);
  REQUIRE(machine);
  prepareModule(module, *machine, options);
  optimizeModule(module, *machine, options);
  return emitPtx(module, *machine);
}

static constexpr const char *kMultiplyAdd = R"(
define ptx_kernel void @k(ptr addrspace(1) %p, float %a, float %b) {
  %m = fmul float %a, %b
  %s = fadd float %m, 1.0
  store float %s, ptr addrspace(1) %p
  ret void
}
)";

TEST_CASE("a branch around a few instructions becomes a selection", "[compiler]") {
  llvm::LLVMContext context;
  const auto module = parse(context, R"(
define ptx_kernel void @k(ptr addrspace(1) %p, i32 %n, i32 %a) {
  %c = icmp slt i32 %n, 7
  br i1 %c, label %less, label %end
less:
  %s = shl i32 %a, 1
  %t = add i32 %s, 3
  br label %end
end:
  %r = phi i32 [ %t, %less ], [ %a, %0 ]
  store i32 %r, ptr addrspace(1) %p
  ret void
}
)");
  CodegenOptions options;
  options.target = {90};
  const std::string ptx = compileToPtx(*module, options);
  CHECK(ptx.find("selp.b32") != std::string::npos);
  CHECK(ptx.find("bra") == std::string::npos);
}

/// A loop that stores to `p[i * stride]` and adds up `count` products in one long block.
static std::string longLoop(int count) {
  std::string text = R"(
define ptx_kernel void @k(ptr addrspace(1) %p, i64 %n, i64 %stride, float %x) {
entry:
  br label %body
body:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %v0 = phi float [ %x, %entry ], [ %v, %body ]
)";
  for (int i = 1; i <= count; ++i) {
    const std::string now = std::to_string(i), before = std::to_string(i - 1);
    text += "  %v" + now + " = call float @llvm.fma.f32(float %v" + before +
            ", float %x, float %v" + before + ")\n";
  }
  text += "  %v = fadd float %v" + std::to_string(count) + R"(, 1.0
  %at = mul i64 %i, %stride
  %place = getelementptr float, ptr addrspace(1) %p, i64 %at
  store float %v, ptr addrspace(1) %place
  %next = add i64 %i, 1
  %again = icmp slt i64 %next, %n
  br i1 %again, label %body, label %end
end:
  ret void
}
declare float @llvm.fma.f32(float, float, float)
)";
  return text;
}

TEST_CASE("products of loop counters become sums, but not in long code", "[compiler]") {
  CodegenOptions options;
  options.target = {90};
  const auto multiplies = [&](int count) {
    llvm::LLVMContext context;
    const auto module = parse(context, longLoop(count).c_str());
    const std::string ptx = compileToPtx(*module, options);
    return ptx.find("mul.lo.s64") != std::string::npos ||
           ptx.find("mad.lo.s64") != std::string::npos;
  };
  CHECK_FALSE(multiplies(1000));
  CHECK(multiplies(5000));
}

TEST_CASE("LLVM IR becomes PTX for every target", "[compiler]") {
  for (int capability : {80, 86, 89, 90, 100, 120}) {
    llvm::LLVMContext context;
    std::unique_ptr<llvm::Module> module = parse(context, kMultiplyAdd);
    CHECK(kernelSymbols(*module) == std::vector<std::string>{"k"});
    CodegenOptions options;
    options.target = {capability};
    options.ptxVersion = choosePtxVersion(options.target, 0, 0);
    const std::string ptx = compileToPtx(*module, options);
    CHECK(ptx.find(".target " + options.target.processor() + "\n") != std::string::npos);
    CHECK(ptx.find(".visible .entry k(") != std::string::npos);
    CHECK(ptx.find("fma.rn.f32") != std::string::npos);
  }
}

TEST_CASE("fusing can be turned off", "[compiler]") {
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module = parse(context, kMultiplyAdd);
  CodegenOptions options;
  options.fpFusion = false;
  const std::string ptx = compileToPtx(*module, options);
  CHECK(ptx.find("fma.rn.f32") == std::string::npos);
  CHECK(ptx.find("mul.rn.f32") != std::string::npos);
}

TEST_CASE("approximations can keep denormals", "[compiler]") {
  static constexpr const char *kApproximations = R"(
declare float @llvm.nvvm.ex2.approx.ftz.f32(float)
declare float @llvm.nvvm.ex2.approx.f32(float)
declare float @llvm.nvvm.rsqrt.approx.ftz.f(float)
define ptx_kernel void @k(ptr addrspace(1) %p, float %a) {
  %e = call float @llvm.nvvm.ex2.approx.ftz.f32(float %a)
  %f = call float @llvm.nvvm.ex2.approx.f32(float %e)
  %r = call float @llvm.nvvm.rsqrt.approx.ftz.f(float %f)
  store float %r, ptr addrspace(1) %p
  ret void
})";
  for (bool flush : {true, false}) {
    llvm::LLVMContext context;
    std::unique_ptr<llvm::Module> module = parse(context, kApproximations);
    CodegenOptions options;
    options.flushDenormalsInLibdevice = flush;
    const std::string ptx = compileToPtx(*module, options);
    INFO(ptx);
    CHECK((ptx.find("ex2.approx.ftz.f32") != std::string::npos) == flush);
    CHECK((ptx.find("rsqrt.approx.ftz.f32") != std::string::npos) == flush);
    CHECK(ptx.find("ex2.approx.f32") != std::string::npos);
  }
}

static constexpr const char *kCallsLibdevice = R"(
declare float @__nv_sqrtf(float)
define ptx_kernel void @k(ptr addrspace(1) %p, float %a) {
  %s = call float @__nv_sqrtf(float %a)
  store float %s, ptr addrspace(1) %p
  ret void
}
)";

TEST_CASE("libdevice functions are linked and inlined", "[compiler]") {
  const CudaToolkit toolkit = findCudaToolkit();
  if (toolkit.libdevice.empty()) {
    WARN("skipped: this machine has no libdevice");
    return;
  }
  Libdevice libdevice(toolkit.libdevice);
  for (int round = 0; round < 2; ++round) {
    llvm::LLVMContext context;
    std::unique_ptr<llvm::Module> module = parse(context, kCallsLibdevice);
    initializeNvptx();
    CodegenOptions options;
    std::unique_ptr<llvm::TargetMachine> machine = createTargetMachine(options);
    prepareModule(*module, *machine, options);
    REQUIRE(libdevice.linkInto(*module));
    prepareModule(*module, *machine, options);
    optimizeModule(*module, *machine, options);
    const std::string ptx = emitPtx(*module, *machine);
    CHECK(ptx.find("sqrt.approx.ftz.f32") != std::string::npos);
    CHECK(ptx.find("call") == std::string::npos);
  }
}

TEST_CASE("what threads execute together stays outside branches", "[compiler]") {
  const auto usedInBranch = [](const std::string &assembly) {
    llvm::LLVMContext context;
    std::unique_ptr<llvm::Module> module = parse(context, (R"(
define ptx_kernel void @k(ptr addrspace(1) %p, i32 %x, i32 %y) {
  %v = call i32 asm ")" + assembly + " $0, " + (assembly.starts_with("ld") ? "[$1]" : "$1") +
                                                           R"(;", "=r,r"(i32 %x)
  %c = icmp eq i32 %y, 7
  br i1 %c, label %yes, label %no
yes:
  store i32 %v, ptr addrspace(1) %p
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br label %no
no:
  ret void
}
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
)")
                                                              .c_str());
    const std::string ptx = compileToPtx(*module, {});
    const size_t branch = ptx.find("bra");
    REQUIRE(branch != std::string::npos);
    return ptx.find(assembly) > branch;
  };
  CHECK(usedInBranch("brev.b32"));
  CHECK_FALSE(usedInBranch("ld.shared.b32"));
  CHECK_FALSE(usedInBranch("redux.sync.add.s32"));
}

TEST_CASE("a missing libdevice is named with the functions that need it", "[compiler]") {
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module = parse(context, kCallsLibdevice);
  const Status status = Libdevice("").linkInto(*module);
  REQUIRE_FALSE(status);
  CHECK(status.error().message == "no libdevice for `__nv_sqrtf`");
  std::unique_ptr<llvm::Module> needsNone = parse(context, kMultiplyAdd);
  CHECK(Libdevice("").linkInto(*needsNone));
}

TEST_CASE("a phi of a struct becomes a phi per element", "[compiler]") {
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module = parse(context, R"(
define {float, float} @f(i1 %c, {float, float} %a, {float, float} %b) {
entry:
  br i1 %c, label %left, label %join
left:
  br label %join
join:
  %s = phi {float, float} [%a, %entry], [%b, %left]
  ret {float, float} %s
}
)");
  llvm::Function &function = *module->getFunction("f");
  llvm::FunctionAnalysisManager analyses;
  BreakStructPhisPass().run(function, analyses);
  CHECK_FALSE(llvm::verifyModule(*module, &llvm::errs()));
  unsigned numPhis = 0;
  for (llvm::PHINode &phi : function.back().phis()) {
    CHECK(phi.getType()->isFloatTy());
    ++numPhis;
  }
  CHECK(numPhis == 2);
}

TEST_CASE("a vector of shared memory is loaded as one, whatever its elements are used for",
          "[compiler]") {
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module = parse(context, R"(
define ptx_kernel void @k(ptr addrspace(3) %p, ptr addrspace(1) %q) {
  %v = load <4 x float>, ptr addrspace(3) %p, align 16
  %x = extractelement <4 x float> %v, i32 0
  %y = extractelement <4 x float> %v, i32 1
  %z = extractelement <4 x float> %v, i32 2
  %w = extractelement <4 x float> %v, i32 3
  %s = fmul float %x, %y
  %t = fadd float %s, %z
  %u = fmul float %t, %w
  store float %u, ptr addrspace(1) %q
  ret void
}
)");
  initializeNvptx();
  std::unique_ptr<llvm::TargetMachine> machine = createTargetMachine({});
  prepareModule(*module, *machine, {});
  optimizeModule(*module, *machine, {});
  std::vector<const llvm::Type *> loaded;
  for (const llvm::Instruction &instruction : module->getFunction("k")->front())
    if (llvm::isa<llvm::LoadInst>(instruction))
      loaded.push_back(instruction.getType());
  REQUIRE(loaded.size() == 1);
  CHECK(loaded.front()->isVectorTy());
}

/// A loop over rows of 512 bytes that adds them up, each once more times itself `depth` times, and
/// so many additions behind it.
static std::string sumOfRows(int rows, int depth, int behind) {
  std::string body;
  std::string sum = "%s";
  for (int i = 0; i < depth; ++i) {
    body += "  %m" + std::to_string(i) + " = fmul float " + sum + ", %x\n";
    sum = "%m" + std::to_string(i);
  }
  std::string end;
  std::string total = "%t";
  for (int i = 0; i < behind; ++i) {
    end += "  %e" + std::to_string(i) + " = fadd float " + total + ", %t\n";
    total = "%e" + std::to_string(i);
  }
  return R"(
define ptx_kernel void @k(ptr addrspace(1) %p, ptr addrspace(1) %q) {
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %next, %loop ]
  %s = phi float [ 0.0, %0 ], [ %t, %loop ]
  %at = shl i32 %i, 7
  %a = getelementptr float, ptr addrspace(1) %p, i32 %at
  %x = call float asm sideeffect "ld.global.b32 $0, [ $1 + 0 ];", "=f,l"(ptr addrspace(1) %a)
)" + body +
         "  %t = fadd float " + sum + R"(, %x
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, )" +
         std::to_string(rows) + R"(
  br i1 %more, label %loop, label %end
end:
)" + end +
         "  store float " + total + R"(, ptr addrspace(1) %q
  ret void
}
)";
}

TEST_CASE("the loads of a short loop are under way at once", "[compiler]") {
  const auto loads = [](int rows, int depth, int behind = 0) {
    llvm::LLVMContext context;
    std::unique_ptr<llvm::Module> module = parse(context, sumOfRows(rows, depth, behind).c_str());
    CodegenOptions options;
    options.target = {90};
    options.ptxVersion = choosePtxVersion(options.target, 0, 0);
    const std::string ptx = compileToPtx(*module, options);
    int count = 0;
    for (size_t at = 0; (at = ptx.find("ld.global.b32", at)) != std::string::npos; ++at)
      ++count;
    return count;
  };
  CHECK(loads(16, 16) == 16);
  CHECK(loads(16, 100) < 16);
  CHECK(loads(64, 16) < 64);
  // Registers are in use already.
  CHECK(loads(16, 16, 3000) < 16);
}

// The assembler loses a negation that goes into two maxima.
TEST_CASE("no maximum gets a negation", "[compiler]") {
  const auto ptxFor = [](int capability) {
    llvm::LLVMContext context;
    const auto module = parse(context, R"(
define ptx_kernel void @k(ptr addrspace(1) %p, i32 %a, i32 %b, i16 %c, i16 %d) {
  %n = sub i32 0, %a
  %m = call i32 @llvm.smax.i32(i32 %b, i32 %n)
  store i32 %m, ptr addrspace(1) %p
  %o = sub i16 0, %c
  %q = call i16 @llvm.smin.i16(i16 %o, i16 %d)
  %r = getelementptr i8, ptr addrspace(1) %p, i64 4
  store i16 %q, ptr addrspace(1) %r
  ret void
}
declare i32 @llvm.smax.i32(i32, i32)
declare i16 @llvm.smin.i16(i16, i16)
)");
    CodegenOptions options;
    options.target.capability = capability;
    return compileToPtx(*module, options);
  };
  const std::string ptx = ptxFor(90);
  INFO(ptx);
  CHECK(ptx.find("neg.s") == std::string::npos);
  CHECK(ptx.find("not.b32") != std::string::npos);
  CHECK(ptx.find("not.b16") != std::string::npos);
  CHECK(ptxFor(80).find("not.b") == std::string::npos);
}
