// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/data/Dtype.h"
#include "profiler/data/TensorMemory.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilescope::profiler {

/// A dense array in host memory, row-major, the last dimension running fastest.
struct Tensor {
  Dtype dtype = Dtype::Fp32;
  std::vector<int64_t> shape;
  TensorBytes data;

  int64_t numElements() const;
  /// The element at flat index `i` as a double; see `readElement`.
  double at(int64_t i) const;
  void set(int64_t i, double value);
  const std::byte *element(int64_t i) const { return data.data() + i * dtypeSize(dtype); }
  std::byte *element(int64_t i) { return data.data() + i * dtypeSize(dtype); }
  bool operator==(const Tensor &) const = default;
};

/// Product of the extents; 1 for a scalar's empty shape.
int64_t numElements(const std::vector<int64_t> &shape);
/// Coordinates of a flat index.
std::vector<int64_t> elementCoordinates(int64_t index, const std::vector<int64_t> &shape);
/// Flat index of coordinates.
int64_t elementIndex(const std::vector<int64_t> &coordinates, const std::vector<int64_t> &shape);

/// Larger tensors are refused where they enter: no product of extents overflows after that.
inline constexpr size_t kMostDimensions = 32;
inline constexpr int64_t kMostTensorBytes = int64_t(1) << 40;

/// The size of a tensor; nothing when an extent is negative or when it would be larger than the
/// above, an extent of 0 counted as 1.
std::optional<int64_t> tensorBytes(Dtype dtype, const std::vector<int64_t> &shape);

/// What a tensor holds before the kernel runs: a function of dtype, kind, seed and flat index
/// alone, with the same bits on every machine and for every number of threads.
struct TensorInit {
  enum class Kind : uint8_t {
    /// `poisonBits`: shows which elements the kernel never wrote. The default of a tensor without
    /// `init`.
    Poison,
    Zeros,
    Ones,
    /// `value` everywhere.
    Full,
    /// 0, 1, 2, …: `low`, and `scale` more each time.
    Arange,
    /// Uniform in [low, high).
    Rand,
    /// Normal with mean 0 and standard deviation `scale`.
    Randn,
    /// Uniform integers in [low, high).
    Randint,
    /// Ascending integers from `low` to `high`, both included, in steps that differ: where each of
    /// several parts begins, and where the last one ends.
    Offsets,
  };
  Kind kind = Kind::Poison;
  uint64_t seed = 0;
  double value = 0;
  double low = 0;
  double high = 1;
  double scale = 1;
  bool operator==(const TensorInit &) const = default;
};

/// Whether the numbers are integers below `high`.
constexpr bool hasHigh(TensorInit::Kind kind) {
  return kind == TensorInit::Kind::Randint || kind == TensorInit::Kind::Offsets;
}

/// `poison`, `zeros`, `ones`, `full`, `arange`, `rand`, `randn`, `randint`, `offsets`.
std::string_view initName(TensorInit::Kind kind);
/// False when there is no such kind. `empty` is another word for `poison`.
bool parseInit(std::string_view name, TensorInit::Kind &kind);

/// A tensor with its initial data. `threads` 0: as many as help.
Tensor makeTensor(Dtype dtype, std::vector<int64_t> shape, const TensorInit &init,
                  unsigned threads = 0);

} // namespace tilescope::profiler
