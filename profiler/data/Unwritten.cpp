// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/data/Unwritten.h"

#include "profiler/data/Element.h"
#include "profiler/data/Npy.h"

#include <cstring>
#include <filesystem>

namespace tilescope::profiler {

static constexpr std::string_view kExtension = ".npy";

static std::string flagsName(std::string_view output) { return std::string(output) + ".unwritten"; }

static bool holdsPoison(const Tensor &tensor, int64_t element) {
  return elementBits(tensor.dtype, tensor.element(element)) == poisonBits(tensor.dtype);
}

bool Unwritten::has(const Tensor &tensor, int64_t element) const {
  if (m_flags)
    return (*m_flags)[size_t(element)] != std::byte(0);
  return m_beganEmpty && holdsPoison(tensor, element);
}

bool Unwritten::isAny(const Tensor &tensor) const {
  for (int64_t i = 0; i < tensor.numElements(); ++i)
    if (has(tensor, i))
      return true;
  return false;
}

std::string unwrittenPath(const std::string &outputPath) {
  return flagsName(outputPath.substr(0, outputPath.rfind('.'))) + std::string(kExtension);
}

Unwritten readUnwritten(const Tensor &tensor, const std::string &outputPath) {
  const std::string path = unwrittenPath(outputPath);
  std::error_code fault;
  if (!std::filesystem::exists(path, fault))
    return true;
  Result<Tensor> flags = readNpy(path);
  if (!flags || flags->dtype != Dtype::Int1 || flags->shape != tensor.shape)
    return true;
  return Unwritten(std::vector<std::byte>(flags->data.begin(), flags->data.end()));
}

std::optional<Tensor> flagsOf(const Tensor &tensor, const Unwritten &unwritten) {
  bool isToldByPoison = true;
  for (int64_t i = 0; i < tensor.numElements() && isToldByPoison; ++i)
    isToldByPoison = unwritten.has(tensor, i) == holdsPoison(tensor, i);
  if (isToldByPoison)
    return std::nullopt;
  Tensor flags{Dtype::Int1, tensor.shape, {}};
  flags.data.resize(size_t(tensor.numElements()));
  for (int64_t i = 0; i < tensor.numElements(); ++i)
    flags.data[size_t(i)] = std::byte(unwritten.has(tensor, i));
  return flags;
}

Tensor otherPoison(const Tensor &poison) {
  Tensor other = poison;
  for (std::byte &byte : other.data)
    byte = poison.dtype == Dtype::Int1 ? std::byte(0) : ~byte;
  return other;
}

Unwritten unwrittenOfBoth(const Tensor &first, const Tensor &second, const Tensor &other) {
  std::vector<std::byte> flags(size_t(first.numElements()));
  for (int64_t i = 0; i < first.numElements(); ++i)
    flags[size_t(i)] =
        std::byte(holdsPoison(first, i) &&
                  std::memcmp(second.element(i), other.element(i), dtypeSize(first.dtype)) == 0);
  return Unwritten(std::move(flags));
}

int64_t countPoison(const Tensor &tensor) {
  int64_t count = 0;
  for (int64_t i = 0; i < tensor.numElements(); ++i)
    count += holdsPoison(tensor, i);
  return count;
}

Status writeUnwritten(const OutputFolder &folder, const std::string &name, const Tensor &tensor,
                      const Unwritten &unwritten) {
  if (const std::optional<Tensor> flags = flagsOf(tensor, unwritten))
    return writeNpy(folder, flagsName(name), *flags);
  std::error_code fault;
  std::filesystem::remove(folder.pathOf(flagsName(name) + std::string(kExtension)), fault);
  if (fault)
    return Error{ErrorCode::Environment,
                 "cannot remove `" + flagsName(name) + std::string(kExtension) +
                     "`: " + fault.message(),
                 ""};
  return {};
}

} // namespace tilescope::profiler
