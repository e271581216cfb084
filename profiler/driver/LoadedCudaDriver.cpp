// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/driver/LoadedCudaDriver.h"

#include "profiler/driver/DriverLibrary.h"
#include "profiler/driver/TensorMapTypes.h"

#include <cstring>

namespace tilescope::profiler {

static CUevent eventOf(EventHandle event) { return reinterpret_cast<CUevent>(event); }
/// As NVIDIA's own tools write it.
static std::string uuidText(const CUuuid &uuid) {
  std::string text = "GPU";
  for (size_t i = 0; i < sizeof(uuid.bytes); ++i) {
    if (i == 0 || i == 4 || i == 6 || i == 8 || i == 10)
      text += '-';
    const auto byte = static_cast<unsigned char>(uuid.bytes[i]);
    for (const int digit : {byte >> 4, byte & 15})
      text += "0123456789abcdef"[digit];
  }
  return text;
}

Status LoadedCudaDriver::check(CUresult result, const char *function) const {
  if (result == CUDA_SUCCESS)
    return {};
  const char *name = nullptr, *words = nullptr;
  m_api.cuGetErrorNameFn(result, &name);
  m_api.cuGetErrorStringFn(result, &words);
  Error error{ErrorCode::InvalidInput,
              std::string(function) + " failed: " + (name ? name : std::to_string(result)), ""};
  if (words)
    error.message += std::string(" (") + words + ")";
  switch (result) {
  case CUDA_ERROR_NO_DEVICE:
  case CUDA_ERROR_SYSTEM_DRIVER_MISMATCH:
    error.code = ErrorCode::Environment;
    error.hint = "an NVIDIA GPU and its driver are needed";
    break;
  case CUDA_ERROR_OUT_OF_MEMORY:
    error.hint = "the device has not enough free memory for the tensors: make the sizes smaller";
    break;
  case CUDA_ERROR_ILLEGAL_ADDRESS:
  case CUDA_ERROR_MISALIGNED_ADDRESS:
    error.hint = "an access is outside its tensor or misaligned: a run on the interpreter "
                 "names the source line";
    break;
  case CUDA_ERROR_ASSERT:
    error.hint = "a `tl.device_assert` does not hold: a run on the interpreter says for which "
                 "element";
    break;
  default:
    break;
  }
  return error;
}

Result<int> LoadedCudaDriver::deviceCount() {
  int count = 0;
  if (Status status = check(m_api.cuDeviceGetCountFn(&count), "cuDeviceGetCount"); !status)
    return status.error();
  return count;
}

Result<DeviceInfo> LoadedCudaDriver::device(int ordinal) {
  CUdevice device = 0;
  if (Status status = check(m_api.cuDeviceGetFn(&device, ordinal), "cuDeviceGet"); !status)
    return status.error();
  DeviceInfo info;
  info.ordinal = ordinal;
  char name[256] = {};
  if (m_api.cuDeviceGetNameFn(name, sizeof(name) - 1, device) == CUDA_SUCCESS)
    info.name = name;
  char busId[32] = {};
  if (m_api.cuDeviceGetPCIBusIdFn(busId, sizeof(busId) - 1, device) == CUDA_SUCCESS)
    info.pciBusId = busId;
  CUuuid uuid = {};
  if (m_api.cuDeviceGetUuidFn(&uuid, device) == CUDA_SUCCESS)
    info.uuid = uuidText(uuid);
  size_t memory = 0;
  if (m_api.cuDeviceTotalMemFn(&memory, device) == CUDA_SUCCESS)
    info.memoryBytes = int64_t(memory);
  m_api.cuDriverGetVersionFn(&info.driverVersion);
  auto attribute = [&](CUdevice_attribute which) {
    int value = 0;
    return m_api.cuDeviceGetAttributeFn(&value, which, device) == CUDA_SUCCESS ? value : 0;
  };
  info.computeMajor = attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
  info.computeMinor = attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
  info.numSms = attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
  info.l2Bytes = attribute(CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE);
  info.smClockKHz = attribute(CU_DEVICE_ATTRIBUTE_CLOCK_RATE);
  info.memoryClockKHz = attribute(CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE);
  info.memoryBusBits = attribute(CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH);
  info.registersPerSm = attribute(CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR);
  info.sharedBytesPerSm = attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR);
  info.sharedBytesPerBlock = attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
  info.reservedSharedBytesPerBlock =
      attribute(CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK);
  info.threadsPerSm = attribute(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR);
  info.blocksPerSm = attribute(CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR);
  return info;
}

Status LoadedCudaDriver::openContext(int ordinal) {
  CUdevice device = 0;
  if (Status status = check(m_api.cuDeviceGetFn(&device, ordinal), "cuDeviceGet"); !status)
    return status;
  CUcontext context = nullptr;
  if (Status status =
          check(m_api.cuDevicePrimaryCtxRetainFn(&context, device), "cuDevicePrimaryCtxRetain");
      !status)
    return status;
  return check(m_api.cuCtxSetCurrentFn(context), "cuCtxSetCurrent");
}

Result<KernelHandle> LoadedCudaDriver::loadKernel(const std::string &image,
                                                  const std::string &symbol) {
  char log[4096] = {};
  CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void *values[] = {log, reinterpret_cast<void *>(sizeof(log))};
  CUmodule module = nullptr;
  if (Status status = check(m_api.cuModuleLoadDataExFn(&module, image.c_str(), 2, options, values),
                            "cuModuleLoadDataEx");
      !status) {
    Error error = status.error();
    if (log[0])
      error.message += std::string(": ") + log;
    return error;
  }
  CUfunction kernel = nullptr;
  if (Status status = check(m_api.cuModuleGetFunctionFn(&kernel, module, symbol.c_str()),
                            "cuModuleGetFunction");
      !status)
    return status.error();
  return reinterpret_cast<KernelHandle>(kernel);
}

Result<KernelAttributes> LoadedCudaDriver::attributes(KernelHandle kernel) {
  KernelAttributes result;
  Status all;
  auto attribute = [&](CUfunction_attribute which, int64_t &target) {
    int value = 0;
    if (Status status = check(m_api.cuFuncGetAttributeFn(&value, which, functionOf(kernel)),
                              "cuFuncGetAttribute");
        !status)
      all = status;
    target = value;
  };
  attribute(CU_FUNC_ATTRIBUTE_NUM_REGS, result.registers);
  attribute(CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES, result.localBytes);
  attribute(CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, result.staticSharedBytes);
  attribute(CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, result.maxThreadsPerBlock);
  if (!all)
    return all.error();
  return result;
}

Status LoadedCudaDriver::allowDynamicShared(KernelHandle kernel, int64_t bytes) {
  return check(m_api.cuFuncSetAttributeFn(
                   functionOf(kernel), CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, int(bytes)),
               "cuFuncSetAttribute");
}

Result<DeviceAddress> LoadedCudaDriver::allocate(size_t bytes) {
  CUdeviceptr address = 0;
  // The driver refuses zero bytes; an empty tensor still needs an address.
  if (Status status = check(m_api.cuMemAllocFn(&address, bytes ? bytes : 1), "cuMemAlloc"); !status)
    return status.error();
  return DeviceAddress(address);
}

Status LoadedCudaDriver::release(DeviceAddress address) {
  return check(m_api.cuMemFreeFn(address), "cuMemFree");
}

Status LoadedCudaDriver::upload(DeviceAddress to, const void *from, size_t bytes) {
  return bytes ? check(m_api.cuMemcpyHtoDFn(to, from, bytes), "cuMemcpyHtoD") : Status();
}

Status LoadedCudaDriver::download(void *to, DeviceAddress from, size_t bytes) {
  return bytes ? check(m_api.cuMemcpyDtoHFn(to, from, bytes), "cuMemcpyDtoH") : Status();
}

Status LoadedCudaDriver::fillAsync(DeviceAddress to, uint8_t value, size_t bytes) {
  return check(m_api.cuMemsetD8AsyncFn(to, value, bytes, nullptr), "cuMemsetD8Async");
}

Status LoadedCudaDriver::copyAsync(DeviceAddress to, DeviceAddress from, size_t bytes) {
  return check(m_api.cuMemcpyDtoDAsyncFn(to, from, bytes, nullptr), "cuMemcpyDtoDAsync");
}

Result<TensorMapBytes> LoadedCudaDriver::encodeTensorMap(const TensorMap &map) {
  CUtensorMap encoded;
  const std::vector<cuuint64_t> extents(map.extents.begin(), map.extents.end());
  const std::vector<cuuint64_t> strides(map.strides.begin(), map.strides.end());
  const std::vector<cuuint32_t> steps(map.box.size(), 1);
  const CUresult result = m_api.cuTensorMapEncodeTiledFn(
      &encoded, tensorMapType(map.dtype), cuuint32_t(map.extents.size()),
      reinterpret_cast<void *>(map.address), extents.data(), strides.data(), map.box.data(),
      steps.data(), CU_TENSOR_MAP_INTERLEAVE_NONE, tensorMapSwizzle(map.swizzleBytes),
      map.cachedBytes == 256 ? CU_TENSOR_MAP_L2_PROMOTION_L2_256B
                             : CU_TENSOR_MAP_L2_PROMOTION_L2_128B,
      CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  if (Status status = check(result, "cuTensorMapEncodeTiled"); !status)
    return status.error();
  TensorMapBytes bytes;
  static_assert(sizeof(encoded) == sizeof(bytes));
  std::memcpy(bytes.data(), &encoded, sizeof(encoded));
  return bytes;
}

/// More than eight blocks per cluster are not a portable size and must be asked for.
Status LoadedCudaDriver::allowClusters(KernelHandle kernel, const LaunchShape &shape) {
  if (shape.clusterBlocks <= 8)
    return {};
  return check(m_api.cuFuncSetAttributeFn(functionOf(kernel),
                                          CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1),
               "cuFuncSetAttribute");
}

Status LoadedCudaDriver::launch(KernelHandle kernel, const LaunchShape &shape, void **parameters) {
  CUlaunchConfig config = {};
  config.gridDimX = shape.grid[0];
  config.gridDimY = shape.grid[1];
  config.gridDimZ = shape.grid[2];
  config.blockDimX = shape.threads;
  config.blockDimY = config.blockDimZ = 1;
  config.sharedMemBytes = shape.dynamicSharedBytes;
  CUlaunchAttribute attributes[2] = {};
  if (shape.clusterBlocks > 1) {
    attributes[0].id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
    attributes[0].value.clusterDim.x = shape.clusterBlocks;
    attributes[0].value.clusterDim.y = attributes[0].value.clusterDim.z = 1;
    attributes[1].id = CU_LAUNCH_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE;
    attributes[1].value.clusterSchedulingPolicyPreference = CU_CLUSTER_SCHEDULING_POLICY_SPREAD;
    config.attrs = attributes;
    config.numAttrs = 2;
  }
  if (Status status = allowClusters(kernel, shape); !status)
    return status;
  return check(m_api.cuLaunchKernelExFn(&config, functionOf(kernel), parameters, nullptr),
               "cuLaunchKernelEx");
}

Status LoadedCudaDriver::synchronize() {
  return check(m_api.cuCtxSynchronizeFn(), "cuCtxSynchronize");
}

Result<EventHandle> LoadedCudaDriver::createEvent() {
  CUevent event = nullptr;
  if (Status status = check(m_api.cuEventCreateFn(&event, CU_EVENT_DEFAULT), "cuEventCreate");
      !status)
    return status.error();
  return reinterpret_cast<EventHandle>(event);
}

Status LoadedCudaDriver::recordEvent(EventHandle event) {
  return check(m_api.cuEventRecordFn(eventOf(event), nullptr), "cuEventRecord");
}

Result<double> LoadedCudaDriver::elapsedUs(EventHandle begin, EventHandle end) {
  if (Status status = check(m_api.cuEventSynchronizeFn(eventOf(end)), "cuEventSynchronize");
      !status)
    return status.error();
  float milliseconds = 0;
  if (Status status = check(m_api.cuEventElapsedTimeFn(&milliseconds, eventOf(begin), eventOf(end)),
                            "cuEventElapsedTime");
      !status)
    return status.error();
  return double(milliseconds) * 1e3;
}

Status LoadedCudaDriver::releaseEvent(EventHandle event) {
  return check(m_api.cuEventDestroyFn(eventOf(event)), "cuEventDestroy");
}

static Error noDriver(const std::string &message) {
  return {ErrorCode::Environment, message,
          "running kernels on a GPU needs an NVIDIA GPU with its driver (libcuda.so.1, "
          "for CUDA 12 or later)"};
}

Result<std::unique_ptr<CudaDriver>> loadCudaDriver() {
  Result<DynamicLibrary> library = openCudaLibrary();
  if (!library)
    return noDriver(library.error().message);
  CudaApi api;
  const char *missing = nullptr;
#define TILESCOPE_RESOLVE(function, name)                                                          \
  api.function##Fn = reinterpret_cast<decltype(api.function##Fn)>(library->symbol(name));          \
  if (!api.function##Fn)                                                                           \
    missing = name;
  TILESCOPE_CUDA_FUNCTIONS(TILESCOPE_RESOLVE)
#undef TILESCOPE_RESOLVE
  if (missing)
    return noDriver("libcuda lacks `" + std::string(missing) + "`");
  auto driver = std::make_unique<LoadedCudaDriver>(api);
  if (Status status = driver->check(api.cuInitFn(0), "cuInit"); !status)
    return noDriver(status.error().message);
  return std::unique_ptr<CudaDriver>(std::move(driver));
}

} // namespace tilescope::profiler
