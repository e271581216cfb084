// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// From TTIR, or TTGIR, to the interpreter's instructions. Control flow becomes jumps, calls become
// the callee's instructions.
#pragma once

#include "compiler/dialects/ttg/ir/Dialect.h"
#include "compiler/interpreter/AddressSlice.h"
#include "compiler/interpreter/Interpreter.h"
#include "compiler/interpreter/Operations.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <map>
#include <optional>

namespace tilescope::compiler::interpreter {

/// Why a kernel cannot be executed.
struct TranslationError {
  mlir::Location location;
  std::string message;
};

/// What is known of a kernel's instructions and values besides what executing them needs: for
/// showing them to a user. The kernel's values are then kept as long as its programs run.
struct TranslationNotes {
  /// A call whose callee became part of the kernel.
  struct Call {
    mlir::Operation *operation = nullptr;
    /// Index of the call around it; -1: none.
    int32_t outer = -1;
  };
  struct Place {
    mlir::Operation *operation = nullptr;
    /// Index of the call that it belongs to; -1: none.
    int32_t call = -1;
  };
  std::vector<Call> calls;
  /// By instruction.
  std::vector<Place> places;
  /// By number of the value; null: it only helps.
  std::vector<mlir::Value> values;
  /// How a buffer in shared memory lies there, from where its value says on.
  struct Buffer {
    Element element{};
    std::vector<int64_t> shape;
    /// Bytes between neighbors along each dimension.
    std::vector<int64_t> strides;
  };
  /// By number of the value that is a buffer.
  std::map<uint32_t, Buffer> buffers;
};

/// What the programs of one kernel share: locations and the first error.
struct TranslationContext {
  std::vector<mlir::Location> locations;
  std::optional<TranslationError> error;
  /// All that is to be executed; null: everything.
  const AddressSlice *slice = nullptr;
  /// Null: nobody reads them.
  TranslationNotes *notes = nullptr;
  /// The call that is translated; -1: none.
  int32_t call = -1;
  /// May be null.
  const WarpOrder *warps = nullptr;
  /// By number of the first of unordered accesses, from 1: the number of its location.
  std::vector<uint32_t> accessLocations = {};
};

/// The element type of a scalar or block; nothing for types that have no values here.
std::optional<Element> getElement(mlir::Type type);

class Translator {
public:
  explicit Translator(TranslationContext &context, Translator *outer = nullptr)
      : m_context(context), m_outer(outer), m_program(std::make_shared<Program>()) {}

  /// The whole kernel; null after an error.
  std::shared_ptr<Program> translateKernel(tt::FuncOp kernel);

private:
  using Handler = bool (Translator::*)(mlir::Operation *);

  // Values.
  uint32_t valueOf(mlir::Value value);
  std::vector<uint32_t> valuesOf(mlir::ValueRange values);
  uint32_t newValue(mlir::Type type, mlir::Location location);
  /// Numbers for all results of an operation, consecutive.
  uint32_t defineResults(mlir::Operation *op);

  // Instructions.
  Instruction &emit(mlir::Operation *op, Instruction::Run run, mlir::ValueRange operands);
  /// With the operation's only result as output.
  Instruction &emitWithResult(mlir::Operation *op, Instruction::Run run, mlir::ValueRange operands);
  uint32_t emitJump(mlir::Operation *op, Instruction::Run run, std::vector<uint32_t> in = {});
  uint32_t here() const { return static_cast<uint32_t>(m_program->code.size()); }
  void land(uint32_t jump) { m_program->code[jump].target = here(); }
  void emitConstant(mlir::Operation *op, mlir::Value result, std::string bytes);
  /// to[i] = from[i], all at once.
  void emitCopies(mlir::Operation *op, mlir::ValueRange from, llvm::ArrayRef<uint32_t> to);
  bool canMove(mlir::Operation *op, mlir::Value value) const;
  /// Those that the kernel itself writes to: null in regions, and where nobody reads them.
  TranslationNotes *notes() const { return m_outer ? nullptr : m_context.notes; }
  /// Whether the value is computed at all.
  bool isComputed(mlir::Value value) const {
    return !m_context.slice || m_outer || m_context.slice->values.contains(value);
  }
  bool isExecuted(mlir::Operation *op) const;
  bool fail(mlir::Operation *op, std::string message);

  // Operations; each is false if the operation is not of its family.
  void translate(mlir::Operation *op);
  bool translateElementwise(mlir::Operation *op);
  bool translateAssembly(mlir::Operation *op);
  bool translateConstant(mlir::Operation *op);
  bool translateShape(mlir::Operation *op);
  bool translateMemory(mlir::Operation *op);
  /// Of a load or store that warps may race at.
  void noteUnordered(mlir::Operation *op, Instruction &instruction);
  /// Before an operation at which warps wait for each other.
  void emitWarpWait(mlir::Operation *op);
  bool translateDot(mlir::Operation *op);
  bool translateStructuredControl(mlir::Operation *op);
  bool translateBranch(mlir::Operation *op);
  bool translateCall(mlir::Operation *op);
  bool translateRegionOp(mlir::Operation *op);
  bool translateDebug(mlir::Operation *op);
  bool translateLayoutOp(mlir::Operation *op);
  bool translateBuffer(mlir::Operation *op);

  // TranslateShared.cpp
  void emitTrace(mlir::Operation *op);
  uint32_t emitLocalLoad(mlir::Operation *op, mlir::Value buffer, uint32_t out);
  uint32_t emitCopiedBlock(ttg::AsyncCopyGlobalToLocalOp copy);
  uint32_t valueOfFactor(mlir::Operation *op, mlir::Value factor);
  const std::vector<int64_t> &stridesOf(mlir::Value buffer);
  void noteBuffers(TranslationNotes &noted);

  void translateFor(mlir::scf::ForOp loop);
  void translateWhile(mlir::scf::WhileOp loop);
  void translateIf(mlir::scf::IfOp op);
  void translateBody(mlir::Region &region);
  /// All blocks of a region, reachable or not; jumps between them are resolved.
  void translateBlocks(mlir::Region &region);
  void translateCombineRegion(mlir::Operation *op, mlir::Region &region, Instruction::Run run,
                              std::array<int64_t, 4> numbers);

  TranslationContext &m_context;
  Translator *m_outer;
  std::shared_ptr<Program> m_program;
  mlir::Region *m_region = nullptr;
  llvm::DenseMap<mlir::Value, uint32_t> m_values;
  llvm::DenseMap<mlir::Block *, uint32_t> m_blocks;
  /// Of buffers, in bytes, per dimension.
  llvm::DenseMap<mlir::Value, std::vector<int64_t>> m_strides;
  std::vector<std::pair<uint32_t, mlir::Block *>> m_jumpsToBlocks;
  /// Where returns go: the result values and the jumps to the end, for the call or region that is
  /// translated.
  struct Returns {
    std::vector<uint32_t> results;
    std::vector<uint32_t> jumps;
  };
  Returns *m_returns = nullptr;
  llvm::SmallPtrSet<mlir::Operation *, 4> m_activeCallees;
};

} // namespace tilescope::compiler::interpreter
