// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// How operations access buffers. Their memory effects say which buffers they read and write; the
// interfaces here say what else barriers, fences and lives of buffers depend on:
//
//     ttg.local_store                        all threads, over with the operation
//     ttg.async_copy_global_to_local         all threads, over behind `ttg.async_wait`
//     ttng.warp_group_dot {isAsync = true}   all threads, over behind `ttng.warp_group_dot_wait`
//     ttng.async_tma_copy_global_to_local    first thread, over when a barrier object says so
//     ttng.async_tma_copy_local_to_global    first thread, over behind `ttng.async_tma_store_wait`
#pragma once

#include "mlir/IR/OpDefinition.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <optional>

namespace tilescope::ttg {

/// The memory that the threads of a block share.
struct SharedMemory : public mlir::SideEffects::Resource::Base<SharedMemory> {
  llvm::StringRef getName() final { return "<SharedMemory>"; }
};

/// What signals that accesses have ended.
enum class Completion {
  /// They are when the operation is.
  Immediate,
  /// A wait for groups of copies: of each thread for its own ones.
  CopyGroup,
  /// A wait for products of warp groups.
  ProductGroup,
  /// A wait for bulk copies out of shared memory: of the thread that started them.
  BulkGroup,
  /// A barrier object in shared memory, at which the program waits.
  BarrierObject,
};

/// Which threads access.
enum class Performer {
  /// All of them, or some that are not always the same.
  AllThreads,
  /// The first of the group of warps, whose own accesses need nothing in between.
  FirstThread,
  /// The first one on behalf of the others, which must have come as far.
  FirstThreadForAll,
};

/// The path by which accesses reach memory. What was written by one path is visible to another
/// behind a fence only.
enum class MemoryProxy {
  /// Loads and stores.
  Generic,
  /// Bulk copies and products in tensor memory.
  Async,
  /// Products of warp groups: their fences are beside the stores
  /// (`tilescope-insert-proxy-fences`).
  WarpGroup,
};

struct AccessMode {
  Completion completion = Completion::Immediate;
  Performer performer = Performer::AllThreads;
  MemoryProxy proxy = MemoryProxy::Generic;
};

struct AsyncWait {
  Completion completion = Completion::Immediate;
  /// How many groups, or products, may still be under way.
  int64_t numPending = 0;
};

/// All threads meet at the operation.
template <typename ConcreteType>
class ThreadsMeetTrait : public mlir::OpTrait::TraitBase<ConcreteType, ThreadsMeetTrait> {};

using BufferEffects = llvm::SmallVector<mlir::MemoryEffects::EffectInstance, 4>;

/// How the operation accesses the buffers that its effects name.
AccessMode accessModeOf(mlir::Operation *op);
/// The operation's effects, those on the memory of immutable buffers included; nothing where they
/// are not known.
std::optional<BufferEffects> bufferEffectsOf(mlir::Operation *op);
/// Whether the operation's result is a buffer with memory of its own.
bool allocatesBuffer(mlir::Operation *op);

} // namespace tilescope::ttg

#include "compiler/dialects/ttg/ir/TritonGpuInterfaces.h.inc"
