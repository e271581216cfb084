// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/driver/LoadedCudaDriver.h"

namespace tilescope::profiler {

static CUgraphExec graphOf(GraphHandle graph) { return reinterpret_cast<CUgraphExec>(graph); }

Status LoadedCudaDriver::addKernels(CUgraph graph, const std::vector<GraphKernel> &kernels) {
  std::vector<CUgraphNode> nodes;
  for (const GraphKernel &kernel : kernels) {
    const LaunchShape &shape = kernel.shape;
    CUDA_KERNEL_NODE_PARAMS parameters = {};
    parameters.func = functionOf(kernel.kernel);
    parameters.gridDimX = shape.grid[0];
    parameters.gridDimY = shape.grid[1];
    parameters.gridDimZ = shape.grid[2];
    parameters.blockDimX = shape.threads;
    parameters.blockDimY = parameters.blockDimZ = 1;
    parameters.sharedMemBytes = shape.dynamicSharedBytes;
    parameters.kernelParams = kernel.parameters;
    std::vector<CUgraphNode> before;
    for (const size_t number : kernel.after)
      before.push_back(nodes.at(number));
    if (Status status = allowClusters(kernel.kernel, shape); !status)
      return status;
    if (Status status =
            check(m_api.cuGraphAddKernelNodeFn(&nodes.emplace_back(), graph, before.data(),
                                               before.size(), &parameters),
                  "cuGraphAddKernelNode");
        !status)
      return status;
    if (shape.clusterBlocks <= 1)
      continue;
    CUkernelNodeAttrValue value = {};
    value.clusterDim.x = shape.clusterBlocks;
    value.clusterDim.y = value.clusterDim.z = 1;
    if (Status status = check(m_api.cuGraphKernelNodeSetAttributeFn(
                                  nodes.back(), CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, &value),
                              "cuGraphKernelNodeSetAttribute");
        !status)
      return status;
  }
  return {};
}

Result<GraphHandle> LoadedCudaDriver::makeGraph(const std::vector<GraphKernel> &kernels) {
  CUgraph graph = nullptr;
  if (Status status = check(m_api.cuGraphCreateFn(&graph, 0), "cuGraphCreate"); !status)
    return status.error();
  CUgraphExec executable = nullptr;
  Status made = addKernels(graph, kernels);
  if (made)
    made = check(m_api.cuGraphInstantiateWithFlagsFn(&executable, graph, 0),
                 "cuGraphInstantiateWithFlags");
  // What was instantiated is a copy.
  const Status released = check(m_api.cuGraphDestroyFn(graph), "cuGraphDestroy");
  if (!made || !released)
    return made ? released.error() : made.error();
  return reinterpret_cast<GraphHandle>(executable);
}

Status LoadedCudaDriver::launchGraph(GraphHandle graph) {
  return check(m_api.cuGraphLaunchFn(graphOf(graph), nullptr), "cuGraphLaunch");
}

Status LoadedCudaDriver::releaseGraph(GraphHandle graph) {
  return check(m_api.cuGraphExecDestroyFn(graphOf(graph)), "cuGraphExecDestroy");
}

} // namespace tilescope::profiler
