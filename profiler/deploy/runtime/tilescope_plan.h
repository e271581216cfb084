// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
//
// What runs on the device, as `model.plan` says it: a text, a line for each fact. All tensors lie in one piece of
// memory; `at` is where in it, in bytes. Names stand at the end of a line; `\n` and `\\` in them are a line's end and a
// backslash.
//
//     tilescope-model 1                             the version of this form; 2: there are several sets of shapes
//     generator tilescope 0.1.0
//     model recognition.onnx
//     memory 2359296                                bytes
//     constant 1024 4 0 4 1234567                   at, bytes, offset and size in model.weights, checksum: memory holds
//                                                   the part of the file over and over
//     kernel add_kernel                             kernels are numbered from 0; its symbol
//     code 90 5120 1234567                          of the last kernel: kernels/0.90.cubin, its bytes and checksum; of
//                                                   `code ptx` kernels/0.ptx
//     shape                                         begins a set of inputs, outputs and steps; left out where there is one
//     input 184320 2097152 fp32 4 1 3 48 320 x      bytes, at, type, rank, shape, name
//     output 1060000 0 fp32 3 1 40 6625 y
//     step 0 40 1 1 128 1 0 0 Add_3                 kernel, grid, threads and blocks of a cluster, shared bytes, bytes of
//                                                   scratch memory, the model's nodes
//     number 0100000000000000                       of the last step, in their order: the value of a parameter
//     address 184320                                a tensor's address
//     map 7 128 2 320 48 640 64 16 184320           a description of a tensor: type and swizzle as CUDA has them, rank,
//                                                   extents, strides in bytes from the second on, box, at
//     scratch                                       the address of the scratch memory; `none`: 0
//     after 0 1                                     steps of the set that must be over before it begins
//     end
#pragma once

#include <array>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace tilescope_deploy {

/// What is wrong, in words for the user.
struct Failure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Port {
  std::string name, dtype;
  std::vector<int64_t> shape;
  uint64_t at = 0, bytes = 0;
};

struct Constant {
  uint64_t at = 0, bytes = 0, offset = 0, size = 0, checksum = 0;
};

struct Code {
  /// `90`; 0: PTX.
  int capability = 0;
  uint64_t bytes = 0, checksum = 0;
};

struct Kernel {
  std::string symbol;
  std::vector<Code> codes;
};

struct Parameter {
  enum class Kind { Number, Address, Map, Scratch, None };
  Kind kind = Kind::None;
  std::array<unsigned char, 8> number = {};
  uint64_t at = 0;
  /// Of a map.
  int type = 0, swizzle = 0;
  std::vector<uint64_t> extents, strides;
  std::vector<uint32_t> box;
};

struct Step {
  size_t kernel = 0;
  std::array<unsigned, 3> grid = {1, 1, 1};
  unsigned threads = 32, cluster = 1, sharedBytes = 0;
  uint64_t scratchBytes = 0;
  std::string node;
  std::vector<Parameter> parameters;
  std::vector<size_t> after;
};

/// What runs for one set of shapes. All sets lie in the same memory, and have the same constants.
struct ShapeSet {
  std::vector<Port> inputs, outputs;
  std::vector<Step> steps;
};

struct Plan {
  std::string model, generator;
  uint64_t memoryBytes = 0;
  std::vector<Constant> constants;
  std::vector<Kernel> kernels;
  /// One at least.
  std::vector<ShapeSet> sets;
};

/// The newest version.
inline constexpr int kPlanVersion = 2;

/// All that it says lies in the memory; the files that it names are not looked at. Throws `Failure`.
Plan readPlan(const std::string &folder);

/// A part of a file of the folder: from `offset` on `bytes`, whose checksum (FNV-1a) must be this. Throws `Failure`.
std::string readPart(const std::string &folder, const std::string &file, uint64_t offset,
                     uint64_t bytes, uint64_t checksum);
/// `kernels/0.90.cubin`
std::string codeFile(size_t kernel, const Code &code);

} // namespace tilescope_deploy
