// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/data/Npy.h"

#include "profiler/data/FileIo.h"

#include <charconv>
#include <cstring>
#include <span>

namespace tilescope::profiler {

static constexpr std::string_view kMagic{"\x93NUMPY\x01\x00", 8};

static std::string integerDescr(Dtype dtype, bool isSignedType) {
  size_t size = dtypeSize(dtype);
  return (size == 1 ? "|" : "<") + std::string(isSignedType ? "i" : "u") + std::to_string(size);
}

/// The value of the header's `descr`, in Python's notation.
static std::string descr(Dtype dtype) {
  switch (dtype) {
  case Dtype::Int1:
    return "'|b1'";
  case Dtype::Fp16:
    return "'<f2'";
  case Dtype::Fp32:
    return "'<f4'";
  case Dtype::Fp64:
    return "'<f8'";
  default:
    if (isFloat(dtype))
      return "[('" + std::string(dtypeName(dtype)) + "', '" + integerDescr(dtype, false) + "')]";
    return "'" + integerDescr(dtype, isSigned(dtype)) + "'";
  }
}

std::string encodeNpy(const Tensor &tensor) {
  std::string shape;
  for (int64_t extent : tensor.shape)
    shape += std::to_string(extent) + ",";
  std::string header =
      "{'descr': " + descr(tensor.dtype) + ", 'fortran_order': False, 'shape': (" + shape + "), }";
  // The data starts at a multiple of 64 bytes.
  size_t prefix = kMagic.size() + 2;
  header.append((64 - (prefix + header.size() + 1) % 64) % 64, ' ');
  header += '\n';
  std::string bytes(kMagic);
  bytes += char(header.size() & 0xff);
  bytes += char(header.size() >> 8);
  bytes += header;
  bytes.append(reinterpret_cast<const char *>(tensor.data.data()), tensor.data.size());
  return bytes;
}

static Error broken(const std::string &what) {
  return {ErrorCode::InvalidInput, "not a readable `.npy` file: " + what, ""};
}

static bool parseShape(std::string_view text, std::vector<int64_t> &shape) {
  const char *cursor = text.data(), *end = cursor + text.size();
  while (cursor != end) {
    if (*cursor == ' ' || *cursor == ',') {
      ++cursor;
      continue;
    }
    int64_t extent = 0;
    auto [next, error] = std::from_chars(cursor, end, extent);
    if (error != std::errc() || extent < 0)
      return false;
    shape.push_back(extent);
    cursor = next;
  }
  return true;
}

/// What a header says.
namespace {
struct Header {
  /// Without data.
  Tensor tensor;
  /// The first index runs fastest.
  bool isFortranOrder = false;
};
} // namespace

static Result<Header> parseHeader(std::string_view header) {
  Header parsed;
  Tensor &tensor = parsed.tensor;
  size_t open = header.find("'shape': ("), close = header.find(')', open);
  if (open == std::string_view::npos || close == std::string_view::npos ||
      !parseShape(header.substr(open + 10, close - open - 10), tensor.shape))
    return broken("bad shape");
  parsed.isFortranOrder = header.find("'fortran_order': True") != std::string_view::npos;
  for (const compiler::ScalarInfo &info : allDtypes()) {
    tensor.dtype = info.kind;
    if (header.find("'descr': " + descr(tensor.dtype) + ",") != std::string_view::npos)
      return parsed;
  }
  return broken("element type that is not supported");
}

/// Brings elements whose first index runs fastest into the order in which the last one does.
static void reorderFromFortran(Tensor &tensor) {
  const size_t rank = tensor.shape.size(), size = dtypeSize(tensor.dtype);
  std::vector<size_t> strides(rank, size), index(rank, 0);
  for (size_t axis = 1; axis < rank; ++axis)
    strides[axis] = strides[axis - 1] * size_t(tensor.shape[axis - 1]);
  TensorBytes ordered(tensor.data.size());
  size_t from = 0;
  for (size_t to = 0; to < ordered.size(); to += size) {
    std::memcpy(&ordered[to], &tensor.data[from], size);
    for (size_t axis = rank; axis-- > 0;) {
      from += strides[axis];
      if (++index[axis] < size_t(tensor.shape[axis]))
        break;
      from -= strides[axis] * index[axis];
      index[axis] = 0;
    }
  }
  tensor.data = std::move(ordered);
}

Result<Tensor> decodeNpy(std::string_view bytes) {
  size_t prefix = kMagic.size() + 2;
  if (bytes.size() < prefix || bytes.substr(0, kMagic.size()) != kMagic)
    return broken("no NumPy 1.0 header");
  size_t headerSize = uint8_t(bytes[8]) | size_t(uint8_t(bytes[9])) << 8;
  if (bytes.size() < prefix + headerSize)
    return broken("header cut off");
  Result<Header> header = parseHeader(bytes.substr(prefix, headerSize));
  if (!header)
    return header.error();
  Tensor &tensor = header->tensor;
  std::string_view data = bytes.substr(prefix + headerSize);
  const std::optional<int64_t> wanted = tensorBytes(tensor.dtype, tensor.shape);
  if (!wanted)
    return broken("it is too large");
  if (uint64_t(*wanted) > data.size())
    return broken("data cut off");
  const std::span<const std::byte> held = std::as_bytes(std::span(data)).first(size_t(*wanted));
  tensor.data.assign(held.begin(), held.end());
  if (header->isFortranOrder)
    reorderFromFortran(tensor);
  return std::move(tensor);
}

Status writeNpy(const std::string &path, const Tensor &tensor) {
  return writeFile(path, encodeNpy(tensor));
}

Status writeNpy(const OutputFolder &folder, const std::string &name, const Tensor &tensor) {
  return folder.write(name + ".npy", encodeNpy(tensor));
}

Result<Tensor> readNpy(const std::string &path) {
  Result<std::string> bytes = readFile(path);
  if (!bytes)
    return bytes.error();
  Result<Tensor> tensor = decodeNpy(*bytes);
  if (!tensor)
    return inFile(path, tensor.error());
  return tensor;
}

} // namespace tilescope::profiler
