// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/worker/LaunchInput.h"

#include "profiler/package/InitialTensor.h"

#include <cstring>
#include <filesystem>

namespace tilescope::app {

using profiler::Dtype;
using profiler::PlanScalar;
using profiler::Tensor;

uint64_t scalarBits(const PlanScalar &scalar, const std::string &type) {
  const std::optional<Dtype> dtype = profiler::parseDtype(type);
  if (!dtype || !profiler::isFloat(*dtype))
    return std::visit([](auto value) { return static_cast<uint64_t>(static_cast<int64_t>(value)); },
                      scalar.value);
  Tensor one{*dtype, {1}, profiler::TensorBytes(profiler::dtypeSize(*dtype))};
  one.set(0, std::visit([](auto value) { return static_cast<double>(value); }, scalar.value));
  uint64_t bits = 0;
  memcpy(&bits, one.data.data(), one.data.size());
  return bits;
}

Status makeTensors(const profiler::LaunchPlan &plan, const std::string &inputFolder,
                   std::map<std::string, Tensor> &tensors, std::string &failed) {
  for (const profiler::PlanArgument &argument : plan.args) {
    if (argument.tensor() == nullptr)
      continue;
    Result<Tensor> tensor = profiler::initialTensor(argument, inputFolder);
    if (!tensor) {
      failed = argument.name;
      return tensor.error();
    }
    tensors[argument.name] = std::move(*tensor);
  }
  return {};
}

bool beginsEmpty(const profiler::LaunchPlan &plan, const std::string &inputFolder,
                 const std::string &name) {
  if (!inputFolder.empty() && std::filesystem::exists(inputFolder + "/" + name + ".npy"))
    return false;
  const profiler::PlanArgument *argument = plan.argument(name);
  return argument && argument->tensor() &&
         argument->tensor()->init.kind == profiler::TensorInit::Kind::Poison;
}

InitialTensors::InitialTensors(const TensorsByName &tensors) {
  constexpr size_t kMostBytes = size_t{64} << 20;
  size_t sizeBytes = 0;
  for (const auto &[name, tensor] : tensors)
    sizeBytes += tensor.data.size();
  if (sizeBytes <= kMostBytes)
    m_kept = tensors;
}

bool InitialTensors::differsFrom(const Tensor &now, const profiler::PlanArgument &argument,
                                 const std::string &inputFolder) const {
  if (const auto kept = m_kept.find(argument.name); kept != m_kept.end())
    return kept->second.data != now.data;
  const Result<Tensor> made = profiler::initialTensor(argument, inputFolder);
  return !made || made->data != now.data;
}

} // namespace tilescope::app
