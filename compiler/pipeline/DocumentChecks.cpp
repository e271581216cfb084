// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/DocumentChecks.h"

#include "compiler/dialects/tt/ir/Traits.h"
#include "compiler/dialects/ttg/ir/ModuleAttributes.h"

#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "mlir/IR/BuiltinAttributes.h"

namespace tilescope::compiler {

static constexpr int64_t kMaxWarps = 32;
static constexpr int64_t kThreadsPerWarp = 32;
/// Passes work on one dimension after the other, and call themselves for some.
static constexpr int64_t kMaxRank = 32;
/// Code generation splits an integer into registers one by one, several times over.
static constexpr unsigned kMaxIntegerBits = 4096;
/// The longest name that every assembler of PTX takes.
static constexpr size_t kMaxNameLength = 1024;

/// Checks the attributes that say how many threads share a block, in a module that has layouts.
static mlir::LogicalResult checkMachineShape(mlir::ModuleOp module) {
  const auto target = module->getAttrOfType<mlir::StringAttr>(ttg::kTargetAttr);
  if (target && target.getValue().starts_with("hip:"))
    return module->emitError("the module is laid out for `")
           << target.getValue() << "`, an AMD GPU; here it is shown as text only";
  const auto warps = module->getAttrOfType<mlir::IntegerAttr>(ttg::kNumWarpsAttr);
  if (!warps)
    return module->emitError("the module does not say how many warps run it: it has no `")
           << ttg::kNumWarpsAttr << "`";
  if (warps.getInt() > kMaxWarps)
    return module->emitError("`") << ttg::kNumWarpsAttr << "` is " << warps.getInt()
                                  << "; it must be at most " << kMaxWarps;
  const auto threads = module->getAttrOfType<mlir::IntegerAttr>(ttg::kThreadsPerWarpAttr);
  if (threads && threads.getInt() != kThreadsPerWarp)
    return module->emitError("`") << ttg::kThreadsPerWarpAttr << "` is " << threads.getInt()
                                  << "; a warp has " << kThreadsPerWarp << " threads";
  return mlir::success();
}

/// What passes take for granted of a block, whether an operation makes it or a region receives it.
static mlir::LogicalResult checkBlock(mlir::Operation *op, mlir::Type type, StageId form) {
  const auto block = mlir::dyn_cast<mlir::RankedTensorType>(type);
  if (!block)
    return mlir::success();
  if (block.getRank() > kMaxRank)
    return op->emitOpError("has a block of ")
           << block.getRank() << " dimensions; the most allowed is " << kMaxRank;
  if (form == StageId::Ttgir && !block.getEncoding())
    return op->emitOpError("has a block without a layout: ") << block;
  return mlir::success();
}

static mlir::LogicalResult checkBlocks(mlir::Operation *op, StageId form) {
  const auto allFit = [&](mlir::TypeRange types) {
    return llvm::all_of(
        types, [&](mlir::Type type) { return mlir::succeeded(checkBlock(op, type, form)); });
  };
  for (mlir::Region &region : op->getRegions())
    for (mlir::Block &block : region)
      if (!allFit(block.getArgumentTypes()))
        return mlir::failure();
  return mlir::success(allFit(op->getResultTypes()) &&
                       mlir::succeeded(tt::detail::verifyBlockSizes(op)));
}

mlir::LogicalResult checkMlirDocument(mlir::ModuleOp module, StageId form) {
  if (form > StageId::Ttgir)
    return mlir::success();
  // An empty module has nothing that runs; that it has no kernel says more.
  const bool runs = !module.getBody()->empty();
  if (form == StageId::Ttgir && runs && mlir::failed(checkMachineShape(module)))
    return mlir::failure();
  const mlir::WalkResult walked = module->walk([&](mlir::Operation *op) {
    return mlir::failed(checkBlocks(op, form)) ? mlir::WalkResult::interrupt()
                                               : mlir::WalkResult::advance();
  });
  return mlir::failure(walked.wasInterrupted());
}

static bool isTooWide(llvm::Type *type) {
  const llvm::Type *scalar = type->getScalarType();
  return scalar->isIntegerTy() && scalar->getIntegerBitWidth() > kMaxIntegerBits;
}

/// The operand behind a `$` at `at`: `$3`, `${3:x}`; nothing where LLVM reads no number. `$$` is a
/// dollar, `$(a$|b$)` lists variants.
static std::optional<unsigned> operandNumber(llvm::StringRef text) {
  text.consume_front("{");
  unsigned number = 0;
  return text.consumeInteger(10, number) ? std::nullopt : std::optional<unsigned>(number);
}

/// An operand that the text of inline assembly names, but the constraints do not have; empty when
/// there is none.
static std::string missingOperand(llvm::StringRef text, size_t numOperands) {
  for (size_t at = text.find('$'); at != text.npos; at = text.find('$', at + 2)) {
    const llvm::StringRef rest = text.substr(at + 1);
    if (rest.empty())
      return "$";
    if (llvm::StringRef("$(|)").contains(rest[0]) || rest.starts_with("{:"))
      continue;
    if (const std::optional<unsigned> number = operandNumber(rest);
        !number || *number >= numOperands)
      return ("$" + rest.take_front(12)).str();
  }
  return {};
}

/// Code generation looks at no other constraint before it uses it.
static bool isKnownConstraint(llvm::StringRef code, bool isIndirect) {
  if (code == "m")
    return isIndirect;
  return code.starts_with("{") || llvm::all_of(code, llvm::isDigit) ||
         (code.size() == 1 && llvm::StringRef("bchrlNqfdinsX").contains(code[0]));
}

/// What is wrong with inline assembly, beyond its instructions.
static std::string faultOf(const llvm::InlineAsm &assembly) {
  const std::string constraints = assembly.getConstraintString().str();
  if (llvm::Error error =
          llvm::InlineAsm::verify(assembly.getFunctionType(), assembly.getConstraintString()))
    return "the constraints of inline assembly, \"" + constraints +
           "\", do not fit: " + llvm::toString(std::move(error));
  size_t numOperands = 0;
  for (const llvm::InlineAsm::ConstraintInfo &operand : assembly.ParseConstraints()) {
    if (operand.Type == llvm::InlineAsm::isClobber)
      continue;
    ++numOperands;
    for (const std::string &code : operand.Codes)
      if (!isKnownConstraint(code, operand.isIndirect))
        return "the constraints of inline assembly, \"" + constraints + "\", have `" + code +
               "`; registers are `b`, `h`, `r`, `l`, `q`, `f` and `d`";
  }
  const std::string missing = missingOperand(assembly.getAsmString(), numOperands);
  return missing.empty() ? ""
                         : "inline assembly names `" + missing + "`; it has " +
                               std::to_string(numOperands) + " operands, counted from `$0`";
}

/// Whether a processor's own instruction is one of the machine that code is for.
static bool isOf(llvm::StringRef intrinsic, bool isForCpu) {
  return isForCpu ? intrinsic.starts_with("llvm.x86.") || intrinsic.starts_with("llvm.aarch64.")
                  : intrinsic.starts_with("llvm.nvvm.");
}

/// What is wrong with one instruction; empty when nothing is.
static std::string faultOf(const llvm::Instruction &instruction, bool isForCpu) {
  if (isTooWide(instruction.getType()) ||
      llvm::any_of(instruction.operands(),
                   [](const llvm::Use &use) { return isTooWide(use->getType()); }))
    return "an integer has more than " + std::to_string(kMaxIntegerBits) + " bits";
  const auto *any = llvm::dyn_cast<llvm::CallBase>(&instruction);
  if (const auto *assembly =
          any ? llvm::dyn_cast<llvm::InlineAsm>(any->getCalledOperand()) : nullptr)
    if (std::string fault = faultOf(*assembly); !fault.empty())
      return fault;
  if (const auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction)) {
    const llvm::StringRef name = call->getCalledFunction()->getName();
    if (llvm::Intrinsic::isTargetIntrinsic(call->getIntrinsicID()) && !isOf(name, isForCpu))
      return "`" + name.str() + "` is an instruction of another architecture";
  }
  return {};
}

std::optional<LlvmFault> checkLlvmModule(const llvm::Module &module, bool isForCpu) {
  std::string message;
  llvm::raw_string_ostream stream(message);
  for (const llvm::Function &function : module) {
    if (llvm::verifyFunction(function, &stream))
      return LlvmFault{llvm::StringRef(message).trim().str(), nullptr, &function};
    for (const llvm::Instruction &instruction : llvm::instructions(function))
      if (std::string fault = faultOf(instruction, isForCpu); !fault.empty())
        return LlvmFault{std::move(fault), &instruction, &function};
  }
  if (llvm::verifyModule(module, &stream))
    return LlvmFault{llvm::StringRef(message).trim().str()};
  return std::nullopt;
}

/// `[a-zA-Z][a-zA-Z0-9_$]*` or `[_$][a-zA-Z0-9_$]+`; LLVM keeps the `%` that PTX also allows to
/// itself.
static bool isPtxName(llvm::StringRef name) {
  const auto continues = [](char c) { return llvm::isAlnum(c) || c == '_' || c == '$'; };
  if (name.empty() || name.size() > kMaxNameLength || !llvm::all_of(name.drop_front(), continues))
    return false;
  return llvm::isAlpha(name[0]) || ((name[0] == '_' || name[0] == '$') && name.size() > 1);
}

static bool needsName(const llvm::GlobalValue &value) {
  const auto *function = llvm::dyn_cast<llvm::Function>(&value);
  const bool isUsed = !value.isDeclaration() || !value.use_empty();
  return isUsed && !value.hasLocalLinkage() && !(function && function->isIntrinsic()) &&
         !value.getName().starts_with("llvm.");
}

std::optional<LlvmFault> findUnspeakableName(const llvm::Module &module) {
  for (const llvm::GlobalValue &value : module.global_values()) {
    if (!needsName(value) || isPtxName(value.getName()))
      continue;
    const std::string name = value.getName().take_front(60).str();
    return LlvmFault{"PTX cannot name `" + name +
                         "`: a name there has letters, digits, `_` and `$`, at most " +
                         std::to_string(kMaxNameLength),
                     nullptr, llvm::dyn_cast<llvm::Function>(&value)};
  }
  return std::nullopt;
}

} // namespace tilescope::compiler
