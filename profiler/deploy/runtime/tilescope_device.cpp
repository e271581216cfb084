// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "tilescope_device.h"

#include <algorithm>
#include <cstring>

namespace tilescope_deploy {

namespace {
/// Makes the device's context current for a scope, and leaves that of the caller as it was.
class Current {
public:
  Current(const cuda::Driver &driver, cuda::Context context) : m_driver(driver) {
    driver.check(driver.pushContext(context), "cuCtxPushCurrent");
  }
  ~Current() {
    cuda::Context context = nullptr;
    m_driver.popContext(&context);
  }
  Current(const Current &) = delete;
  Current &operator=(const Current &) = delete;

private:
  const cuda::Driver &m_driver;
};
} // namespace

static cuda::Address allocate(const cuda::Driver &driver, uint64_t bytes, const char *what) {
  cuda::Address address = 0;
  // An empty model needs an address, too.
  const cuda::Result result = driver.allocate(&address, std::max<uint64_t>(bytes, 1));
  if (result == cuda::kOutOfMemory)
    throw Failure("the device does not have " + std::to_string(bytes) + " bytes left for " + what);
  driver.check(result, "cuMemAlloc");
  return address;
}

static int attributeOf(const cuda::Driver &driver, int attribute, cuda::Device device) {
  int value = 0;
  driver.check(driver.deviceAttribute(&value, attribute, device), "cuDeviceGetAttribute");
  return value;
}

DeviceModel::DeviceModel(const std::string &folder, const Plan &plan, int device)
    : m_driver(cuda::driver()), m_plan(plan) {
  int count = 0;
  m_driver.check(m_driver.deviceCount(&count), "cuDeviceGetCount");
  if (device < 0 || device >= count)
    throw Failure("there is no device " + std::to_string(device) + "; the number of devices is " +
                  std::to_string(count));
  m_driver.check(m_driver.deviceGet(&m_device, device), "cuDeviceGet");
  char name[256] = {};
  m_driver.check(m_driver.deviceName(name, sizeof(name) - 1, m_device), "cuDeviceGetName");
  m_name = name;
  m_capability = 10 * attributeOf(m_driver, cuda::kCapabilityMajor, m_device) +
                 attributeOf(m_driver, cuda::kCapabilityMinor, m_device);
  // Told before anything is moved.
  for (const Kernel &kernel : m_plan.kernels)
    (void)fittingCode(kernel);
  m_driver.check(m_driver.retainContext(&m_context, m_device), "cuDevicePrimaryCtxRetain");
  try {
    load(folder);
  } catch (...) {
    release();
    throw;
  }
}

DeviceModel::~DeviceModel() { release(); }

/// What fails now belongs to a device that is out of use.
void DeviceModel::release() {
  if (m_driver.pushContext(m_context) == 0) {
    for (const cuda::GraphExec graph : m_graphs)
      m_driver.destroyExec(graph);
    for (const cuda::Module module : m_modules)
      m_driver.unloadModule(module);
    for (const cuda::Address scratch : m_scratches)
      m_driver.release(scratch);
    if (m_memory)
      m_driver.release(m_memory);
    if (m_stream)
      m_driver.destroyStream(m_stream);
    cuda::Context popped = nullptr;
    m_driver.popContext(&popped);
  }
  m_driver.releaseContext(m_device);
}

void DeviceModel::load(const std::string &folder) {
  const Current current(m_driver, m_context);
  m_driver.check(m_driver.createStream(&m_stream, cuda::kStreamNonBlocking), "cuStreamCreate");
  m_memory = allocate(m_driver, m_plan.memoryBytes, "the model's tensors");
  for (const Constant &constant : m_plan.constants)
    fill(constant, folder);
  for (size_t number = 0; number < m_plan.kernels.size(); ++number)
    m_functions.push_back(loadKernel(number, folder));
  for (const ShapeSet &set : m_plan.sets)
    for (const Step &step : set.steps)
      allowResources(step);
  for (const ShapeSet &set : m_plan.sets)
    makeGraph(set);
}

/// Weights may be larger than this machine's memory: they pass it part by part.
void DeviceModel::fill(const Constant &constant, const std::string &folder) {
  std::string part =
      readPart(folder, "model.weights", constant.offset, constant.size, constant.checksum);
  constexpr uint64_t kPieceBytes = uint64_t(16) << 20;
  if (part.size() < std::min(constant.bytes, kPieceBytes)) {
    const std::string once = part;
    while (part.size() + once.size() <= std::min(constant.bytes, kPieceBytes))
      part += once;
  }
  for (uint64_t at = 0; at < constant.bytes; at += part.size()) {
    const uint64_t bytes = std::min<uint64_t>(part.size(), constant.bytes - at);
    m_driver.check(m_driver.upload(m_memory + constant.at + at, part.data(), bytes, m_stream),
                   "cuMemcpyHtoDAsync");
  }
  m_driver.check(m_driver.waitForStream(m_stream), "cuStreamSynchronize");
}

static std::string capabilityText(int number) {
  return std::to_string(number / 10) + "." + std::to_string(number % 10);
}

/// Machine code runs on its own generation, and not on an earlier member; PTX on any that is later.
const Code &DeviceModel::fittingCode(const Kernel &kernel) const {
  const auto fits = [&](const Code &code) {
    return code.capability / 10 == m_capability / 10 && code.capability <= m_capability;
  };
  auto code = std::find_if(kernel.codes.begin(), kernel.codes.end(), fits);
  if (code == kernel.codes.end())
    code = std::find_if(kernel.codes.begin(), kernel.codes.end(),
                        [](const Code &each) { return each.capability == 0; });
  if (code != kernel.codes.end())
    return *code;
  std::string had;
  bool isLater = true;
  for (const Code &each : kernel.codes) {
    had += (had.empty() ? "" : ", ") + capabilityText(each.capability);
    isLater &= m_capability > each.capability;
  }
  const std::string target = "`--target cuda:" + std::to_string(m_capability) + "`";
  throw Failure(
      "the model is compiled for the compute capability " + (had.empty() ? "of no device" : had) +
      ", and " + m_name + " has " + capabilityText(m_capability) + ": export it with " +
      (isLater ? target + ", or with `--ptx` if Tilescope does not know that target" : target));
}

cuda::Function DeviceModel::loadKernel(size_t number, const std::string &folder) {
  const Kernel &kernel = m_plan.kernels[number];
  const Code &code = fittingCode(kernel);
  // PTX ends with a zero byte.
  const std::string bytes =
      readPart(folder, codeFile(number, code), 0, code.bytes, code.checksum) + '\0';
  const std::string what = "loading kernel `" + kernel.symbol + "`";
  cuda::Module module = nullptr;
  m_driver.check(m_driver.loadModule(&module, bytes.data()), what.c_str());
  m_modules.push_back(module);
  cuda::Function function = nullptr;
  m_driver.check(m_driver.getFunction(&function, module, kernel.symbol.c_str()), what.c_str());
  return function;
}

void DeviceModel::allowResources(const Step &step) {
  const auto allow = [&](int attribute, unsigned value) {
    m_driver.check(
        m_driver.setFunctionAttribute(m_functions[step.kernel], attribute, static_cast<int>(value)),
        ("cuFuncSetAttribute for node `" + step.node + "`").c_str());
  };
  // Up to 48 KiB every kernel may have without asking, and clusters of eight.
  if (step.sharedBytes > 48 * 1024)
    allow(cuda::kMostDynamicShared, step.sharedBytes);
  if (step.cluster > 8)
    allow(cuda::kNonPortableClusters, 1);
}

Slot DeviceModel::mapSlot(const Parameter &parameter) const {
  cuda::TensorMap map = {};
  const std::vector<unsigned long long> extents(parameter.extents.begin(), parameter.extents.end());
  const std::vector<unsigned long long> strides(parameter.strides.begin(), parameter.strides.end());
  const std::vector<unsigned> box(parameter.box.begin(), parameter.box.end());
  const std::vector<unsigned> steps(box.size(), 1);
  // Not interleaved; 256 bytes at once come to L2; zeros outside.
  m_driver.check(m_driver.encodeMap(&map, parameter.type, static_cast<unsigned>(extents.size()),
                                    reinterpret_cast<void *>(m_memory + parameter.at),
                                    extents.data(), strides.data(), box.data(), steps.data(), 0,
                                    parameter.swizzle, 3, 0),
                 "cuTensorMapEncodeTiled");
  Slot slot;
  static_assert(sizeof(map) == sizeof(slot.bytes));
  std::memcpy(slot.bytes.data(), &map, sizeof(map));
  return slot;
}

/// The step's parameters; a kernel that asks for scratch memory has some of its own.
std::vector<Slot> DeviceModel::slotsOf(const Step &step) {
  cuda::Address scratch = 0;
  if (step.scratchBytes > 0) {
    scratch = allocate(m_driver, step.scratchBytes, "a kernel's scratch memory");
    m_scratches.push_back(scratch);
  }
  std::vector<Slot> slots;
  for (const Parameter &parameter : step.parameters) {
    Slot slot;
    if (parameter.kind == Parameter::Kind::Number) {
      std::copy(parameter.number.begin(), parameter.number.end(), slot.bytes.begin());
    } else if (parameter.kind == Parameter::Kind::Map) {
      slot = mapSlot(parameter);
    } else {
      const cuda::Address address = parameter.kind == Parameter::Kind::Address
                                        ? addressOf(parameter.at)
                                    : parameter.kind == Parameter::Kind::Scratch ? scratch
                                                                                 : 0;
      std::memcpy(slot.bytes.data(), &address, sizeof(address));
    }
    slots.push_back(slot);
  }
  return slots;
}

/// `ends`: of each step, the nodes that are over when it is. A step with an empty grid launches nothing.
void DeviceModel::addStep(const Step &step, cuda::Graph graph,
                          std::vector<std::vector<cuda::GraphNode>> &ends) {
  std::vector<cuda::GraphNode> after;
  for (const size_t earlier : step.after)
    after.insert(after.end(), ends[earlier].begin(), ends[earlier].end());
  std::sort(after.begin(), after.end());
  after.erase(std::unique(after.begin(), after.end()), after.end());
  if (std::find(step.grid.begin(), step.grid.end(), 0U) != step.grid.end()) {
    ends.push_back(std::move(after));
    return;
  }
  std::vector<Slot> slots = slotsOf(step);
  std::vector<void *> parameters;
  for (Slot &slot : slots)
    parameters.push_back(slot.bytes.data());
  cuda::KernelNode node = {};
  node.function = m_functions[step.kernel];
  node.gridX = step.grid[0];
  node.gridY = step.grid[1];
  node.gridZ = step.grid[2];
  node.blockX = step.threads;
  node.blockY = node.blockZ = 1;
  node.sharedBytes = step.sharedBytes;
  node.parameters = parameters.data();
  cuda::GraphNode added = nullptr;
  m_driver.check(m_driver.addKernel(&added, graph, after.data(), after.size(), &node),
                 ("the launch of node `" + step.node + "`").c_str());
  ends.push_back({added});
  if (step.cluster <= 1)
    return;
  cuda::LaunchAttribute value = {};
  value.cluster[0] = step.cluster;
  value.cluster[1] = value.cluster[2] = 1;
  m_driver.check(m_driver.setKernelAttribute(added, cuda::kClusterDimension, &value),
                 "cuGraphKernelNodeSetAttribute");
}

void DeviceModel::makeGraph(const ShapeSet &set) {
  cuda::Graph graph = nullptr;
  cuda::GraphExec exec = nullptr;
  m_driver.check(m_driver.createGraph(&graph, 0), "cuGraphCreate");
  try {
    std::vector<std::vector<cuda::GraphNode>> ends;
    for (const Step &step : set.steps)
      addStep(step, graph, ends);
    m_driver.check(m_driver.instantiate(&exec, graph, 0), "cuGraphInstantiateWithFlags");
  } catch (...) {
    m_driver.destroyGraph(graph);
    throw;
  }
  m_graphs.push_back(exec);
  // What was instantiated is a copy.
  m_driver.check(m_driver.destroyGraph(graph), "cuGraphDestroy");
}

void DeviceModel::launch(size_t set, cuda::Stream stream) {
  const Current current(m_driver, m_context);
  m_driver.check(m_driver.launchGraph(m_graphs[set], stream), "cuGraphLaunch");
}

void DeviceModel::run(size_t set, const void *const *inputs, void *const *outputs) {
  const Current current(m_driver, m_context);
  const ShapeSet &shapes = m_plan.sets[set];
  for (size_t i = 0; i < shapes.inputs.size(); ++i) {
    const Port &port = shapes.inputs[i];
    if (!inputs || !inputs[i])
      throw Failure("input `" + port.name + "` has no data");
    if (port.bytes > 0)
      m_driver.check(m_driver.upload(m_memory + port.at, inputs[i], port.bytes, m_stream),
                     "cuMemcpyHtoDAsync");
  }
  m_driver.check(m_driver.launchGraph(m_graphs[set], m_stream), "cuGraphLaunch");
  for (size_t i = 0; i < shapes.outputs.size(); ++i) {
    const Port &port = shapes.outputs[i];
    if (!outputs || !outputs[i])
      throw Failure("output `" + port.name + "` has no place");
    if (port.bytes > 0)
      m_driver.check(m_driver.download(outputs[i], m_memory + port.at, port.bytes, m_stream),
                     "cuMemcpyDtoHAsync");
  }
  m_driver.check(m_driver.waitForStream(m_stream), "the model's run");
}

} // namespace tilescope_deploy
