// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// A libcuda.so.1 without a GPU: kernels are PTX, which the emulator executes. It has the functions that an exported model
// calls. Its one device has the compute capability 13.0, or TILESCOPE_EMULATED_CAPABILITY (`90`), so that no machine
// code fits it. The nodes of a graph run in the order that keeps its edges and differs most from the one in
// which they were added: an edge that is missing is seen in the results.
#include "tests/support/cuda/EmulatedCuda.h"

using namespace tilescope::tests;

extern "C" {

Result cuInit(unsigned) { return std::getenv("TILESCOPE_EMULATED_NO_DEVICE") ? 100 : 0; }

Result cuGetErrorName(Result result, const char **name) {
  static const std::map<Result, const char *> names = {
      {1, "CUDA_ERROR_INVALID_VALUE"},  {2, "CUDA_ERROR_OUT_OF_MEMORY"},
      {100, "CUDA_ERROR_NO_DEVICE"},    {209, "CUDA_ERROR_NO_BINARY_FOR_GPU"},
      {218, "CUDA_ERROR_INVALID_PTX"},  {500, "CUDA_ERROR_NOT_FOUND"},
      {719, "CUDA_ERROR_LAUNCH_FAILED"}};
  const auto found = names.find(result);
  *name = found == names.end() ? nullptr : found->second;
  return 0;
}
Result cuGetErrorString(Result, const char **text) {
  *text = nullptr;
  return 0;
}

Result cuDeviceGetCount(int *count) {
  *count = 1;
  return 0;
}
Result cuDeviceGet(cuda::Device *device, int number) {
  *device = number;
  return number == 0 ? 0 : 101;
}
Result cuDeviceGetName(char *name, int size, cuda::Device) {
  std::snprintf(name, static_cast<size_t>(size), "Emulated GPU");
  return 0;
}
Result cuDeviceGetAttribute(int *value, int attribute, cuda::Device) {
  const char *set = std::getenv("TILESCOPE_EMULATED_CAPABILITY");
  const int capability = set ? std::atoi(set) : 130;
  *value = attribute == cuda::kCapabilityMajor   ? capability / 10
           : attribute == cuda::kCapabilityMinor ? capability % 10
                                                 : 0;
  return 0;
}
Result cuDevicePrimaryCtxRetain(cuda::Context *context, cuda::Device) {
  static int only = 0;
  *context = reinterpret_cast<cuda::Context>(&only);
  return 0;
}
Result cuDevicePrimaryCtxRelease_v2(cuda::Device) { return 0; }
Result cuCtxPushCurrent_v2(cuda::Context) { return 0; }
Result cuCtxPopCurrent_v2(cuda::Context *) { return 0; }

Result cuModuleLoadData(cuda::Module *module, const void *image) {
  const auto *text = static_cast<const char *>(image);
  if (std::strncmp(text,
                   "\x7f"
                   "ELF",
                   4) == 0)
    return kNoBinary;
  auto loaded = std::make_unique<EmulatedModule>(EmulatedModule{parsePtx(text)});
  if (!loaded->ptx.error.empty()) {
    std::fprintf(stderr, "emulated driver: %s\n", loaded->ptx.error.c_str());
    return kInvalidPtx;
  }
  *module = reinterpret_cast<cuda::Module>(loaded.release());
  return 0;
}
Result cuModuleUnload(cuda::Module module) {
  delete reinterpret_cast<EmulatedModule *>(module);
  return 0;
}
Result cuModuleGetFunction(cuda::Function *function, cuda::Module module, const char *name) {
  const auto *loaded = reinterpret_cast<const EmulatedModule *>(module);
  for (const PtxProgram &program : loaded->ptx.kernels)
    if (program.name == name) {
      // As long as its module, which is to say until the process ends.
      static std::vector<std::unique_ptr<EmulatedFunction>> all;
      all.push_back(std::make_unique<EmulatedFunction>(EmulatedFunction{loaded, &program}));
      *function = reinterpret_cast<cuda::Function>(all.back().get());
      return 0;
    }
  return kNotFound;
}
Result cuFuncSetAttribute(cuda::Function, int, int) { return 0; }

Result cuMemAlloc_v2(Address *address, size_t bytes) {
  constexpr size_t kAlignment = 256;
  void *memory =
      bytes > kMostMemory
          ? nullptr
          : std::aligned_alloc(kAlignment, (bytes + kAlignment - 1) / kAlignment * kAlignment);
  if (!memory)
    return kOutOfMemory;
  // What is not written is NaN.
  std::memset(memory, 0xff, bytes);
  *address = reinterpret_cast<Address>(memory);
  allocations()[*address] = bytes;
  return 0;
}
Result cuMemFree_v2(Address address) {
  if (allocations().erase(address) == 0)
    return kInvalidValue;
  std::free(reinterpret_cast<void *>(address));
  return 0;
}
Result cuMemcpyHtoDAsync_v2(Address to, const void *from, size_t bytes, cuda::Stream) {
  if (bytesAt(to).size() < bytes)
    return kInvalidValue;
  std::memcpy(reinterpret_cast<void *>(to), from, bytes);
  return 0;
}
Result cuMemcpyDtoHAsync_v2(void *to, Address from, size_t bytes, cuda::Stream) {
  if (bytesAt(from).size() < bytes)
    return kInvalidValue;
  std::memcpy(to, reinterpret_cast<const void *>(from), bytes);
  return 0;
}

Result cuStreamCreate(cuda::Stream *stream, unsigned) {
  *stream = nullptr;
  return 0;
}
Result cuStreamSynchronize(cuda::Stream) { return 0; }
Result cuStreamDestroy_v2(cuda::Stream) { return 0; }

Result cuTensorMapEncodeTiled(cuda::TensorMap *map, int type, unsigned rank, void *address,
                              const unsigned long long *extents, const unsigned long long *strides,
                              const unsigned *box, const unsigned *steps, int, int swizzle, int,
                              int) {
  PtxTensorMap encoded;
  encoded.base = reinterpret_cast<uint64_t>(address);
  encoded.rank = static_cast<uint8_t>(rank);
  for (unsigned dim = 0; dim < rank; ++dim) {
    encoded.extents[dim] = static_cast<uint32_t>(extents[dim]);
    encoded.box[dim] = box[dim];
    encoded.elementStrides[dim] = steps[dim];
    if (dim > 0)
      encoded.strides[dim - 1] = strides[dim - 1];
  }
  // The emulator counts types as PTX does: of integers unsigned first, and bf16 last.
  constexpr uint8_t kTypes[] = {0, 1, 2, 3, 4, 5, 6, 7, 9, 10};
  encoded.elementType = type < 10 ? kTypes[type] : 0;
  encoded.swizzle = static_cast<decltype(encoded.swizzle)>(swizzle);
  static_assert(sizeof(encoded) <= sizeof(*map));
  std::memset(map, 0, sizeof(*map));
  std::memcpy(map, &encoded, sizeof(encoded));
  return 0;
}

Result cuGraphCreate(cuda::Graph *graph, unsigned) {
  *graph = reinterpret_cast<cuda::Graph>(new EmulatedGraph);
  return 0;
}
Result cuGraphAddKernelNode_v2(cuda::GraphNode *added, cuda::Graph graph,
                               const cuda::GraphNode *after, size_t numAfter,
                               const cuda::KernelNode *kernel) {
  auto &nodes = reinterpret_cast<EmulatedGraph *>(graph)->nodes;
  auto node = std::make_unique<EmulatedNode>();
  node->number = nodes.size();
  node->function = reinterpret_cast<EmulatedFunction *>(kernel->function);
  const PtxProgram &program = *node->function->program;
  if (kernel->blockX != static_cast<unsigned>(program.threads))
    return kInvalidValue;
  node->launch.grid = {kernel->gridX, kernel->gridY, kernel->gridZ};
  node->launch.sharedBytes = kernel->sharedBytes;
  for (size_t i = 0; i < program.parameters.size(); ++i)
    node->launch.arguments.push_back(argumentOf(program.parameters[i], kernel->parameters[i]));
  for (size_t i = 0; i < numAfter; ++i)
    node->after.insert(reinterpret_cast<const EmulatedNode *>(after[i])->number);
  *added = reinterpret_cast<cuda::GraphNode>(node.get());
  nodes.push_back(std::move(node));
  return 0;
}
Result cuGraphKernelNodeSetAttribute(cuda::GraphNode, int, const cuda::LaunchAttribute *) {
  return 0;
}
/// The graph that was made is the one that runs.
Result cuGraphInstantiateWithFlags(cuda::GraphExec *exec, cuda::Graph graph, unsigned long long) {
  auto *made = new EmulatedGraph;
  made->nodes.swap(reinterpret_cast<EmulatedGraph *>(graph)->nodes);
  *exec = reinterpret_cast<cuda::GraphExec>(made);
  return 0;
}
Result cuGraphLaunch(cuda::GraphExec exec, cuda::Stream) {
  const auto &nodes = reinterpret_cast<EmulatedGraph *>(exec)->nodes;
  std::set<size_t> over;
  while (over.size() < nodes.size()) {
    // The last of those that may begin.
    size_t next = nodes.size();
    for (const auto &node : nodes)
      if (!over.contains(node->number) &&
          std::includes(over.begin(), over.end(), node->after.begin(), node->after.end()))
        next = node->number;
    if (next == nodes.size() || !run(*nodes[next]))
      return kLaunchFailed;
    over.insert(next);
  }
  return 0;
}
Result cuGraphExecDestroy(cuda::GraphExec exec) {
  delete reinterpret_cast<EmulatedGraph *>(exec);
  return 0;
}
Result cuGraphDestroy(cuda::Graph graph) {
  delete reinterpret_cast<EmulatedGraph *>(graph);
  return 0;
}

} // extern "C"
