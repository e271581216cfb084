// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/collect/PackageRun.h"

#include "profiler/analysis/Occupancy.h"
#include "profiler/collect/LoadKernel.h"
#include "profiler/package/InitialTensor.h"

#include <fstream>
#include <optional>

namespace tilescope::profiler {

Status PackageRun::open() {
  auto device = openDevice(m_driver, m_options.device);
  if (!device)
    return device.error();
  m_outcome.measurement.device = *device;
  return {};
}

Status PackageRun::load() {
  const auto loaded = KernelLoader(m_driver, m_outcome.measurement.device).load(m_package);
  if (!loaded)
    return loaded.error();
  if (loaded->isFromPtx)
    m_outcome.measurement.notes.push_back(
        "the device's driver compiled the PTX: the package holds no machine code for it");
  m_kernel = loaded->kernel;
  describe(loaded->attributes);
  return {};
}

void PackageRun::describe(const KernelAttributes &attributes) {
  Measurement &measurement = m_outcome.measurement;
  measurement.kernel = m_package.symbol;
  measurement.grid = m_package.plan.grid;
  measurement.coldL2 = m_options.coldL2;
  measurement.bytes = m_package.plan.bytes;
  measurement.flops = m_package.plan.flops;
  measurement.registers = attributes.registers;
  measurement.sharedBytes = m_package.sharedBytes + attributes.staticSharedBytes;
  measurement.spillBytes = m_package.spillBytes ? *m_package.spillBytes : attributes.localBytes;
  measurement.threads = m_package.numWarps * 32;
  if (auto limits = smLimits(measurement.device))
    measurement.occupancy = occupancy(
        *limits, {attributes.registers, *measurement.sharedBytes, m_package.numWarps * 32});
}

/// Bytes that this machine still has; nothing when the system does not say.
static std::optional<double> availableHostBytes() {
  std::ifstream memory("/proc/meminfo");
  for (std::string name; memory >> name;) {
    double kibibytes = 0;
    if (name == "MemAvailable:" && memory >> kibibytes)
      return kibibytes * 1024;
    memory.ignore(256, '\n');
  }
  return std::nullopt;
}

static double sizeBytes(const PlanTensor &tensor) {
  double bytes = double(dtypeSize(tensor.dtype));
  for (int64_t extent : tensor.shape)
    bytes *= double(extent);
  return bytes;
}

/// Every tensor is held before and after the run. The system would end a process that takes too
/// much, and others with it, so this is found out first.
Status PackageRun::checkHostMemory() const {
  double wanted = 0;
  for (const PlanArgument &argument : m_package.plan.args)
    if (const PlanTensor *tensor = argument.tensor())
      wanted += 2 * sizeBytes(*tensor);
  auto available = availableHostBytes();
  if (!available || wanted <= *available)
    return {};
  return inKernel({ErrorCode::InvalidInput,
                   "its tensors take " + std::to_string(int64_t(wanted / 0x1p20)) +
                       " MiB of this machine's memory, but only " +
                       std::to_string(int64_t(*available / 0x1p20)) + " MiB are left",
                   "make the sizes smaller"});
}

Status PackageRun::allocateTensors() {
  // On the device first: what does not fit there costs the host nothing.
  for (const PlanArgument &argument : m_package.plan.args) {
    const PlanTensor *plan = argument.tensor();
    if (!plan)
      continue;
    auto bytes = size_t(sizeBytes(*plan));
    if (auto shared = m_pool ? m_pool->find(argument, m_addresses) : std::nullopt) {
      m_addresses[argument.name] = *shared;
      continue;
    }
    auto address = m_driver.allocate(bytes);
    if (!address) {
      Error error = inKernel(address.error());
      error.message +=
          ", allocating " + std::to_string(bytes) + " bytes for `" + argument.name + "`";
      return error;
    }
    m_addresses[argument.name] = *address;
  }
  if (Status status = checkHostMemory(); !status)
    return status;
  for (const PlanArgument &argument : m_package.plan.args) {
    if (!argument.tensor())
      continue;
    const DeviceAddress at = m_addresses[argument.name];
    auto tensor =
        m_pool ? m_pool->initial(argument, at) : initialTensor(argument, m_options.inputFolder);
    if (!tensor)
      return inKernel(tensor.error());
    if (Status status = upload(argument.name, *tensor); !status)
      return status;
    m_outcome.tensors.push_back({argument.name, std::move(*tensor), {}});
  }
  return {};
}

Status PackageRun::allocateScratch() {
  const auto global = allocateGlobalScratch(m_driver, m_package);
  if (!global)
    return global.error();
  m_scratch.global = *global;
  if (m_package.trace && m_package.trace->scratchBytes() > 0) {
    auto allocated = m_driver.allocate(size_t(m_package.trace->scratchBytes()));
    if (!allocated)
      return inKernel(allocated.error());
    m_scratch.profile = *allocated;
    return clearTrace();
  }
  return {};
}

Status PackageRun::clearTrace() {
  if (m_scratch.profile == 0)
    return {};
  return m_driver.fillAsync(m_scratch.profile, 0, size_t(m_package.trace->scratchBytes()));
}

Result<std::vector<uint8_t>> PackageRun::readTrace() {
  std::vector<uint8_t> bytes;
  if (m_scratch.profile == 0)
    return bytes;
  bytes.resize(size_t(m_package.trace->scratchBytes()));
  if (Status status = m_driver.download(bytes.data(), m_scratch.profile, bytes.size()); !status)
    return inKernel(status.error());
  return bytes;
}

Status PackageRun::prepareLaunch() {
  m_shape = launchShape(m_package);
  if (Status status = allocateScratch(); !status)
    return status;
  auto made = makeParameters(m_package, m_addresses, m_scratch, m_driver);
  if (!made)
    return made.error();
  m_parameters = std::move(*made);
  m_pointers = m_parameters.pointers();
  return {};
}

Status PackageRun::launch() {
  if (Status status = m_driver.launch(m_kernel, m_shape, m_pointers.data()); !status)
    return inKernel(status.error());
  return {};
}

bool PackageRun::isEmpty() const { return isEmptyGrid(m_package.plan); }

Status PackageRun::launchToEnd() {
  announce({"launch"});
  if (isEmpty())
    return {};
  m_hasLaunched = true;
  if (Status status = launch(); !status)
    return status;
  if (Status status = m_driver.synchronize(); !status)
    return inKernel(status.error());
  ++m_outcome.measurement.launches;
  return {};
}

Status PackageRun::upload(const std::string &name, const Tensor &source) {
  if (Status status = m_driver.upload(m_addresses[name], source.data.data(), source.data.size());
      !status)
    return inKernel(status.error());
  return {};
}

Status PackageRun::fetch(const std::string &name, Tensor &target) {
  if (Status status = m_driver.download(target.data.data(), m_addresses[name], target.data.size());
      !status)
    return inKernel(status.error());
  return {};
}

Status PackageRun::firstLaunch() {
  if (Status status = launchToEnd(); !status)
    return status;
  announce({"outputs"});
  for (RunTensor &tensor : m_outcome.tensors) {
    tensor.after = {tensor.before.dtype, tensor.before.shape, {}};
    tensor.after.data.resize(tensor.before.data.size());
    if (Status status = fetch(tensor.name, tensor.after); !status)
      return status;
    m_outcome.measurement.outputs.push_back({tensor.name,
                                             std::string(dtypeName(tensor.after.dtype)),
                                             tensor.after.shape,
                                             tensor.after.data != tensor.before.data,
                                             {},
                                             {}});
  }
  return {};
}

/// What an output holds that begins without data makes no difference to the kernel.
static bool beginsWithData(const KernelPackage &package, const std::string &name) {
  return package.plan.argument(name)->tensor()->init.kind != TensorInit::Kind::Poison;
}

/// Also no file has given it contents.
static bool beganEmpty(const KernelPackage &package, const RunTensor &tensor) {
  return !beginsWithData(package, tensor.name) && tensor.before.numElements() > 0 &&
         countPoison(tensor.before) == tensor.before.numElements();
}

/// Whether a kernel may have written the poison that it holds: that of wider floats is a NaN which no
/// arithmetic gives.
static bool isDoubtful(const RunTensor &tensor) {
  if (tensor.unwritten.isNone() ||
      (isFloat(tensor.after.dtype) && dtypeSize(tensor.after.dtype) > 1))
    return false;
  return countPoison(tensor.after) > 0;
}

Status PackageRun::findUnwritten() {
  std::vector<std::pair<RunTensor *, Tensor>> doubtful;
  for (RunTensor &tensor : m_outcome.tensors) {
    tensor.unwritten = beganEmpty(m_package, tensor);
    if (isDoubtful(tensor))
      doubtful.emplace_back(&tensor, otherPoison(tensor.before));
  }
  if (doubtful.empty() || isEmpty())
    return {};
  for (const RunTensor &tensor : m_outcome.tensors)
    if (Status status = upload(tensor.name, tensor.before); !status)
      return status;
  for (const auto &[tensor, other] : doubtful)
    if (Status status = upload(tensor->name, other); !status)
      return status;
  if (Status status = launchToEnd(); !status)
    return status;
  announce({"outputs"});
  const RunTensor *tensors = m_outcome.tensors.data();
  for (const auto &[tensor, other] : doubtful) {
    Tensor second = other;
    if (Status status = fetch(tensor->name, second); !status)
      return status;
    tensor->unwritten = unwrittenOfBoth(tensor->after, second, other);
    bool &isChanged = m_outcome.measurement.outputs[static_cast<size_t>(tensor - tensors)].changed;
    for (int64_t i = 0; i < second.numElements() && !isChanged; ++i)
      isChanged = !tensor->unwritten.has(tensor->after, i);
  }
  return {};
}

Status PackageRun::restore() {
  for (size_t i = 0; i < m_outcome.tensors.size(); ++i) {
    const RunTensor &tensor = m_outcome.tensors[i];
    if (!m_outcome.measurement.outputs[i].changed || !beginsWithData(m_package, tensor.name))
      continue;
    if (Status status = upload(tensor.name, tensor.before); !status)
      return status;
  }
  return {};
}

Status PackageRun::start(const std::function<Status()> &whenOpen) {
  announce({"prepare"});
  if (Status status = open(); !status)
    return status;
  if (whenOpen)
    if (Status status = whenOpen(); !status)
      return status;
  for (auto step : {&PackageRun::load, &PackageRun::allocateTensors, &PackageRun::prepareLaunch,
                    &PackageRun::firstLaunch})
    if (Status status = (this->*step)(); !status)
      return status;
  return {};
}

Error PackageRun::inKernel(Error error) const {
  return profiler::inKernel(m_package, std::move(error));
}

void PackageRun::announce(const RunState &state) {
  if (m_options.progress)
    m_options.progress(state);
}

} // namespace tilescope::profiler
