// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// The instructions that are emitted as text: one function for each, named after it, with the reason
// why it is not an operation of NVVM's dialect. Nothing else in the lowering emits text, except for
// what a kernel brings along; callers name at most a form of an atomic operation or of a product.
//
// A reason that many share is the predicate, the first operand here: LLVM IR has no predicated
// instructions. What one thread does would have to be behind a branch, for each instruction, and
// a branch ends the basic block within which LLVM and the assembler schedule.
#pragma once

#include "compiler/conversion/ttg_to_llvm/common/Emit.h"
#include "compiler/dialects/tt/ir/Dialect.h"

#include <optional>
#include <string>

namespace tilescope::compiler::ptx {

using mlir::Value;

// Barrier objects (`Barriers.cpp`). Addresses are numbers within shared memory.

/// Predicated.
void mbarrierInit(Builder &b, Value predicate, Value address, int64_t count);
/// Predicated.
void mbarrierInval(Builder &b, Value predicate, Value address);
/// Predicated. NVVM's operation keeps the state in a register, too.
void mbarrierArriveExpectTx(Builder &b, Value predicate, Value address, int64_t bytes);
/// Predicated, and without the state, likewise.
void mbarrierArrive(Builder &b, Value predicate, Value address, int64_t count);
/// Until the phase of this parity is over; where `predicate` (may be null) holds. NVVM's operation
/// for the whole loop is text as well, always has a time limit, and cannot be skipped.
void mbarrierTryWaitParity(Builder &b, Value predicate, Value address, Value phase);

// Bulk copies and the descriptions that they read (`BulkCopies.cpp`).

/// Between a described tensor and shared memory.
struct BulkCopy {
  Value predicate;
  /// Within shared memory.
  Value buffer;
  Value descriptor;
  /// The fastest one first.
  llvm::SmallVector<Value> coordinates;
  /// Of pixels of images, `i16`, the fastest dimension first; empty for other tensors.
  llvm::SmallVector<Value> offsets = {};
};
/// Predicated.
void cpAsyncBulkTensorToShared(Builder &b, const BulkCopy &copy, Value barrier);
/// Predicated.
void cpAsyncBulkTensorToGlobal(Builder &b, const BulkCopy &copy);
/// Predicated. `operation` is its name in PTX.
void cpReduceAsyncBulkTensor(Builder &b, const BulkCopy &copy, llvm::StringRef operation);
/// Predicated. Coordinates: a column and four rows.
void cpAsyncBulkTensorGather4(Builder &b, const BulkCopy &copy, Value barrier);
/// Predicated.
void cpAsyncBulkTensorScatter4(Builder &b, const BulkCopy &copy);
/// Predicated. Copies `bytes` bytes, of which `copied` (null: all) come from memory; the others are
/// zero.
void cpAsync(Builder &b, Value predicate, Value shared, Value global, int64_t bytes, Value copied);

/// A field of the description at `address`: `index` counts within fields of several elements. NVVM
/// has no such operation.
void tensormapReplace(Builder &b, Value address, llvm::StringRef field, Value value,
                      std::optional<int64_t> index = {});
void tensormapReplace(Builder &b, Value address, llvm::StringRef field, int64_t value);
/// Publishes the description in shared memory. NVVM has no such operation.
void tensormapCpFenceproxy(Builder &b, Value global, Value shared);

// The matrix unit and tensor memory of sm_100 (`TensorUnit.cpp`).

/// Predicated.
void tcgen05Alloc(Builder &b, Value predicate, Value shared, int64_t columns);
/// Predicated.
void tcgen05RelinquishAllocPermit(Builder &b, Value predicate);
/// Predicated.
void tcgen05Dealloc(Builder &b, Value predicate, Value tensor, int64_t columns);
/// What one instruction multiplies. An address in tensor memory is an `i32`, a description of a
/// factor in shared memory an `i64`.
struct MatrixProduct {
  std::string kind;
  Value result, left, right, description;
  /// Null without.
  Value leftScales, rightScales;
  Value addsToResult;
};
/// Predicated.
void tcgen05Mma(Builder &b, Value predicate, const MatrixProduct &product);
/// Predicated.
void tcgen05Commit(Builder &b, Value predicate, Value barrier);
/// Predicated. 32 rows of 16 bytes, to each of the four warps' rows.
void tcgen05Cp(Builder &b, Value predicate, Value tensor, Value descriptor);
/// Columns that a warp moves at once. Where `split` is not negative, the upper half of the lanes
/// has columns that are as far right.
struct TensorColumns {
  Value address;
  size_t count = 1;
  int64_t split = -1;
};
/// Words of 32 bits, a structure of several, once they are there: to LLVM, a wait that is an
/// operation of its own has nothing to do with the registers.
Value tcgen05Ld(Builder &b, const TensorColumns &columns);
/// Predicated.
void tcgen05St(Builder &b, Value predicate, const TensorColumns &columns,
               llvm::ArrayRef<Value> words);

// Global memory (`GlobalMemory.cpp`). LLVM's loads and stores have no predicate, no cache policies
// and no operators of all kinds; its atomic operations no predicate and no vectors.

/// Words that one instruction moves.
struct Words {
  int bits = 32;
  int count = 1;
  char constraint() const { return bits == 64 ? 'l' : bits == 32 ? 'r' : 'h'; }
  /// `.v4`; empty for one word.
  std::string vectorText() const { return count > 1 ? ".v" + std::to_string(count) : ""; }
  /// `.v4.b32`, `.b16`, …
  std::string suffix() const { return vectorText() + ".b" + std::to_string(bits); }
};
/// How an access uses the caches.
struct Caching {
  tt::CacheModifier cache = tt::CacheModifier::NONE;
  tt::EvictionPolicy eviction = tt::EvictionPolicy::NORMAL;
  /// Of `createpolicy`; null for none.
  Value policy;
  /// Goes to memory, whatever the caches are told.
  bool isVolatile = false;
};
/// For accesses with this eviction. NVVM has no such operation.
Value createpolicy(Builder &b, tt::EvictionPolicy eviction);
/// `others` are what the words become where the predicate (may be null) is false; none: zero.
Value ld(Builder &b, Value predicate, Value pointer, Words words, llvm::ArrayRef<Value> others,
         const Caching &caching, mlir::Type result);
void st(Builder &b, Value predicate, Value pointer, Words words, llvm::ArrayRef<Value> values,
        const Caching &caching);
/// Which atomic operation: what follows the state space in the instruction's name, and its order.
struct AtomicForm {
  std::string operation;
  tt::MemSemantic semantic = tt::MemSemantic::RELAXED;
  tt::MemSyncScope scope = tt::MemSyncScope::GPU;
};
/// The words before, zero where the predicate (may be null) is false. `operands` are lists of
/// words.
Value atom(Builder &b, const AtomicForm &form, Value predicate, Value pointer, Words words,
           llvm::ArrayRef<llvm::SmallVector<Value>> operands, mlir::Type result);
/// Without the words before.
void red(Builder &b, const AtomicForm &form, Value predicate, Value pointer, Words words,
         llvm::ArrayRef<llvm::SmallVector<Value>> operands);
/// One word, again and again.
Value ldOrdered(Builder &b, Value pointer, int bits, tt::MemSemantic semantic,
                tt::MemSyncScope scope, mlir::Type result);

// Shared memory (`SharedMemory.cpp`).

/// Predicated. `address` is a number within shared memory.
void stShared(Builder &b, Value predicate, Value address, Words words,
              llvm::ArrayRef<Value> values);

// Arithmetic (`Arithmetic.cpp`).

/// The bits of an f16. NVVM converts toward zero in pairs only.
Value cvtRzF16F32(Builder &b, Value value);
/// On pairs of f32 in 64 bits. As vectors of LLVM, pairs would be taken apart again.
Value packedF32x2(Builder &b, llvm::StringRef operation, llvm::ArrayRef<Value> words);
/// `form` is the name's end: shape, layout and types. NVVM's operation wants the factors of each
/// element type in registers of another type; here all are words.
Value mmaSync(Builder &b, llvm::StringRef form, llvm::ArrayRef<Value> left,
              llvm::ArrayRef<Value> right, llvm::ArrayRef<Value> sums, mlir::Type result);

} // namespace tilescope::compiler::ptx
