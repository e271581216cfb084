// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/stepping/ValueContents.h"

#include "compiler/interpreter/Access.h"
#include "compiler/interpreter/kernels/MemoryFormats.h"
#include "compiler/stepping/BlockFunctions.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace tilescope::compiler::stepping {

using namespace interpreter;

/// More elements are not looked at for a line of text.
static constexpr size_t kMostLookedAt = size_t{1} << 16;
static constexpr size_t kMostListed = 4;
static std::string numberText(double number, bool isWhole) {
  if (std::isnan(number))
    return "NaN";
  if (std::isinf(number))
    return number > 0 ? "inf" : "-inf";
  char buffer[40];
  std::snprintf(buffer, sizeof(buffer), isWhole ? "%.0f" : "%.5g", number);
  return buffer;
}

double numberAt(const std::byte *data, Element element, size_t index, bool isUnsigned) {
  const std::byte *at = data + index * storageSize(element);
  if (element == Element::F64) {
    double value;
    std::memcpy(&value, at, sizeof(value));
    return value;
  }
  if (isFloat(element)) {
    float value;
    std::memcpy(&value, at, sizeof(value));
    return value;
  }
  const int64_t number = loadInteger(at, element);
  if (!isUnsigned || number >= 0)
    return static_cast<double>(number);
  const size_t numBits = 8 * storageSize(element);
  return static_cast<double>(static_cast<uint64_t>(number) & (UINT64_MAX >> (64 - numBits)));
}

int64_t ListedBuffer::numElements() const {
  int64_t count = 1;
  for (const int64_t extent : shape)
    count *= extent;
  return count;
}

int64_t ListedBuffer::extentBytes() const {
  auto bytes = static_cast<int64_t>(storageSize(element));
  for (size_t dim = 0; dim < shape.size(); ++dim)
    bytes += (shape[dim] - 1) * strides[dim];
  return bytes;
}

/// The elements of a buffer as they are held, row by row.
std::string bytesOf(Frame &frame, uint32_t id, const ListedBuffer &buffer) {
  const size_t size = storageSize(buffer.element);
  const std::byte *memory = frame.sharedMemory() + frame.value(id).base();
  std::string bytes;
  bytes.reserve(static_cast<size_t>(buffer.numElements()) * size);
  std::vector<int64_t> index(buffer.shape.size(), 0);
  for (int64_t left = buffer.numElements(); left > 0; --left) {
    int64_t place = 0;
    for (size_t dim = 0; dim < index.size(); ++dim)
      place += index[dim] * buffer.strides[dim];
    bytes.append(reinterpret_cast<const char *>(memory + place), size);
    for (size_t dim = index.size(); dim-- > 0;) {
      if (++index[dim] < buffer.shape[dim])
        break;
      index[dim] = 0;
    }
  }
  return bytes;
}

static NumberBlock numbersOf(Frame &frame, uint32_t id, const ListedBuffer &buffer,
                             bool isUnsigned) {
  const std::string bytes = bytesOf(frame, id, buffer);
  NumberBlock block{buffer.shape, {}, 0};
  block.isReal = isFloat(buffer.element);
  if (isUnsigned)
    block.unsignedBits = static_cast<int>(8 * storageSize(buffer.element));
  block.numbers.resize(static_cast<size_t>(buffer.numElements()));
  for (size_t i = 0; i < block.numbers.size(); ++i)
    block.numbers[i] =
        numberAt(reinterpret_cast<const std::byte *>(bytes.data()), buffer.element, i, isUnsigned);
  return block;
}

const std::byte *elementsOf(Frame &frame, uint32_t id) {
  return frame.info(id).shape.rank == 0 ? frame.value(id).scalar.data() : frame.dense(id);
}

/// An address as an element of its argument.
double elementOf(const Frame &frame, double address, uint32_t pointeeBytes) {
  const Place place = findPlace(frame.execution(), static_cast<int64_t>(address));
  if (!place.area || pointeeBytes == 0)
    return address;
  return std::floor(static_cast<double>(place.offset) / pointeeBytes);
}

/// For each element of a value in registers whether it is defined; empty: all are.
std::string definedOf(Frame &frame, uint32_t id) {
  Frame *twin = frame.definedness();
  if (!twin)
    return {};
  const Slot &slot = twin->value(id);
  if (slot.form == Form::Uniform && slot.get<uint8_t>())
    return {};
  const auto count = static_cast<size_t>(frame.info(id).shape.count);
  std::string defined(reinterpret_cast<const char *>(elementsOf(*twin, id)), count);
  return std::ranges::count(defined, '\0') ? defined : std::string();
}

namespace {

/// The memory of an argument as elements of what a pointer points to.
class AreaElements : public PointedArray {
public:
  AreaElements(const MemoryArea &area, const ListedValue &pointer)
      : m_area(area), m_element(pointer.pointee), m_isUnsigned(pointer.isOfUnsigned) {}

  std::string name() const override { return m_area.name; }
  int64_t numElements() const override {
    return static_cast<int64_t>(m_area.size / memorySize(m_element));
  }
  std::vector<int64_t> shape() const override {
    int64_t count = 1;
    for (const int64_t extent : m_area.shape)
      count *= extent;
    return count == numElements() ? m_area.shape : std::vector<int64_t>();
  }
  double at(int64_t index) const override {
    std::array<std::byte, 8> held{};
    const auto size = static_cast<int64_t>(memorySize(m_element));
    findRead(m_element)(held.data(), m_area.data + index * size, size, 1);
    return numberAt(held.data(), m_element, 0, m_isUnsigned);
  }
  bool isReal() const override { return isFloat(m_element); }

private:
  const MemoryArea &m_area;
  Element m_element;
  bool m_isUnsigned;
};

} // namespace

/// The argument that all addresses of a value belong to; null: there are several, or none.
static std::shared_ptr<const PointedArray> pointedBy(const Frame &frame, const std::byte *addresses,
                                                     size_t count, const ListedValue &value) {
  const MemoryArea *area = nullptr;
  for (size_t i = 0; i < count; ++i) {
    const int64_t address =
        loadInteger(addresses + i * storageSize(Element::Pointer), Element::Pointer);
    const MemoryArea *its = findPlace(frame.execution(), address).area;
    if (!its || (area && area != its))
      return nullptr;
    area = its;
  }
  return area && value.pointeeBytes > 0 ? std::make_shared<AreaElements>(*area, value) : nullptr;
}

NumberBlock numbersOf(Frame &frame, uint32_t id, const ListedValue &value) {
  if (value.buffer)
    return numbersOf(frame, id, *value.buffer, value.isUnsigned);
  const ValueInfo &info = frame.info(id);
  NumberBlock block;
  block.shape.assign(info.shape.extent.begin(), info.shape.extent.begin() + info.shape.rank);
  block.numbers.resize(static_cast<size_t>(info.shape.count));
  if (value.isUnsigned)
    block.unsignedBits = static_cast<int>(8 * storageSize(info.element));
  const std::byte *data = elementsOf(frame, id);
  block.isReal = isFloat(info.element);
  if (info.element == Element::Pointer)
    block.pointed = pointedBy(frame, data, block.numbers.size(), value);
  for (size_t i = 0; i < block.numbers.size(); ++i) {
    block.numbers[i] = numberAt(data, info.element, i, value.isUnsigned);
    if (info.element == Element::Pointer)
      block.numbers[i] = elementOf(frame, block.numbers[i], value.pointeeBytes);
  }
  const std::string defined = definedOf(frame, id);
  block.defined.assign(defined.begin(), defined.end());
  return block;
}

/// `[0.1, 0.2, …]`.
static std::string listed(size_t count, const auto &textAt) {
  std::string text = "[";
  for (size_t i = 0; i < std::min(count, kMostListed); ++i)
    text += (i ? ", " : "") + textAt(i);
  return text + (count > kMostListed ? ", …]" : "]");
}

static const char *const kUndefined = "undefined";

/// ", 219 undefined"; empty without any.
static std::string undefinedText(size_t count) {
  return count ? ", " + std::to_string(count) + " " + kUndefined : std::string();
}

static size_t numUndefined(const NumberBlock &block) {
  return static_cast<size_t>(std::ranges::count(block.defined, 0));
}

static std::string truthText(const NumberBlock &block) {
  const size_t all = block.numbers.size(), undefined = numUndefined(block);
  size_t on = 0;
  for (size_t i = 0; i < all; ++i)
    on += block.numbers[i] != 0 && block.isDefined(i);
  if (undefined == all)
    return std::string("all ") + kUndefined;
  if (on == all)
    return "all true";
  if (on == 0 && undefined == 0)
    return "all false";
  return std::to_string(on) + " of " + std::to_string(all) + " true" + undefinedText(undefined);
}

/// One line about numbers.
std::string blockText(const NumberBlock &block, bool isWhole) {
  const auto textAt = [&](size_t i) {
    return block.isDefined(i) ? numberText(block.numbers[i], isWhole) : std::string(kUndefined);
  };
  if (block.isScalar())
    return textAt(0);
  std::string text = listed(block.numbers.size(), textAt);
  double least = std::numeric_limits<double>::infinity(), most = -least;
  size_t numNan = 0;
  const size_t undefined = numUndefined(block), all = block.numbers.size();
  for (size_t i = 0; i < all; ++i) {
    const double number = block.numbers[i];
    if (!block.isDefined(i))
      continue;
    numNan += std::isnan(number);
    least = number < least ? number : least;
    most = number > most ? number : most;
  }
  if (undefined == all)
    return std::string("all ") + kUndefined;
  if (numNan == all)
    return "all NaN";
  if (least == most && numNan == 0 && undefined == 0)
    return "all " + textAt(0);
  if (numNan < all - undefined)
    text += "  " + numberText(least, isWhole) + " … " + numberText(most, isWhole);
  if (numNan)
    text += ", " + std::to_string(numNan) + " NaN";
  return text + undefinedText(undefined);
}

std::string addressedText(const NumberBlock &addresses) {
  const PointedArray &array = *addresses.pointed;
  const Result<NumberBlock> there = loaded(addresses);
  if (!there)
    return blockText(addresses, true);
  if (!addresses.isScalar())
    return array.name() + " " + blockText(addresses, true) + "  =  " +
           blockText(*there, isWholeBlock(*there));
  if (!addresses.isDefined(0))
    return kUndefined;
  const std::string element = array.name() + "[" + numberText(addresses.numbers[0], true) + "]";
  return there->isDefined(0) ? element + " = " + blockText(*there, isWholeBlock(*there))
                             : element + " is outside: `" + array.name() + "` has " +
                                   std::to_string(array.numElements()) + " elements";
}

bool isWholeBlock(const NumberBlock &block) {
  for (size_t i = 0; i < block.numbers.size(); ++i)
    if (block.isDefined(i) && block.numbers[i] != std::floor(block.numbers[i]))
      return false;
  return true;
}

static std::string addressText(const Frame &frame, const NumberBlock &block, int64_t first) {
  const Place place = findPlace(frame.execution(), first);
  const std::string name = place.area ? place.area->name : std::string("?");
  if (block.isScalar())
    return block.isDefined(0) ? name + "[" + numberText(block.numbers[0], true) + "]" : kUndefined;
  return name + " " + blockText(block, true);
}

std::string previewOf(Frame &frame, uint32_t id, const ListedValue &value) {
  const ValueInfo &info = frame.info(id);
  if (value.buffer)
    return blockText(numbersOf(frame, id, *value.buffer, value.isUnsigned),
                     !isFloat(value.buffer->element));
  const auto count = static_cast<size_t>(info.shape.count);
  if (count > kMostLookedAt) {
    const Slot &slot = frame.value(id);
    const bool isWhole = !isFloat(info.element);
    const std::string defined = definedOf(frame, id);
    if (slot.form == Form::Uniform && defined.empty())
      return "all " +
             numberText(numberAt(slot.scalar.data(), info.element, 0, value.isUnsigned), isWhole);
    const std::byte *data = frame.dense(id);
    return listed(count, [&](size_t i) {
      if (!defined.empty() && !defined[i])
        return std::string(kUndefined);
      double number = numberAt(data, info.element, i, value.isUnsigned);
      if (info.element == Element::Pointer)
        number = elementOf(frame, number, value.pointeeBytes);
      return numberText(number, isWhole);
    });
  }
  const NumberBlock block = numbersOf(frame, id, value);
  if (info.element == Element::Pointer)
    return addressText(frame, block, loadInteger(elementsOf(frame, id), info.element));
  if (info.element == Element::I1 && !block.isScalar())
    return truthText(block);
  if (info.element == Element::I1 && block.isDefined(0))
    return block.numbers[0] != 0 ? "true" : "false";
  return blockText(block, !isFloat(info.element));
}

} // namespace tilescope::compiler::stepping
