// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/data/Tensor.h"

#include "profiler/data/Element.h"
#include "profiler/data/Random.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <thread>

#pragma STDC FP_CONTRACT OFF

namespace tilescope::profiler {

int64_t numElements(const std::vector<int64_t> &shape) {
  int64_t product = 1;
  for (int64_t extent : shape)
    product *= extent;
  return product;
}

std::optional<int64_t> tensorBytes(Dtype dtype, const std::vector<int64_t> &shape) {
  if (shape.size() > kMostDimensions)
    return std::nullopt;
  auto bytes = int64_t(dtypeSize(dtype));
  bool isEmpty = false;
  for (int64_t extent : shape) {
    isEmpty |= extent == 0;
    if (extent < 0 || extent > kMostTensorBytes / bytes)
      return std::nullopt;
    bytes *= std::max<int64_t>(extent, 1);
  }
  return isEmpty ? 0 : bytes;
}

std::vector<int64_t> elementCoordinates(int64_t index, const std::vector<int64_t> &shape) {
  std::vector<int64_t> result(shape.size());
  for (size_t axis = shape.size(); axis-- > 0;) {
    result[axis] = index % shape[axis];
    index /= shape[axis];
  }
  return result;
}

int64_t elementIndex(const std::vector<int64_t> &coordinates, const std::vector<int64_t> &shape) {
  int64_t index = 0;
  for (size_t axis = 0; axis < coordinates.size() && axis < shape.size(); ++axis)
    index = index * shape[axis] + coordinates[axis];
  return index;
}

int64_t Tensor::numElements() const { return profiler::numElements(shape); }
double Tensor::at(int64_t i) const { return readElement(dtype, element(i)); }
void Tensor::set(int64_t i, double value) { writeElement(dtype, value, element(i)); }

static constexpr std::array<std::string_view, 9> kInitNames = {
    "poison", "zeros", "ones", "full", "arange", "rand", "randn", "randint", "offsets"};

std::string_view initName(TensorInit::Kind kind) { return kInitNames[static_cast<size_t>(kind)]; }

bool parseInit(std::string_view name, TensorInit::Kind &kind) {
  if (name == "empty")
    name = "poison";
  for (size_t i = 0; i < kInitNames.size(); ++i) {
    if (kInitNames[i] != name)
      continue;
    kind = static_cast<TensorInit::Kind>(i);
    return true;
  }
  return false;
}

/// A uniform integer in [low, high): the high half of a 128-bit product, so no modulo bias to speak
/// of.
static double randomInteger(const TensorInit &init, uint64_t index) {
  double span = std::clamp(std::floor(init.high) - std::ceil(init.low), 1.0, 0x1p63);
  if (std::isnan(span))
    return init.low;
  auto product = static_cast<unsigned __int128>(randomBits(init.seed, index)) * uint64_t(span);
  return std::ceil(init.low) + double(uint64_t(product >> 64));
}

/// The first and the last of `count` are the ends; those between are moved by less than half a step,
/// so that no two change places.
static double offset(const TensorInit &init, int64_t index, int64_t count) {
  const double low = std::ceil(init.low), high = std::max(low, std::floor(init.high));
  if (index == 0)
    return low;
  if (index == count - 1)
    return high;
  const double moved = double(index) + 0.8 * (randomUniform(init.seed, uint64_t(index)) - 0.5);
  return low + std::floor((high - low) * (moved / double(count - 1)));
}

static double initialValue(const TensorInit &init, int64_t index, int64_t count) {
  switch (init.kind) {
  case TensorInit::Kind::Ones:
    return 1;
  case TensorInit::Kind::Full:
    return init.value;
  case TensorInit::Kind::Arange:
    return init.low + init.scale * double(index);
  case TensorInit::Kind::Rand:
    return init.low + (init.high - init.low) * randomUniform(init.seed, uint64_t(index));
  case TensorInit::Kind::Randint:
    return randomInteger(init, uint64_t(index));
  case TensorInit::Kind::Offsets:
    return offset(init, index, count);
  default:
    return 0;
  }
}

/// Both numbers of a pair are needed, and they come at the price of one.
static void fillNormal(Tensor &tensor, const TensorInit &init, int64_t begin, int64_t end) {
  for (int64_t i = begin; i < end;) {
    std::array<double, 2> pair = randomNormalPair(init.seed, uint64_t(i) / 2);
    do {
      writeElement(tensor.dtype, init.scale * pair[size_t(i % 2)], tensor.element(i));
      ++i;
    } while (i % 2 != 0 && i < end);
  }
}

static void fillRange(Tensor &tensor, const TensorInit &init, int64_t begin, int64_t end) {
  if (init.kind == TensorInit::Kind::Poison) {
    uint64_t bits = poisonBits(tensor.dtype);
    size_t size = dtypeSize(tensor.dtype);
    for (int64_t i = begin; i < end; ++i)
      std::memcpy(tensor.element(i), &bits, size);
    return;
  }
  if (init.kind == TensorInit::Kind::Randn)
    return fillNormal(tensor, init, begin, end);
  const int64_t count = tensor.numElements();
  for (int64_t i = begin; i < end; ++i)
    writeElement(tensor.dtype, initialValue(init, i, count), tensor.element(i));
}

Tensor makeTensor(Dtype dtype, std::vector<int64_t> shape, const TensorInit &init,
                  unsigned threads) {
  Tensor tensor{dtype, std::move(shape), {}};
  int64_t count = tensor.numElements();
  tensor.data.resize(size_t(count) * dtypeSize(dtype));
  if (init.kind == TensorInit::Kind::Zeros)
    return tensor;
  // Starting a thread costs about as much as this many elements.
  constexpr int64_t kElementsPerThread = 1 << 16;
  int64_t wanted = threads ? threads : std::max(1u, std::thread::hardware_concurrency());
  int64_t workers = std::clamp<int64_t>(count / kElementsPerThread, 1, wanted);
  std::vector<std::jthread> pool;
  for (int64_t worker = 1; worker < workers; ++worker)
    pool.emplace_back([&, worker] {
      fillRange(tensor, init, count * worker / workers, count * (worker + 1) / workers);
    });
  fillRange(tensor, init, 0, count / workers);
  return tensor;
}

} // namespace tilescope::profiler
