// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// What a run reports about its accesses while it goes on: for counting and for pictures.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace tilescope::compiler {

/// One execution by one program of an operation that carries `ttg::kOperationNumberAttr`.
class TracedAccess {
public:
  virtual ~TracedAccess() = default;

  /// Of the operation.
  uint32_t number = 0;
  std::array<int32_t, 3> programId{};
  /// How often the program has executed the operation before: in a loop, the iteration.
  uint64_t iteration = 0;

  /// Whether it goes to global memory; the functions below are for those.
  bool hasAddresses = false;
  /// Elements of the block.
  virtual uint64_t count() const = 0;
  /// All elements are on, as far as it can be told without looking at them.
  virtual bool isWhole() const = 0;
  /// The addresses as `base` + sum of `step[d]` * index[d], where the run knows them so.
  struct Affine {
    int64_t base = 0;
    std::span<const int64_t> step;
  };
  virtual std::optional<Affine> affine() const = 0;
  /// The address of every element, row by row. Argument k of the kernel begins at a multiple of
  /// 2^43, plus k.
  virtual std::span<const int64_t> addresses() const = 0;
  /// Which elements are on; null: all.
  virtual const uint8_t *mask() const = 0;
  /// The argument that an address belongs to; -1: none.
  virtual int argumentAt(int64_t address) const = 0;

  /// Of a bulk copy, where it finds its block, as `tracedNumbers` lists it; empty where that is not
  /// known, and for other operations.
  virtual std::vector<int64_t> numbers() const { return {}; }
};

/// Told of accesses. Each thread of a run has one of its own.
class AccessObserver {
public:
  virtual ~AccessObserver() = default;
  virtual void note(const TracedAccess &access) = 0;
};

} // namespace tilescope::compiler
