// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// Who has which bytes of shared memory.
#pragma once

#include "compiler/conversion/ttg_to_llvm/allocation/BufferLives.h"

#include "mlir/IR/BuiltinOps.h"

#include <functional>
#include <string>

namespace tilescope::compiler {

/// The bytes of a buffer, of an operation's scratch, or of what a function tells its warps.
struct SharedPlace {
  /// `ttg.local_alloc`, the operation that needs scratch, or the function.
  mlir::Operation *op = nullptr;
  MemoryRequest request;
  int64_t offset = 0;

  int64_t end() const { return offset + request.size; }
};

/// The shared memory of one function.
struct SharedPlaces {
  tt::FuncOp function;
  /// In the order of their ends. Behind them are rings that lie between the slots of another one (`RingTurns.h`), which has
  /// the bytes of both.
  llvm::SmallVector<SharedPlace> places;
  int64_t total = 0;
};

/// What an operation keeps in shared memory, for a reader who knows the kernel only.
std::string describeShared(mlir::Operation *op);

/// Places everything that the module's functions keep in shared memory, callees first: a call needs
/// as much as its callee. Operations that take more than `limit` bytes are made to need less, where
/// they can; where they cannot, `total` is more. Every operation gets its place as an attribute.
llvm::SmallVector<SharedPlaces>
placeSharedMemory(mlir::ModuleOp module, int64_t limit,
                  llvm::function_ref<const BufferAliases &(tt::FuncOp)> aliasesOf);

} // namespace tilescope::compiler
