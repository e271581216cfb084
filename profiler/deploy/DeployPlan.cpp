// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/deploy/DeployPlan.h"

#include "profiler/data/Checksum.h"
#include "profiler/package/ParameterValue.h"
#include "profiler/package/StepOrder.h"
#include "profiler/package/TensorMap.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iterator>

namespace tilescope::profiler {

/// Of a constant in the file, which a program may map, and of tensors in memory.
static constexpr size_t kAlignment = 256;

static uint64_t aligned(uint64_t bytes) {
  return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

namespace {
/// Writes the lines of a plan. Packages have their places in the plan's memory.
class PlanWriter {
public:
  explicit PlanWriter(DeployPlan &plan) : m_plan(plan) {}

  void writeHeader(const ModelPackage &package, size_t numSets, uint64_t memoryBytes);
  void writeKernels(const std::vector<ModelPackage> &packages);
  Status writeSet(const ModelPackage &package);
  template <typename... Values>
  void line(fmt::format_string<Values...> format, Values &&...values) {
    fmt::format_to(std::back_inserter(m_plan.text), format, std::forward<Values>(values)...);
    m_plan.text += '\n';
  }

private:
  void writePorts(const char *key, const ModelPackage &package,
                  const std::vector<ModelPort> &ports);
  Status writeStep(const ModelPackage &package, size_t number, const std::vector<size_t> &after);
  Status writeParameter(const ModelPackage &package, const ModelStep &step,
                        const PackageParameter &parameter);

  DeployPlan &m_plan;
  /// The number of a kernel, by its code and symbol.
  std::map<std::pair<std::string_view, std::string_view>, size_t> m_kernels;
};
} // namespace

/// At the end of a line.
static std::string escaped(const std::string &name) {
  std::string text;
  for (const char letter : name)
    text += letter == '\n' ? "\\n" : letter == '\\' ? "\\\\" : std::string(1, letter);
  return text;
}

void PlanWriter::writePorts(const char *key, const ModelPackage &package,
                            const std::vector<ModelPort> &ports) {
  for (const ModelPort &port : ports)
    line("{} {} {} {} {} {}{}", key,
         static_cast<size_t>(numElements(port.shape)) * dtypeSize(port.dtype),
         package.buffers[port.buffer].at, dtypeName(port.dtype), port.shape.size(),
         fmt::join(port.shape, " "), (port.shape.empty() ? "" : " ") + escaped(port.name));
}

void PlanWriter::writeHeader(const ModelPackage &package, size_t numSets, uint64_t memoryBytes) {
  line("tilescope-model {}", numSets > 1 ? 2 : 1);
  line("generator {}", escaped(package.generator));
  line("model {}", escaped(package.model));
  line("memory {}", memoryBytes);
}

/// `90` of `cuda:90`.
static std::string capabilityOf(const std::string &target) {
  return target.substr(std::min(target.find(':') + 1, target.size()));
}

static std::pair<std::string_view, std::string_view> codeOf(const KernelPackage &kernel) {
  return {kernel.cubin.empty() ? kernel.ptx : kernel.cubin, kernel.symbol};
}

/// Steps with the same code share a kernel.
void PlanWriter::writeKernels(const std::vector<ModelPackage> &packages) {
  for (const ModelPackage &package : packages)
    for (const ModelStep &step : package.steps) {
      const KernelPackage &kernel = step.kernel;
      const auto [known, isNew] = m_kernels.try_emplace(codeOf(kernel), m_kernels.size());
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

static uint64_t addressOf(const ModelPackage &package, const ModelStep &step,
                          const std::string &argument) {
  for (const StepTensor &tensor : step.tensors)
    if (tensor.argument == argument)
      return package.buffers[tensor.buffer].at;
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

Status PlanWriter::writeParameter(const ModelPackage &package, const ModelStep &step,
                                  const PackageParameter &parameter) {
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
  const uint64_t at = addressOf(package, step, parameter.name);
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

Status PlanWriter::writeStep(const ModelPackage &package, size_t number,
                             const std::vector<size_t> &after) {
  const ModelStep &step = package.steps[number];
  const KernelPackage &kernel = step.kernel;
  const auto &grid = kernel.plan.grid;
  const int64_t scratchBytes =
      kernel.globalScratchBytes * kernel.numCtas * grid[0] * grid[1] * grid[2];
  line("step {} {} {} {} {} {} {} {} {}", m_kernels.at(codeOf(kernel)), grid[0] * kernel.numCtas,
       grid[1], grid[2], kernel.numWarps * 32, kernel.numCtas, kernel.sharedBytes, scratchBytes,
       escaped(step.node));
  for (const PackageParameter &parameter : kernel.parameters)
    if (Status status = writeParameter(package, step, parameter); !status)
      return status;
  // Scratch memory, then that of clock reads, which these kernels do not have.
  line("{}", scratchBytes > 0 ? "scratch" : "none");
  line("none");
  if (!after.empty())
    line("after {}", fmt::join(after, " "));
  return {};
}

Status PlanWriter::writeSet(const ModelPackage &package) {
  writePorts("input", package, package.inputs);
  writePorts("output", package, package.outputs);
  const auto order = stepOrder(package);
  for (size_t i = 0; i < package.steps.size(); ++i)
    if (Status status = writeStep(package, i, order[i]); !status) {
      Error error = status.error();
      error.message = "node `" + package.steps[i].node + "`: " + error.message;
      return error;
    }
  return {};
}

/// Equal contents are stored once.
size_t DeployPlanMaker::constantOf(const ModelBuffer &buffer) {
  Constant constant{m_weights.size(), buffer.data.size(), fnv1a(buffer.data), buffer.bytes,
                    m_constantBytes};
  bool isStored = false;
  const auto [begin, end] = m_known.equal_range(constant.checksum);
  for (auto known = begin; known != end; ++known) {
    const Constant &other = m_constants[known->second];
    if (std::string_view(m_weights).substr(other.offset, other.size) != buffer.data)
      continue;
    if (other.bytes == buffer.bytes)
      return known->second;
    constant.offset = other.offset;
    isStored = true;
  }
  if (!isStored)
    m_weights.append(buffer.data).resize(aligned(m_weights.size()));
  m_constantBytes = aligned(m_constantBytes + buffer.bytes);
  m_known.emplace(constant.checksum, m_constants.size());
  m_constants.push_back(constant);
  return m_constants.size() - 1;
}

void DeployPlanMaker::add(ModelPackage package) {
  // The program has them.
  for (const ModelPort &port : package.inputs)
    package.buffers[port.buffer].data.clear();
  std::vector<std::optional<size_t>> &constants = m_constantOf.emplace_back();
  for (ModelBuffer &buffer : package.buffers) {
    std::optional<size_t> &constant = constants.emplace_back();
    if (buffer.bytes == 0)
      buffer.at = 0;
    else if (buffer.data.empty())
      m_setBytes = std::max(m_setBytes, aligned(buffer.at + buffer.bytes));
    else
      constant = constantOf(buffer);
    buffer.data = std::string();
  }
  m_packages.push_back(std::move(package));
}

void DeployPlanMaker::place(ModelPackage &package,
                            const std::vector<std::optional<size_t>> &constants) const {
  for (size_t i = 0; i < constants.size(); ++i)
    if (constants[i])
      package.buffers[i].at = m_setBytes + m_constants[*constants[i]].at;
}

static bool isAlike(const std::vector<ModelPort> &a, const std::vector<ModelPort> &b) {
  return std::ranges::equal(a, b, [](const ModelPort &one, const ModelPort &other) {
    return one.name == other.name && one.dtype == other.dtype &&
           one.shape.size() == other.shape.size();
  });
}

Result<DeployPlan> DeployPlanMaker::finish() {
  for (const ModelPackage &package : m_packages)
    if (!isAlike(package.inputs, m_packages.front().inputs) ||
        !isAlike(package.outputs, m_packages.front().outputs))
      return Error{ErrorCode::InvalidInput,
                   "the model does not have the same inputs and outputs for all sets of shapes",
                   ""};
  m_memoryBytes = m_setBytes + m_constantBytes;
  for (size_t i = 0; i < m_packages.size(); ++i)
    place(m_packages[i], m_constantOf[i]);
  DeployPlan plan;
  PlanWriter writer(plan);
  writer.writeHeader(m_packages.front(), m_packages.size(), m_memoryBytes);
  for (const Constant &each : m_constants)
    writer.line("constant {} {} {} {} {}", m_setBytes + each.at, each.bytes, each.offset, each.size,
                each.checksum);
  writer.writeKernels(m_packages);
  for (const ModelPackage &package : m_packages) {
    if (m_packages.size() > 1)
      writer.line("shape");
    if (Status status = writer.writeSet(package); !status)
      return status.error();
  }
  writer.line("end");
  plan.weights = std::move(m_weights);
  return plan;
}

Result<DeployPlan> deployPlan(const ModelPackage &package) {
  DeployPlanMaker maker;
  maker.add(package);
  return maker.finish();
}

} // namespace tilescope::profiler
