// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/commands/ModelBuffers.h"

#include "compiler/support/PermutedBytes.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace tilescope::app {

namespace fs = std::filesystem;
using profiler::Tensor, profiler::TensorBytes;

/// Elements whose axes the file has in another order.
static TensorBytes inOrder(const TensorBytes &data, const ModelPlan::Buffer &buffer) {
  TensorBytes moved(data.size());
  permuteBytes(data, buffer.shape, buffer.order,
               data.size() / size_t(profiler::numElements(buffer.shape)), moved);
  return moved;
}

Result<TensorBytes> ModelBuffers::fromFile(const ModelPlan::Buffer &buffer) const {
  const fs::path path =
      buffer.file.empty() ? fs::path(m_model) : fs::path(m_model).parent_path() / buffer.file;
  std::ifstream file(path, std::ios::binary);
  TensorBytes data(buffer.bytes);
  file.seekg(std::streamoff(buffer.offset));
  file.read(reinterpret_cast<char *>(data.data()), std::streamsize(buffer.bytes));
  if (!file)
    return Error{ErrorCode::InvalidInput, "cannot read the weights in `" + path.string() + "`", ""};
  if (!buffer.order.empty() && !data.empty())
    return inOrder(data, buffer);
  return data;
}

Result<TensorBytes> ModelBuffers::contents(size_t number) const {
  const ModelPlan::Buffer &buffer = m_plan.buffers[number];
  if (buffer.input)
    return m_inputs[*buffer.input].data;
  if (buffer.isInFile)
    return fromFile(buffer);
  const auto *bytes = reinterpret_cast<const std::byte *>(buffer.data.data());
  return TensorBytes(bytes, bytes + buffer.data.size());
}

Result<Tensor> ModelBuffers::load(const ModelPlan::Tensor &view) const {
  Tensor tensor{view.dtype, view.shape, {}};
  const auto size = profiler::tensorBytes(view.dtype, view.shape);
  if (!size)
    return Error{ErrorCode::InvalidInput, "a tensor is larger than any memory", ""};
  const ModelPlan::Buffer &buffer = m_plan.buffers[view.buffer];
  if (buffer.life && m_arena.empty()) {
    tensor.data.resize(buffer.life->bytes);
  } else if (buffer.life) {
    const auto begin = m_arena.begin() + std::ptrdiff_t(buffer.life->at);
    tensor.data.assign(begin, begin + std::ptrdiff_t(buffer.life->bytes));
  } else {
    const auto data = contents(view.buffer);
    if (!data)
      return data.error();
    const uint64_t times = buffer.input || buffer.isInFile ? 1 : buffer.repeat;
    for (uint64_t i = 0; i < times; ++i)
      tensor.data.insert(tensor.data.end(), data->begin(), data->end());
  }
  if (tensor.data.size() != size_t(*size))
    return Error{ErrorCode::InvalidInput, "a tensor has other bytes than its shape says", ""};
  return tensor;
}

Status ModelBuffers::store(const ModelPlan::Tensor &view, const Tensor &tensor) {
  const auto &life = m_plan.buffers[view.buffer].life;
  if (!life || tensor.data.size() != life->bytes)
    return Error{ErrorCode::Environment, "a step writes other bytes than the plan says", ""};
  m_arena.resize(m_plan.arenaBytes);
  std::ranges::copy(tensor.data, m_arena.begin() + std::ptrdiff_t(life->at));
  return {};
}

} // namespace tilescope::app
