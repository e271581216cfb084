// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/collect/RunPackage.h"

#include "profiler/analysis/Occupancy.h"
#include "profiler/analysis/Throughput.h"
#include "profiler/collect/MeasureTimes.h"
#include "profiler/collect/Parameters.h"
#include "profiler/package/InitialTensor.h"

#include <fstream>
#include <map>
#include <optional>

namespace tilescope::profiler {

namespace {
/// One run, step by step; every step needs those before it.
struct Run {
  CudaDriver &driver;
  Cupti *cupti;
  const std::string &cuptiReason;
  const KernelPackage &package;
  const RunOptions &options;
  RunOutcome outcome;
  KernelHandle kernel = 0;
  std::map<std::string, DeviceAddress> addresses;
  LaunchShape shape;
  ParameterBlock parameters;
  std::vector<void *> pointers;

  Status open();
  Status load();
  Status checkResources(const KernelAttributes &attributes);
  Status checkHostMemory() const;
  Status allocateTensors();
  Status prepareLaunch();
  Status launch();
  Status firstLaunch();
  Status measure();
  void describe(const KernelAttributes &attributes);
  void announce(const char *what) {
    if (options.progress)
      options.progress(what);
  }
  Error inKernel(Error error) const {
    error.message = "kernel `" + package.symbol + "`: " + error.message;
    return error;
  }
};
} // namespace

Status Run::open() {
  auto count = driver.deviceCount();
  if (!count)
    return count.error();
  if (options.device < 0 || options.device >= *count)
    return Error{ErrorCode::Environment,
                 "there is no device " + std::to_string(options.device) +
                     "; the number of devices is " + std::to_string(*count),
                 "`tilescope-runner devices` lists them"};
  if (cupti)
    if (Status status = cupti->enable(); !status)
      return status;
  if (Status status = driver.openContext(options.device); !status)
    return status;
  auto device = driver.device(options.device);
  if (!device)
    return device.error();
  outcome.measurement.device = *device;
  return {};
}

/// `cuda:90` -> 90; 0 when it is not such a target.
static int targetNumber(const std::string &target) {
  if (!target.starts_with("cuda:"))
    return 0;
  return std::atoi(target.c_str() + 5);
}

Status Run::load() {
  const DeviceInfo &device = outcome.measurement.device;
  int target = targetNumber(package.target);
  bool cubinFits = !package.cubin.empty() && target / 10 == device.computeMajor &&
                   target % 10 <= device.computeMinor;
  if (!cubinFits && package.ptx.empty())
    return Error{ErrorCode::InvalidInput,
                 "the package's machine code is for `" + package.target +
                     "`, but the device has compute "
                     "capability " +
                     std::to_string(device.computeMajor) + "." +
                     std::to_string(device.computeMinor),
                 "compile with `--target cuda:" +
                     std::to_string(device.computeMajor * 10 + device.computeMinor) + "`"};
  auto loaded = driver.loadKernel(cubinFits ? package.cubin : package.ptx, package.symbol);
  if (!loaded)
    return inKernel(loaded.error());
  if (!cubinFits)
    outcome.measurement.notes.push_back(
        "the device's driver compiled the PTX: the package holds no machine code for it");
  kernel = *loaded;
  auto attributes = driver.attributes(kernel);
  if (!attributes)
    return inKernel(attributes.error());
  if (Status status = checkResources(*attributes); !status)
    return status;
  describe(*attributes);
  // Up to 48 KiB every kernel may have without asking.
  if (package.sharedBytes > 48 * 1024)
    if (Status status = driver.allowDynamicShared(kernel, package.sharedBytes); !status)
      return inKernel(status.error());
  return {};
}

Status Run::checkResources(const KernelAttributes &attributes) {
  const DeviceInfo &device = outcome.measurement.device;
  int64_t shared = package.sharedBytes + attributes.staticSharedBytes;
  if (device.sharedBytesPerBlock > 0 && shared > device.sharedBytesPerBlock)
    return inKernel({ErrorCode::InvalidInput,
                     "needs " + std::to_string(shared) +
                         " bytes of shared memory, but the device has " +
                         std::to_string(device.sharedBytesPerBlock) + " per block",
                     "smaller blocks or a smaller `num_stages` need less"});
  if (attributes.maxThreadsPerBlock > 0 && package.numWarps * 32 > attributes.maxThreadsPerBlock)
    return inKernel({ErrorCode::InvalidInput,
                     "has " + std::to_string(package.numWarps * 32) +
                         " threads per block, but with its registers the device allows only " +
                         std::to_string(attributes.maxThreadsPerBlock),
                     "use a smaller `num_warps` or a smaller `maxnreg`"});
  return {};
}

void Run::describe(const KernelAttributes &attributes) {
  Measurement &measurement = outcome.measurement;
  measurement.kernel = package.symbol;
  measurement.grid = package.plan.grid;
  measurement.coldL2 = options.coldL2;
  measurement.bytes = package.plan.bytes;
  measurement.flops = package.plan.flops;
  measurement.registers = attributes.registers;
  measurement.sharedBytes = package.sharedBytes + attributes.staticSharedBytes;
  measurement.spillBytes = package.spillBytes ? *package.spillBytes : attributes.localBytes;
  measurement.threads = package.numWarps * 32;
  if (auto limits = smLimits(measurement.device))
    measurement.occupancy =
        occupancy(*limits, {attributes.registers, *measurement.sharedBytes, package.numWarps * 32});
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
Status Run::checkHostMemory() const {
  double wanted = 0;
  for (const PlanArgument &argument : package.plan.args)
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

Status Run::allocateTensors() {
  // On the device first: what does not fit there costs the host nothing.
  for (const PlanArgument &argument : package.plan.args) {
    const PlanTensor *plan = argument.tensor();
    if (!plan)
      continue;
    auto bytes = size_t(sizeBytes(*plan));
    auto address = driver.allocate(bytes);
    if (!address) {
      Error error = inKernel(address.error());
      error.message +=
          ", allocating " + std::to_string(bytes) + " bytes for `" + argument.name + "`";
      return error;
    }
    addresses[argument.name] = *address;
  }
  if (Status status = checkHostMemory(); !status)
    return status;
  for (const PlanArgument &argument : package.plan.args) {
    if (!argument.tensor())
      continue;
    auto tensor = initialTensor(argument, options.inputFolder);
    if (!tensor)
      return inKernel(tensor.error());
    if (Status status =
            driver.upload(addresses[argument.name], tensor->data.data(), tensor->data.size());
        !status)
      return inKernel(status.error());
    outcome.tensors.push_back({argument.name, std::move(*tensor), {}});
  }
  return {};
}

Status Run::prepareLaunch() {
  const LaunchPlan &plan = package.plan;
  for (size_t axis = 0; axis < 3; ++axis)
    shape.grid[axis] = uint32_t(plan.grid[axis]);
  shape.grid[0] *= uint32_t(package.numCtas);
  shape.threads = uint32_t(package.numWarps) * 32;
  shape.clusterBlocks = uint32_t(package.numCtas);
  shape.dynamicSharedBytes = uint32_t(package.sharedBytes);
  DeviceAddress scratch = 0;
  if (package.globalScratchBytes > 0) {
    size_t programs = size_t(plan.grid[0]) * size_t(plan.grid[1]) * size_t(plan.grid[2]);
    auto allocated =
        driver.allocate(programs * size_t(package.numCtas) * size_t(package.globalScratchBytes));
    if (!allocated)
      return inKernel(allocated.error());
    scratch = *allocated;
  }
  auto made = makeParameters(package, addresses, scratch, driver);
  if (!made)
    return made.error();
  parameters = std::move(*made);
  pointers = parameters.pointers();
  return {};
}

Status Run::launch() {
  if (Status status = driver.launch(kernel, shape, pointers.data()); !status)
    return inKernel(status.error());
  return {};
}

/// An empty grid launches nothing, as in Triton.
static bool emptyGrid(const LaunchPlan &plan) {
  return plan.grid[0] == 0 || plan.grid[1] == 0 || plan.grid[2] == 0;
}

Status Run::firstLaunch() {
  announce("launch");
  if (!emptyGrid(package.plan)) {
    if (Status status = launch(); !status)
      return status;
    if (Status status = driver.synchronize(); !status)
      return inKernel(status.error());
    outcome.measurement.launches = 1;
  }
  for (RunTensor &tensor : outcome.tensors) {
    tensor.after = {tensor.before.dtype, tensor.before.shape, {}};
    tensor.after.data.resize(tensor.before.data.size());
    if (Status status = driver.download(tensor.after.data.data(), addresses[tensor.name],
                                        tensor.after.data.size());
        !status)
      return inKernel(status.error());
    outcome.measurement.outputs.push_back({tensor.name,
                                           std::string(dtypeName(tensor.after.dtype)),
                                           tensor.after.shape,
                                           tensor.after.data != tensor.before.data,
                                           {},
                                           {}});
  }
  return {};
}

Status Run::measure() {
  announce("measure");
  Measurement &measurement = outcome.measurement;
  TimedLaunch timed{package.symbol, [this] { return launch(); }};
  auto runs = measureTimes(driver, cupti, cuptiReason, measurement.device, timed, options);
  if (!runs)
    return inKernel(runs.error());
  measurement.launches += runs->launches;
  measurement.timeSource = runs->source;
  measurement.coldL2 = runs->coldL2;
  measurement.notes.insert(measurement.notes.end(), runs->notes.begin(), runs->notes.end());
  measurement.timeUs = timeStats(std::move(runs->samplesUs));
  // The ceiling is a comfort: without it (no memory for two buffers) the measurement still stands.
  if (auto copy = measureCopy(driver, measurement.device); copy && *copy > 0)
    measurement.copyGbPerS = *copy;
  return {};
}

Result<RunOutcome> runPackage(CudaDriver &driver, Cupti *cupti, const std::string &cuptiReason,
                              const KernelPackage &package, const RunOptions &options) {
  Run run{driver, cupti, cuptiReason, package, options, {}, 0, {}, {}, {}, {}};
  run.announce("prepare");
  for (auto step :
       {&Run::open, &Run::load, &Run::allocateTensors, &Run::prepareLaunch, &Run::firstLaunch})
    if (Status status = (run.*step)(); !status)
      return status.error();
  if (options.measure && !emptyGrid(package.plan))
    if (Status status = run.measure(); !status)
      return status.error();
  deriveThroughput(run.outcome.measurement);
  return std::move(run.outcome);
}

} // namespace tilescope::profiler
