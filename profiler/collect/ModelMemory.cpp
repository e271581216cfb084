// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/collect/ModelMemory.h"

#include <algorithm>

namespace tilescope::profiler {

/// Of contents that repeat, about so many bytes are moved at once.
static constexpr size_t kPieceBytes = size_t(16) << 20;

Status ModelMemory::open() {
  const auto address = m_driver.allocate(m_package.memoryBytes);
  if (!address) {
    Error error = address.error();
    error.message += ", allocating " + std::to_string(m_package.memoryBytes) +
                     " bytes for the tensors of the model";
    return error;
  }
  m_memory = std::make_unique<DeviceBuffer>(m_driver, *address);
  for (size_t buffer = 0; buffer < m_package.buffers.size(); ++buffer)
    if (Status status = upload(buffer); !status)
      return status;
  return {};
}

Status ModelMemory::upload(size_t number) {
  const ModelBuffer &buffer = m_package.buffers[number];
  if (buffer.data.empty())
    return {};
  std::string repeated;
  const std::string *piece = &buffer.data;
  if (buffer.data.size() < std::min<uint64_t>(buffer.bytes, kPieceBytes)) {
    const uint64_t wanted = std::min<uint64_t>(buffer.bytes, kPieceBytes);
    while (repeated.size() + buffer.data.size() <= wanted)
      repeated += buffer.data;
    piece = &repeated;
  }
  for (uint64_t at = 0; at < buffer.bytes; at += piece->size())
    if (Status status = m_driver.upload(
            addressOf(number) + at, piece->data(),
            static_cast<size_t>(std::min<uint64_t>(piece->size(), buffer.bytes - at)));
        !status)
      return status;
  return {};
}

Status ModelMemory::forget() {
  for (size_t number = 0; number < m_package.buffers.size(); ++number) {
    const ModelBuffer &buffer = m_package.buffers[number];
    if (!buffer.data.empty() || buffer.bytes == 0)
      continue;
    if (Status status = m_driver.fillAsync(addressOf(number), 0xff, buffer.bytes); !status)
      return status;
  }
  return {};
}

Result<Tensor> ModelMemory::fetch(size_t buffer, Dtype dtype, const std::vector<int64_t> &shape) {
  Tensor tensor{dtype, shape, {}};
  tensor.data.resize(static_cast<size_t>(tensor.numElements() * dtypeSize(dtype)));
  if (Status status = m_driver.download(tensor.data.data(), addressOf(buffer), tensor.data.size());
      !status)
    return status.error();
  return tensor;
}

} // namespace tilescope::profiler
