// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/deploy/DeployPlan.h"

#include "profiler/data/Checksum.h"
#include "profiler/package/ParameterValue.h"
#include "profiler/package/StepOrder.h"
#include "profiler/package/TensorMap.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iterator>
#include <map>
#include <set>

namespace tilescope::profiler {

/// Of a constant in the file, which a program may map.
static constexpr size_t kAlignment = 256;

namespace {
class PlanWriter {
public:
  explicit PlanWriter(const ModelPackage &package) : m_package(package) {}

  Result<DeployPlan> write();

private:
  void writePorts(const char *key, const std::vector<ModelPort> &ports);
  void writeConstants();
  void writeKernels();
  Status writeStep(size_t number, const std::vector<size_t> &after);
  Status writeParameter(const ModelStep &step, const PackageParameter &parameter);
  uint64_t addressOf(const ModelStep &step, const std::string &argument) const;
  template <typename... Values>
  void line(fmt::format_string<Values...> format, Values &&...values) {
    fmt::format_to(std::back_inserter(m_plan.text), format, std::forward<Values>(values)...);
    m_plan.text += '\n';
  }

  const ModelPackage &m_package;
  DeployPlan m_plan;
  /// Of each step, the number of its kernel.
  std::vector<size_t> m_kernelOf;
};
} // namespace

/// At the end of a line.
static std::string escaped(const std::string &name) {
  std::string text;
  for (const char letter : name)
    text += letter == '\n' ? "\\n" : letter == '\\' ? "\\\\" : std::string(1, letter);
  return text;
}

void PlanWriter::writePorts(const char *key, const std::vector<ModelPort> &ports) {
  for (const ModelPort &port : ports)
    line("{} {} {} {} {} {}{}", key,
         static_cast<size_t>(numElements(port.shape)) * dtypeSize(port.dtype),
         m_package.buffers[port.buffer].at, dtypeName(port.dtype), port.shape.size(),
         fmt::join(port.shape, " "), (port.shape.empty() ? "" : " ") + escaped(port.name));
}

/// Equal contents are stored once.
void PlanWriter::writeConstants() {
  std::set<size_t> inputs;
  for (const ModelPort &port : m_package.inputs)
    inputs.insert(port.buffer);
  std::map<std::string_view, size_t> offsets;
  for (size_t number = 0; number < m_package.buffers.size(); ++number) {
    const ModelBuffer &buffer = m_package.buffers[number];
    if (buffer.data.empty() || buffer.bytes == 0 || inputs.contains(number))
      continue;
    const auto [known, isNew] = offsets.try_emplace(buffer.data, m_plan.weights.size());
    if (isNew) {
      m_plan.weights += buffer.data;
      m_plan.weights.resize((m_plan.weights.size() + kAlignment - 1) / kAlignment * kAlignment);
    }
    line("constant {} {} {} {} {}", buffer.at, buffer.bytes, known->second, buffer.data.size(),
         fnv1a(buffer.data));
  }
}

/// `90` of `cuda:90`.
static std::string capabilityOf(const std::string &target) {
  return target.substr(std::min(target.find(':') + 1, target.size()));
}

/// Steps with the same code share a kernel.
void PlanWriter::writeKernels() {
  std::map<std::pair<std::string_view, std::string_view>, size_t> numbers;
  for (const ModelStep &step : m_package.steps) {
    const KernelPackage &kernel = step.kernel;
    const std::string &code = kernel.cubin.empty() ? kernel.ptx : kernel.cubin;
    const auto [known, isNew] = numbers.try_emplace({code, kernel.symbol}, numbers.size());
    m_kernelOf.push_back(known->second);
    if (!isNew)
      continue;
    line("kernel {}", escaped(kernel.symbol));
    const std::string capability = capabilityOf(kernel.target),
                      number = std::to_string(known->second);
    if (!kernel.cubin.empty()) {
      line("code {} {} {}", capability, kernel.cubin.size(), fnv1a(kernel.cubin));
      m_plan.kernels.emplace_back(number + "." + capability + ".cubin", kernel.cubin);
    }
    if (!kernel.ptx.empty()) {
      line("code ptx {} {}", kernel.ptx.size(), fnv1a(kernel.ptx));
      m_plan.kernels.emplace_back(number + ".ptx", kernel.ptx);
    }
  }
}

uint64_t PlanWriter::addressOf(const ModelStep &step, const std::string &argument) const {
  for (const StepTensor &tensor : step.tensors)
    if (tensor.argument == argument)
      return m_package.buffers[tensor.buffer].at;
  return 0;
}

/// As `cuTensorMapEncodeTiled` names types and swizzles.
static int mapType(Dtype dtype) {
  static const std::map<Dtype, int> types = {
      {Dtype::Int16, 1},  {Dtype::Uint16, 1}, {Dtype::Uint32, 2}, {Dtype::Int32, 3},
      {Dtype::Uint64, 4}, {Dtype::Int64, 5},  {Dtype::Fp16, 6},   {Dtype::Fp32, 7},
      {Dtype::Fp64, 8},   {Dtype::Bf16, 9}};
  const auto found = types.find(dtype);
  return found == types.end() ? 0 : found->second;
}

static int mapSwizzle(int32_t bytes) {
  return bytes == 128 ? 3 : bytes == 64 ? 2 : bytes == 32 ? 1 : 0;
}

Status PlanWriter::writeParameter(const ModelStep &step, const PackageParameter &parameter) {
  const Result<ParameterValue> value = parameterValue(step.kernel, parameter);
  if (!value)
    return value.error();
  if (!value->tensor) {
    std::string digits;
    for (const std::byte byte : value->number)
      digits += fmt::format("{:02x}", std::to_integer<unsigned>(byte));
    line("number {}", digits);
    return {};
  }
  const uint64_t at = addressOf(step, parameter.name);
  if (!value->description) {
    line("address {}", at);
    return {};
  }
  const Result<TensorMap> map = describeTensor(*value->description, *value->tensor, at);
  if (!map)
    return misfit(step.kernel, "parameter `" + parameter.name + "`: " + map.error().message);
  std::vector<uint64_t> numbers = map->extents;
  numbers.insert(numbers.end(), map->strides.begin(), map->strides.end());
  numbers.insert(numbers.end(), map->box.begin(), map->box.end());
  line("map {} {} {} {} {}", mapType(map->dtype), mapSwizzle(map->swizzleBytes),
       map->extents.size(), fmt::join(numbers, " "), at);
  return {};
}

Status PlanWriter::writeStep(size_t number, const std::vector<size_t> &after) {
  const ModelStep &step = m_package.steps[number];
  const KernelPackage &kernel = step.kernel;
  const auto &grid = kernel.plan.grid;
  const int64_t scratchBytes =
      kernel.globalScratchBytes * kernel.numCtas * grid[0] * grid[1] * grid[2];
  line("step {} {} {} {} {} {} {} {} {}", m_kernelOf[number], grid[0] * kernel.numCtas, grid[1],
       grid[2], kernel.numWarps * 32, kernel.numCtas, kernel.sharedBytes, scratchBytes,
       escaped(step.node));
  for (const PackageParameter &parameter : kernel.parameters)
    if (Status status = writeParameter(step, parameter); !status)
      return status;
  // Scratch memory, then that of clock reads, which these kernels do not have.
  line("{}", scratchBytes > 0 ? "scratch" : "none");
  line("none");
  if (!after.empty())
    line("after {}", fmt::join(after, " "));
  return {};
}

Result<DeployPlan> PlanWriter::write() {
  line("tilescope-model 1");
  line("generator {}", escaped(m_package.generator));
  line("model {}", escaped(m_package.model));
  line("memory {}", m_package.memoryBytes);
  writePorts("input", m_package.inputs);
  writePorts("output", m_package.outputs);
  writeConstants();
  writeKernels();
  const auto order = stepOrder(m_package);
  for (size_t i = 0; i < m_package.steps.size(); ++i)
    if (Status status = writeStep(i, order[i]); !status) {
      Error error = status.error();
      error.message = "node `" + m_package.steps[i].node + "`: " + error.message;
      return error;
    }
  line("end");
  return std::move(m_plan);
}

Result<DeployPlan> deployPlan(const ModelPackage &package) { return PlanWriter(package).write(); }

} // namespace tilescope::profiler
