// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Some of LLVM's passes take a time that grows with the square of the number of loops in a nest. They are left out
// where that counts.
#include "compiler/native/OptimizeNative.h"

#include "compiler/native/Processor.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Target/TargetMachine.h"

#include <catch2/catch.hpp>
#include <stdexcept>
#include <string>

using namespace tilescope;

/// A loop of unknown length around so many, whose indices are extended in each round.
static std::string nestOf(int numInner) {
  std::string text = "declare void @work(i64)\n"
                     "define void @k(i64 %n, i32 %m) {\n  br label %outer\nouter:\n"
                     "  %i = phi i64 [0, %0], [%next, %last]\n  br label %l0\n";
  for (int i = 0; i < numInner; ++i) {
    const std::string loop = "l" + std::to_string(i), j = "%j" + std::to_string(i);
    const std::string before = i == 0 ? "outer" : "l" + std::to_string(i - 1);
    const std::string after = i + 1 < numInner ? "l" + std::to_string(i + 1) : "last";
    text += loop + ":\n  " + j + " = phi i32 [0, %" + before + "], [" + j + "n, %" + loop +
            "]\n  " + j + "w = sext i32 " + j + " to i64\n  call void @work(i64 " + j + "w)\n  " +
            j + "n = add nsw i32 " + j + ", 1\n  " + j + "d = icmp slt i32 " + j +
            "n, %m\n  br i1 " + j + "d, label %" + loop + ", label %" + after + "\n";
  }
  return text + "last:\n  %next = add i64 %i, 1\n  %done = icmp eq i64 %next, %n\n"
                "  br i1 %done, label %end, label %outer\nend:\n  ret void\n}\n";
}

static std::unique_ptr<llvm::Module> optimized(llvm::LLVMContext &context,
                                               const std::string &text) {
  llvm::SMDiagnostic error;
  std::unique_ptr<llvm::Module> module = llvm::parseAssemblyString(text, error, context);
  if (!module)
    throw std::runtime_error(error.getMessage().str());
  const auto machine = native::createMachine(native::processorOf("cpu:x86-64-v3"));
  native::prepareNative(*module, *machine, 32);
  native::optimizeNative(*module, *machine);
  return module;
}

/// How many extensions are left.
static int numExtensions(int numInner) {
  llvm::LLVMContext context;
  const std::unique_ptr<llvm::Module> module = optimized(context, nestOf(numInner));
  int extensions = 0;
  for (const llvm::Instruction &instruction : llvm::instructions(*module->getFunction("k")))
    extensions += llvm::isa<llvm::SExtInst, llvm::ZExtInst>(instruction);
  return extensions;
}

TEST_CASE("indices are widened, but not in nests of very many loops", "[compiler][native]") {
  CHECK(numExtensions(20) < 20);
  CHECK(numExtensions(200) >= 200);
}

TEST_CASE("numbers of bf16 go from block to block as their bits", "[compiler][native]") {
  llvm::LLVMContext context;
  const std::unique_ptr<llvm::Module> module = optimized(context, R"(
declare <8 x bfloat> @work(<8 x bfloat>)
define bfloat @k(i64 %n, bfloat %first, bfloat %second, i1 %isFirst) {
  %begin = select i1 %isFirst, bfloat %first, bfloat %second
  br label %loop
loop:
  %i = phi i64 [0, %0], [%next, %loop]
  %x = phi bfloat [%begin, %0], [%last, %loop]
  %y = phi bfloat [0xR3F80, %0], [%x, %loop]
  %one = insertelement <8 x bfloat> poison, bfloat %y, i64 0
  %all = call <8 x bfloat> @work(<8 x bfloat> %one)
  %last = extractelement <8 x bfloat> %all, i64 7
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %end, label %loop
end:
  ret bfloat %last
}
)");
  std::string errors;
  llvm::raw_string_ostream stream(errors);
  CHECK_FALSE(llvm::verifyModule(*module, &stream));
  CHECK(errors == "");
  int numPhis = 0;
  for (const llvm::Instruction &instruction : llvm::instructions(*module->getFunction("k"))) {
    CHECK_FALSE(
        (instruction.getType()->isBFloatTy() &&
         llvm::isa<llvm::PHINode, llvm::SelectInst, llvm::ExtractElementInst>(instruction)));
    CHECK_FALSE((llvm::isa<llvm::InsertElementInst>(instruction) &&
                 instruction.getOperand(1)->getType()->isBFloatTy()));
    numPhis += instruction.getType()->isIntegerTy(16) && llvm::isa<llvm::PHINode>(instruction);
  }
  CHECK(numPhis == 2);
}
