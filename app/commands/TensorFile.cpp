// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/TensorFile.h"

#include "profiler/data/Element.h"
#include "profiler/data/FileIo.h"
#include "profiler/data/Npy.h"

#include <algorithm>

#include "onnx.pb.h"

namespace tilescope::app {

using profiler::Dtype;
using profiler::Tensor;
using Proto = onnx::TensorProto;

static std::optional<Dtype> dtypeOf(int32_t dataType) {
  switch (dataType) {
  case Proto::FLOAT:
    return Dtype::Fp32;
  case Proto::FLOAT16:
    return Dtype::Fp16;
  case Proto::BFLOAT16:
    return Dtype::Bf16;
  case Proto::DOUBLE:
    return Dtype::Fp64;
  case Proto::BOOL:
    return Dtype::Int1;
  case Proto::INT8:
    return Dtype::Int8;
  case Proto::INT16:
    return Dtype::Int16;
  case Proto::INT32:
    return Dtype::Int32;
  case Proto::INT64:
    return Dtype::Int64;
  case Proto::UINT8:
    return Dtype::Uint8;
  case Proto::UINT16:
    return Dtype::Uint16;
  case Proto::UINT32:
    return Dtype::Uint32;
  case Proto::UINT64:
    return Dtype::Uint64;
  default:
    return std::nullopt;
  }
}

static Error unread(const std::string &why) { return {ErrorCode::InvalidInput, why, ""}; }

/// From the fields of numbers, of which the format has one for several types; narrow floating types are
/// there as their bits.
static Status takeNumbers(const Proto &proto, Tensor &tensor) {
  const auto fill = [&](const auto &field, const auto &put) -> Status {
    if (field.size() != tensor.numElements())
      return unread("has " + std::to_string(field.size()) + " elements, its extents " +
                    std::to_string(tensor.numElements()));
    for (int i = 0; i < field.size(); ++i)
      put(tensor.element(i), field[i]);
    return {};
  };
  const auto bits = [&](std::byte *target, auto value) {
    profiler::writeInteger(profiler::dtypeSize(tensor.dtype) == 1 ? Dtype::Int8 : Dtype::Int16,
                           int64_t(value), target);
  };
  const auto integer = [&](std::byte *target, auto value) {
    profiler::writeInteger(tensor.dtype, int64_t(value), target);
  };
  const auto real = [&](std::byte *target, auto value) {
    profiler::writeElement(tensor.dtype, double(value), target);
  };
  switch (proto.data_type()) {
  case Proto::FLOAT:
    return fill(proto.float_data(), real);
  case Proto::DOUBLE:
    return fill(proto.double_data(), real);
  case Proto::INT64:
    return fill(proto.int64_data(), integer);
  case Proto::UINT32:
  case Proto::UINT64:
    return fill(proto.uint64_data(), integer);
  case Proto::FLOAT16:
  case Proto::BFLOAT16:
    return fill(proto.int32_data(), bits);
  default:
    return fill(proto.int32_data(), integer);
  }
}

static Result<Tensor> tensorOf(const Proto &proto) {
  const std::optional<Dtype> dtype = dtypeOf(proto.data_type());
  if (!dtype)
    return unread("has elements of ONNX's type " + std::to_string(proto.data_type()) +
                  ", which is not read");
  if (proto.data_location() == Proto::EXTERNAL)
    return unread("has its elements in another file");
  Tensor tensor{*dtype, {proto.dims().begin(), proto.dims().end()}, {}};
  const auto bytes = profiler::tensorBytes(*dtype, tensor.shape);
  if (!bytes)
    return unread("has extents that no tensor can have");
  const std::string &raw = proto.raw_data();
  // What is not there is not made room for.
  if (proto.has_raw_data() && raw.size() != size_t(*bytes))
    return unread("has " + std::to_string(raw.size()) + " bytes, its extents " +
                  std::to_string(*bytes));
  if (proto.has_raw_data()) {
    const auto *begin = reinterpret_cast<const std::byte *>(raw.data());
    tensor.data.assign(begin, begin + raw.size());
    return tensor;
  }
  const int64_t most =
      std::max({proto.float_data_size(), proto.double_data_size(), proto.int32_data_size(),
                proto.int64_data_size(), proto.uint64_data_size()});
  if (tensor.numElements() > most)
    return unread("has " + std::to_string(most) + " elements, its extents " +
                  std::to_string(tensor.numElements()));
  tensor.data.resize(size_t(*bytes));
  if (Status status = takeNumbers(proto, tensor); !status)
    return status.error();
  return tensor;
}

Result<Tensor> readTensorFile(const std::string &path) {
  if (!path.ends_with(".pb"))
    return profiler::readNpy(path);
  const Result<std::string> bytes = profiler::readFile(path);
  if (!bytes)
    return bytes.error();
  Proto proto;
  if (!proto.ParseFromString(*bytes))
    return unread("`" + path + "` is not a tensor of ONNX");
  Result<Tensor> tensor = tensorOf(proto);
  if (!tensor)
    return unread("the tensor in `" + path + "` " + tensor.error().message);
  return tensor;
}

} // namespace tilescope::app
