// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "profiler/package/KernelPackage.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// The model package (`.tsmodel`): everything the machine with the GPU needs to run a model, in one file of
/// the form that BlobFile.h describes. All its tensors lie in one piece of memory on the device:
///
///     | what steps write, sharing places | inputs | weights and other constants |
///
/// A step is a kernel with its launch. Steps run as if one after another: where two of them use the same
/// bytes, StepOrder.h keeps their order.
namespace tilescope::profiler {

inline constexpr uint32_t kModelPackageVersion = 1;
/// Of a package that is read.
inline constexpr size_t kMostModelSteps = 16384;
inline constexpr size_t kMostModelBuffers = 65536;

/// A place in the memory of a model.
struct ModelBuffer {
  uint64_t at = 0;
  uint64_t bytes = 0;
  /// What it holds before the first step, over and over until its end; empty: a step writes it.
  std::string data;
  bool operator==(const ModelBuffer &) const = default;
};

/// What a tensor argument of a step is.
struct StepTensor {
  std::string argument;
  /// Its number.
  size_t buffer = 0;
  bool isWritten = false;
  bool operator==(const StepTensor &) const = default;
};

struct ModelStep {
  /// Nodes of the model that it stands for.
  std::string node;
  KernelPackage kernel;
  /// One for each tensor argument of the kernel's plan.
  std::vector<StepTensor> tensors;
  bool operator==(const ModelStep &) const = default;
};

/// An input or an output of the model.
struct ModelPort {
  std::string name;
  Dtype dtype = Dtype::Fp32;
  std::vector<int64_t> shape;
  size_t buffer = 0;
  bool operator==(const ModelPort &) const = default;
};

struct ModelPackage {
  /// Its file; for reports.
  std::string model;
  /// `cuda:90`.
  std::string target;
  /// What wrote the package, e.g. `tilescope 0.1.0`.
  std::string generator;
  uint64_t memoryBytes = 0;
  std::vector<ModelBuffer> buffers;
  std::vector<ModelStep> steps;
  std::vector<ModelPort> inputs, outputs;
  bool operator==(const ModelPackage &) const = default;
};

/// What tensors of a run are called, as names of files: an output, and what a step wrote.
std::string outputFileName(size_t output);
std::string resultFileName(size_t step, const std::string &argument);

std::string encodeModelPackage(const ModelPackage &package);
/// Files cut off, altered or made by hand lead to an error that says what is wrong: behind that, all
/// buffers lie in the memory, and all tensors in their buffers.
Result<ModelPackage> decodeModelPackage(std::string_view bytes);

Status writeModelPackage(const std::string &path, const ModelPackage &package);
Result<ModelPackage> readModelPackage(const std::string &path);

} // namespace tilescope::profiler
