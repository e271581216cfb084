// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/collect/Parameters.h"
#include "profiler/collect/RunPackage.h"
#include "profiler/collect/TensorPool.h"

#include <map>
#include <string>
#include <vector>

namespace tilescope::profiler {

/// A package on a device, step by step: opened, loaded, with its tensors and after its first
/// launch, as `start` leaves it; then it is launched for whatever is measured.
class PackageRun {
public:
  /// `pool`: tensors in common with the packages of other runs on the same device; may be null.
  PackageRun(CudaDriver &driver, const KernelPackage &package, const RunOptions &options,
             TensorPool *pool = nullptr)
      : m_driver(driver), m_package(package), m_options(options), m_pool(pool) {}

  /// All steps up to the first launch, whose outputs are kept. `whenOpen` is called between the
  /// opening of the context and the loading of the kernel.
  Status start(const std::function<Status()> &whenOpen = {});
  /// Which elements the first launch has written of the tensors that began empty. Where a number may be
  /// poison, only a second launch tells, on another one.
  Status findUnwritten();
  /// An empty grid launches nothing, as in Triton.
  bool isEmpty() const;
  /// Puts one launch into the device's queue.
  Status launch();
  /// A failed launch ends every run on the device; what fails before it ends this one.
  bool hasLaunched() const { return m_hasLaunched; }
  /// Restores the contents of the tensors that the first launch changed.
  Status restore();
  /// Of a kernel with clock reads: forgets what it has recorded, in the device's queue; and what it
  /// has recorded since. Nothing for others.
  Status clearTrace();
  Result<std::vector<uint8_t>> readTrace();
  /// The error, with the kernel's name.
  Error inKernel(Error error) const;
  void announce(const RunState &state);

  CudaDriver &driver() { return m_driver; }
  const KernelPackage &package() const { return m_package; }
  const RunOptions &options() const { return m_options; }
  const DeviceInfo &device() const { return m_outcome.measurement.device; }
  Measurement &measurement() { return m_outcome.measurement; }
  std::vector<RunTensor> takeTensors() { return std::move(m_outcome.tensors); }
  RunOutcome takeOutcome() { return std::move(m_outcome); }

private:
  Status open();
  Status load();
  Status checkHostMemory() const;
  Status allocateTensors();
  Status allocateScratch();
  Status prepareLaunch();
  Status firstLaunch();
  Status launchToEnd();
  /// Puts data into the tensor's memory on the device.
  Status upload(const std::string &name, const Tensor &source);
  /// Fetches what the tensor holds now.
  Status fetch(const std::string &name, Tensor &target);
  void describe(const KernelAttributes &attributes);

  CudaDriver &m_driver;
  const KernelPackage &m_package;
  const RunOptions &m_options;
  TensorPool *m_pool;
  RunOutcome m_outcome;
  bool m_hasLaunched = false;
  KernelHandle m_kernel = 0;
  std::map<std::string, DeviceAddress> m_addresses;
  ScratchAddresses m_scratch;
  LaunchShape m_shape;
  ParameterBlock m_parameters;
  std::vector<void *> m_pointers;
};

} // namespace tilescope::profiler
