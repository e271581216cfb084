// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "tilescope_cuda.h"
#include "tilescope_plan.h"

namespace tilescope_deploy {

/// The value of a parameter, as the driver takes it.
struct alignas(64) Slot {
  std::array<unsigned char, 128> bytes = {};
};

/// A model on a device. What fails throws a `Failure`; then only the end of this object is of use.
class DeviceModel {
public:
  /// `folder`: with kernels and weights. The plan must outlive this object.
  DeviceModel(const std::string &folder, const Plan &plan, int device);
  ~DeviceModel();
  DeviceModel(const DeviceModel &) = delete;
  DeviceModel &operator=(const DeviceModel &) = delete;

  const std::string &name() const { return m_name; }
  /// Of a place in the memory.
  cuda::Address addressOf(uint64_t at) const { return m_memory + at; }
  /// Of a set of shapes, by its number in the plan.
  void run(size_t set, const void *const *inputs, void *const *outputs);
  /// Does not wait.
  void launch(size_t set, cuda::Stream stream);

private:
  void load(const std::string &folder);
  void fill(const Constant &constant, const std::string &folder);
  cuda::Function loadKernel(size_t number, const std::string &folder);
  const Code &fittingCode(const Kernel &kernel) const;
  void allowResources(const Step &step);
  void makeGraph(const ShapeSet &set);
  void addStep(const Step &step, cuda::Graph graph,
               std::vector<std::vector<cuda::GraphNode>> &ends);
  std::vector<Slot> slotsOf(const Step &step);
  Slot mapSlot(const Parameter &parameter) const;
  void release();

  const cuda::Driver &m_driver;
  const Plan &m_plan;
  std::string m_name;
  cuda::Device m_device = 0;
  /// `90`
  int m_capability = 0;
  cuda::Context m_context = nullptr;
  cuda::Stream m_stream = nullptr;
  cuda::Address m_memory = 0;
  std::vector<cuda::Address> m_scratches;
  std::vector<cuda::Module> m_modules;
  std::vector<cuda::Function> m_functions;
  /// Of each set.
  std::vector<cuda::GraphExec> m_graphs;
};

} // namespace tilescope_deploy
