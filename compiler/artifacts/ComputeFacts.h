// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// What a kernel computes and how, as plain values, beside what its accesses cost (AccessFacts.h).
#pragma once

#include "compiler/support/SourceRange.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace tilescope::compiler {

/// Who computes a product of blocks.
enum class ProductUnit : uint8_t {
  /// Multiply-adds of threads.
  Threads,
  /// `mma.sync`.
  Warps,
  /// `wgmma`.
  WarpGroups,
  /// `tcgen05`.
  TensorMemory,
};

/// What keeps a product from the next better unit.
enum class ProductObstacle : uint8_t {
  None,
  /// The target has no such unit.
  Target,
  /// No instruction takes these element types at this precision.
  Types,
  /// The product is of more than two dimensions.
  Rank,
  /// The number of warps is not a multiple of four.
  Warps,
  /// The result has too few rows, or columns.
  Rows,
  Columns,
  /// The inner dimension is too short.
  Depth,
  /// The factors do not fit into shared memory.
  SharedMemory,
};

struct ProductFacts {
  SourceRange range;
  ProductUnit unit{};
  ProductObstacle obstacle{};
  /// Rows, columns, and the inner dimension of the block.
  std::array<int64_t, 3> shape{};
  /// As Triton names them.
  std::string factorType, resultType;
  bool isInLoop = false;
  bool operator==(const ProductFacts &) const = default;
};

/// Why a product waits in every iteration for what a load brings.
enum class LoopObstacle : uint8_t {
  /// The loop has a single stage.
  Stages,
  /// Another loop, a print, an assertion, or waiting for other programs.
  Effects,
  /// The loop stores to what it loads from.
  Stores,
  /// Asynchronous copies move at least 4 bytes a lane.
  Narrow,
  /// What is masked off is not filled with zeros.
  Other,
  /// The address depends on what the loop computes.
  Address,
  /// There is no room for more copies.
  SharedMemory,
};

/// A load in a loop whose value is a factor of a product of the same iteration.
struct WaitingLoad {
  SourceRange range;
  SourceRange loop;
  LoopObstacle obstacle{};
  bool operator==(const WaitingLoad &) const = default;
};

/// What stands at the two ends of a conversion of layouts, through operations that keep layouts.
struct ConversionEnds {
  /// Operations of TTGIR; empty: several, or the beginning of the kernel.
  std::string producer, consumer;
  SourceRange producerRange, consumerRange;
  bool operator==(const ConversionEnds &) const = default;
};

/// Arithmetic in a loop on elements of 64 bits.
struct WideArithmetic {
  SourceRange range;
  /// `fp64` or `int64`.
  std::string type;
  /// Of the block; 1: a scalar.
  int64_t elements = 1;
  bool operator==(const WideArithmetic &) const = default;
};

/// An access, as the source has it.
struct MaskFacts {
  SourceRange range;
  std::string operation;
  /// Of the block.
  int64_t elements = 1;
  /// For all numbers of programs and all run-time arguments.
  bool isAlwaysTrue = false;
  bool isInLoop = false;
  bool operator==(const MaskFacts &) const = default;
};

/// A block that is loaded although the program has it already; nothing in the kernel writes there.
struct RepeatedLoad {
  SourceRange range;
  /// The load that brought it before; empty: every iteration of a loop loads the same block.
  SourceRange first;
  int64_t blockBytes = 0;
  bool operator==(const RepeatedLoad &) const = default;
};

/// An integer division, or its remainder, by what only arguments determine.
struct RuntimeDivision {
  SourceRange range;
  /// The first argument that determines the divisor.
  std::string argument;
  /// Of the block; 1: a scalar.
  int64_t elements = 1;
  bool isInLoop = false;
  bool operator==(const RuntimeDivision &) const = default;
};

/// An exponential in a loop with products, of a block that the loop multiplies by a factor.
struct ScaledExponential {
  SourceRange range;
  /// Where the factor is.
  SourceRange factor;
  int64_t elements = 1;
  bool operator==(const ScaledExponential &) const = default;
};

/// An argument that multiplies a block of indices in the address of an access.
struct StrideArgument {
  SourceRange access;
  std::string argument;
  bool operator==(const StrideArgument &) const = default;
};

/// How a layout divides one dimension of a block: powers of two.
struct DimensionShare {
  int64_t registers = 1, lanes = 1, warps = 1;
  bool operator==(const DimensionShare &) const = default;
};

/// A reduction of a block.
struct ReductionFacts {
  SourceRange range;
  int32_t axis = 0;
  /// Of the block, and how threads share each of its dimensions.
  std::vector<int64_t> shape;
  std::vector<DimensionShare> shares;
  /// The result is reduced in the same way along the other one of two dimensions.
  bool isReducedFurther = false;
  bool operator==(const ReductionFacts &) const = default;
};

/// What a program of the launch accesses in global memory.
struct ProgramFacts {
  /// Elements of all blocks that it loads and stores, masked or not.
  uint64_t bytes = 0;
  /// Lines of 128 bytes that its requests touch, each request by itself: none where all is masked off.
  uint64_t lines = 0;
  /// The same tile is the same load from the same address.
  struct Tile {
    uint32_t load = 0;
    /// Of the first iteration.
    int64_t address = 0;
    /// In all iterations.
    uint64_t bytes = 0;
    bool operator==(const Tile &) const = default;
  };
  std::vector<Tile> tiles;
  bool operator==(const ProgramFacts &) const = default;
};

struct ComputeFacts {
  /// Of the function's definition.
  SourceRange kernel;
  std::vector<ProductFacts> products;
  std::vector<WaitingLoad> waitingLoads;
  /// In the order of `MemoryFacts::conversions`.
  std::vector<ConversionEnds> conversionEnds;
  std::vector<WideArithmetic> wideArithmetic;
  /// Of masked accesses.
  std::vector<MaskFacts> masks;
  /// Loads of one element in a loop, from an address that does not change in it, and to which nothing
  /// in the kernel writes.
  std::vector<SourceRange> invariantLoads;
  /// Arguments that nothing uses.
  std::vector<std::string> unusedArguments;
  std::vector<RepeatedLoad> repeatedLoads;
  std::vector<RuntimeDivision> runtimeDivisions;
  std::vector<ScaledExponential> scaledExponentials;
  std::vector<StrideArgument> strides;
  std::vector<ReductionFacts> reductions;
  /// Elements of the largest block.
  int64_t largestBlock = 0;
  /// In the order of the grid; none where one program was counted alone, or there are very many.
  std::vector<ProgramFacts> programs;
  bool operator==(const ComputeFacts &) const = default;
};

} // namespace tilescope::compiler
