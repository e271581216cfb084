// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Short names for emitting LLVM operations.
#pragma once

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace tilescope::compiler {

using Builder = mlir::ImplicitLocOpBuilder;

mlir::Value i32Constant(Builder &b, int64_t value);
mlir::Value i64Constant(Builder &b, int64_t value);
mlir::Value intConstant(Builder &b, mlir::Type type, int64_t value);
mlir::Value floatConstant(Builder &b, mlir::Type type, double value);
/// The zero of any type, null for pointers.
mlir::Value zeroOf(Builder &b, mlir::Type type);

/// Calls an LLVM intrinsic by name.
mlir::Value callIntrinsic(Builder &b, llvm::StringRef name, mlir::Type result,
                          mlir::ValueRange operands);
void callIntrinsic(Builder &b, llvm::StringRef name, mlir::ValueRange operands);
/// Calls a function of libdevice or of the runtime, declaring it first.
mlir::Value callExternal(Builder &b, llvm::StringRef name, mlir::Type result,
                         mlir::ValueRange operands);

struct AsmOptions {
  bool sideEffects = true;
};
/// Inline assembly with one result, several as a struct, or none (null `result`).
mlir::Value inlineAsm(Builder &b, llvm::StringRef text, llvm::StringRef constraints,
                      mlir::Type result, mlir::ValueRange operands, AsmOptions options = {});

/// XOR of `bases[i]` over the set bits i of `value`; null when all bases are zero.
mlir::Value applyBases(Builder &b, mlir::Value value, llvm::ArrayRef<uint64_t> bases);

mlir::Value bitcast(Builder &b, mlir::Value value, mlir::Type type);
/// A vector from its elements, which have one type.
mlir::Value packVector(Builder &b, mlir::ValueRange elements);
llvm::SmallVector<mlir::Value> unpackVector(Builder &b, mlir::Value vector);
/// Address of the element `index` (i32 or i64) of elements of `type`.
mlir::Value elementPointer(Builder &b, mlir::Value base, mlir::Type type, mlir::Value index);
/// The pointer moved by a number of bytes.
mlir::Value advanceBytes(Builder &b, mlir::Value base, mlir::Value bytes);
mlir::Value advanceBytes(Builder &b, mlir::Value base, int64_t bytes);

enum class ShuffleMode { Butterfly, Up, Down, Index };
/// Exchanges a value of any width up to 64 bits between the lanes of a warp.
mlir::Value shuffle(Builder &b, ShuffleMode mode, mlir::Value value, mlir::Value lane);

/// Bytes that an element of this LLVM type takes in memory.
int64_t storageBytes(mlir::Type type);
/// The type in which an element is kept in memory: bytes for booleans.
mlir::Type storageType(mlir::Type type);
mlir::Value toStorage(Builder &b, mlir::Value value);
mlir::Value fromStorage(Builder &b, mlir::Value value, mlir::Type type);

} // namespace tilescope::compiler
