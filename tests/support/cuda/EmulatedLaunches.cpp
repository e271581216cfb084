// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// What `tilescope-runner` calls of the driver beside what exported programs call: launches one by one, and events.
#include "tests/support/cuda/EmulatedCuda.h"

#include <chrono>

using namespace tilescope::tests;

namespace {
/// CUlaunchConfig
struct LaunchConfig {
  unsigned gridX, gridY, gridZ, blockX, blockY, blockZ, sharedBytes;
  cuda::Stream stream;
  void *attributes;
  unsigned numAttributes;
};

using Clock = std::chrono::steady_clock;
} // namespace

extern "C" {

// Of EmulatedCuda.cpp.
Result cuModuleLoadData(cuda::Module *module, const void *image);

Result cuDriverGetVersion(int *version) {
  *version = 13000;
  return 0;
}
Result cuDeviceGetPCIBusId(char *id, int size, cuda::Device) {
  std::snprintf(id, static_cast<size_t>(size), "0000:00:00.0");
  return 0;
}
Result cuDeviceGetUuid(void *uuid, cuda::Device) {
  std::memset(uuid, 0, 16);
  return 0;
}
Result cuDeviceTotalMem_v2(size_t *bytes, cuda::Device) {
  *bytes = kMostMemory;
  return 0;
}
Result cuCtxSetCurrent(cuda::Context) { return 0; }
Result cuCtxSynchronize() { return 0; }

Result cuModuleLoadDataEx(cuda::Module *module, const void *image, unsigned, void *, void *) {
  return cuModuleLoadData(module, image);
}
Result cuFuncGetAttribute(int *value, int, cuda::Function) {
  *value = 0;
  return 0;
}

Result cuMemcpyHtoD_v2(Address to, const void *from, size_t bytes) {
  if (bytesAt(to).size() < bytes)
    return kInvalidValue;
  std::memcpy(reinterpret_cast<void *>(to), from, bytes);
  return 0;
}
Result cuMemcpyDtoH_v2(void *to, Address from, size_t bytes) {
  if (bytesAt(from).size() < bytes)
    return kInvalidValue;
  std::memcpy(to, reinterpret_cast<const void *>(from), bytes);
  return 0;
}
Result cuMemcpyDtoDAsync_v2(Address to, Address from, size_t bytes, cuda::Stream) {
  if (bytesAt(from).size() < bytes)
    return kInvalidValue;
  return cuMemcpyHtoD_v2(to, reinterpret_cast<const void *>(from), bytes);
}
Result cuMemsetD8Async(Address to, unsigned char value, size_t bytes, cuda::Stream) {
  if (bytesAt(to).size() < bytes)
    return kInvalidValue;
  std::memset(reinterpret_cast<void *>(to), value, bytes);
  return 0;
}

Result cuLaunchKernelEx(const LaunchConfig *config, cuda::Function function, void **parameters,
                        void **) {
  EmulatedNode node;
  node.function = reinterpret_cast<EmulatedFunction *>(function);
  const PtxProgram &program = *node.function->program;
  if (config->blockX != static_cast<unsigned>(program.threads))
    return kInvalidValue;
  node.launch.grid = {config->gridX, config->gridY, config->gridZ};
  node.launch.sharedBytes = config->sharedBytes;
  for (size_t i = 0; i < program.parameters.size(); ++i)
    node.launch.arguments.push_back(argumentOf(program.parameters[i], parameters[i]));
  return run(node) ? 0 : kLaunchFailed;
}

// Everything is over when its call returns.
Result cuEventCreate(Clock::time_point **event, unsigned) {
  *event = new Clock::time_point();
  return 0;
}
Result cuEventRecord(Clock::time_point *event, cuda::Stream) {
  *event = Clock::now();
  return 0;
}
Result cuEventSynchronize(Clock::time_point *) { return 0; }
Result cuEventElapsedTime(float *milliseconds, const Clock::time_point *begin,
                          const Clock::time_point *end) {
  *milliseconds = std::chrono::duration<float, std::milli>(*end - *begin).count();
  return 0;
}
Result cuEventDestroy_v2(Clock::time_point *event) {
  delete event;
  return 0;
}

} // extern "C"
