// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// From blocks to the code of one thread.
//
// A block becomes the values that one thread holds of it: one LLVM value per register of its
// layout. These are kept as plain lists beside the original values, so nothing is packed into
// structs and unpacked again:
//
//     %x : tensor<256xf32, 2 registers x 32 lanes x 4 warps>     values(%x) = [%a, %b] : f32, f32
//     %p : !tt.ptr<f32>                                          values(%p) = [%q] : !llvm.ptr<1>
//     %m : !ttg.memdesc<16x16xf16>                               values(%m) = [base, offset0,
//     offset1] %t : !ttg.async.token                                      values(%t) = []
//     %d : !ttg.memdesc<…, #ttng.tensor_memory>              values(%d) = [address] : i32
//
// Registers whose bit of the layout is zero hold copies and exist once. A function is lowered in
// one walk over its blocks; each family of operations is a separate file that registers one
// function per operation.
#pragma once

#include "compiler/analysis/AxisInfo.h"
#include "compiler/dialects/ttg/ir/Dialect.h"
#include "compiler/layout/LinearLayout.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

#include <functional>
#include <memory>
#include <optional>

namespace tilescope::compiler {

using Values = llvm::SmallVector<mlir::Value, 8>;

/// What all functions of a module have in common while they are lowered.
struct ModuleLowering {
  ModuleLowering(mlir::ModuleOp module, const AxisInfoMap &axes)
      : module(module), axes(axes), capability(ttg::computeCapability(module)),
        numWarps(ttg::numWarps(module)), numCtas(ttg::numCtas(module)) {}

  mlir::ModuleOp module;
  const AxisInfoMap &axes;
  int capability;
  int numWarps;
  int numCtas;
  /// Layouts without registers that hold copies, per type. Behind pointers, since references to one
  /// are held while others are added.
  llvm::DenseMap<mlir::Type, std::unique_ptr<LinearLayout>> layouts;
  /// Constant strings for messages, by content.
  llvm::StringMap<mlir::LLVM::GlobalOp> strings;
  /// How many tables of constants there are.
  int numConstants = 0;
};

class Lowering;
class WarpDispatch;
using LowerOperation = std::function<mlir::LogicalResult(mlir::Operation *, Lowering &)>;

/// One function per kind of operation.
class LoweringTable {
public:
  template <typename Op> void add(mlir::LogicalResult (*lower)(Op, Lowering &)) {
    m_entries[mlir::TypeID::get<Op>()] = [lower](mlir::Operation *op, Lowering &lowering) {
      return lower(mlir::cast<Op>(op), lowering);
    };
  }
  const LowerOperation *find(mlir::Operation *op) const {
    auto it = m_entries.find(op->getName().getTypeID());
    return it == m_entries.end() ? nullptr : &it->second;
  }

private:
  llvm::DenseMap<mlir::TypeID, LowerOperation> m_entries;
};

/// Warps that execute the same code: all of the thread block, or the part of it that does not
/// execute something else at the same time.
struct WarpGroup {
  int numWarps = 4;
  int firstWarp = 0;
  /// The barrier at which they meet; nothing where the whole thread block does.
  std::optional<int> barrier;
  /// Places of a thread in the group, once they were asked for.
  mlir::Value threadId, laneId, warpId, isFirst;
};

/// The lowering of one function: where code goes, and what has been made of each value.
class Lowering {
public:
  Lowering(ModuleLowering &module, const LoweringTable &table, mlir::LLVM::LLVMFuncOp function);

  /// Emits code here; carries the location of the operation being lowered.
  mlir::ImplicitLocOpBuilder b;
  /// Where the kernel lets warps execute different code; null elsewhere.
  WarpDispatch *dispatch = nullptr;
  /// The first block that was made of each block.
  llvm::DenseMap<mlir::Block *, mlir::Block *> blocks;

  ModuleLowering &module() { return m_module; }
  mlir::LLVM::LLVMFuncOp function() { return m_function; }
  int capability() const { return m_module.capability; }
  /// Of the group of warps that executes the code.
  int numWarps() const { return m_group->numWarps; }
  int numThreads() const { return numWarps() * 32; }
  const AxisInfoMap &axes() const { return m_module.axes; }

  // Values.
  const Values &values(mlir::Value value) const;
  mlir::Value scalar(mlir::Value value) const { return values(value).front(); }
  void set(mlir::Value value, Values lowered);
  /// Lowers one operation at `b`.
  mlir::LogicalResult lower(mlir::Operation *op);
  /// Lowers a region of scalars in place, with its arguments bound; returns the operands of its
  /// terminator. Code goes on behind it, in another block if the region branches.
  mlir::FailureOr<Values> inlineRegion(mlir::Region &region, mlir::ValueRange arguments);

  // Types.
  /// The type of one element in a register.
  mlir::Type elementType(mlir::Type type) const;
  /// The types of the values that stand for a value of this type.
  llvm::SmallVector<mlir::Type, 8> expand(mlir::Type type);
  /// The layout without registers that hold copies.
  const LinearLayout &layout(mlir::Type tensor);
  /// 1 for scalars.
  int numRegisters(mlir::Type type);

  // Places of this thread in its group of warps.
  mlir::Value threadId();
  mlir::Value laneId();
  mlir::Value warpId();
  /// True in one thread of the group.
  mlir::Value isFirstThread();
  /// From now on code is for these warps; returns those that it was for.
  WarpGroup *enterGroup(WarpGroup &group) { return std::exchange(m_group, &group); }
  WarpGroup &wholeGroup() { return m_whole; }
  /// What the bits of lane, warp and block contribute to coordinate `out` of `layout`.
  mlir::Value threadPart(const LinearLayout &layout, Dim out);
  /// What register `index` contributes to coordinate `out`.
  static uint32_t registerPart(const LinearLayout &layout, int index, Dim out);
  /// Coordinate `out` of the element in each register.
  Values coordinates(const LinearLayout &layout, Dim out);
  /// Row-major index of the element in each register.
  Values positions(const LinearLayout &layout);
  /// True in exactly one of the threads that hold copies of the same elements; null when none does.
  mlir::Value holdsOriginal(const LinearLayout &layout);
  /// The same among the threads of one block of a cluster.
  mlir::Value holdsOriginalInBlock(const LinearLayout &layout);

  // Clusters.
  int numCtas() const { return m_module.numCtas; }
  /// The program's place in the grid along an axis, and the grid's extent: a cluster is one program.
  mlir::Value programId(int axis);
  mlir::Value numPrograms(int axis);
  /// The thread block's number in its cluster.
  mlir::Value blockRank();
  /// The threads of all blocks of the cluster wait for each other. Afterwards each sees what others
  /// wrote to shared memory before. Fails where warps execute different code.
  mlir::LogicalResult clusterBarrier(mlir::Operation *op);

  // Shared memory.
  /// Start of this function's part of shared memory.
  mlir::Value sharedBase();
  /// Start of the buffer or scratch that the allocation assigned to `op`.
  mlir::Value sharedPointer(mlir::Operation *op);
  /// Scratch in global memory, the first of the two hidden arguments; and the second.
  mlir::Value globalScratch();
  mlir::Value profileScratch();

  /// Address of the kernel's part of tensor memory, where it has one.
  mlir::Value tensorMemory() const { return m_tensorMemory; }
  void setTensorMemory(mlir::Value address) { m_tensorMemory = address; }

  /// The warps of the group wait for each other.
  void barrier();
  /// Emits what `body` emits, executed only where `condition` is true.
  void emitIf(mlir::Value condition, llvm::function_ref<void()> body);

private:
  mlir::FailureOr<Values> inlineBlock(mlir::Block &block, mlir::ValueRange arguments);
  mlir::Value atEntry(mlir::Value &cache, llvm::function_ref<mlir::Value()> make);

  ModuleLowering &m_module;
  const LoweringTable &m_table;
  mlir::LLVM::LLVMFuncOp m_function;
  llvm::DenseMap<mlir::Value, Values> m_values;
  /// The thread in its block; that value and others hold for the whole function.
  mlir::Value m_threadInBlock, m_blockRank, m_sharedBase, m_tensorMemory;
  WarpGroup m_whole;
  WarpGroup *m_group = &m_whole;
};

/// True in exactly one thread of the program per element of a block of this type, or in thread 0 for
/// scalars (or no type); null when that is so everywhere.
mlir::Value executesOnce(Lowering &lowering, mlir::Type type);

/// Applies `lower` to the registers of the operands, one register at a time.
mlir::LogicalResult lowerEach(mlir::Operation *op, Lowering &lowering,
                              llvm::function_ref<mlir::Value(mlir::ValueRange operands)> lower);

} // namespace tilescope::compiler
