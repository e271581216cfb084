// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/artifacts/Estimate.h"

namespace tilescope::compiler {

std::string_view machinePipeName(MachinePipe pipe) {
  switch (pipe) {
  case MachinePipe::Fma:
    return "multiply-adds";
  case MachinePipe::Alu:
    return "integers and comparisons";
  case MachinePipe::Special:
    return "special functions";
  case MachinePipe::Fp64:
    return "fp64";
  case MachinePipe::LoadStore:
    return "loads and stores";
  case MachinePipe::Uniform:
    return "uniform arithmetic";
  case MachinePipe::Tensor:
    return "tensor cores";
  }
  return "";
}

std::string_view bottleneckName(Bottleneck bottleneck) {
  switch (bottleneck) {
  case Bottleneck::Dram:
    return "DRAM";
  case Bottleneck::L2:
    return "L2";
  case Bottleneck::L1:
    return "L1 and shared memory";
  case Bottleneck::IssueSlots:
    return "issue slots";
  case Bottleneck::Pipe:
    return "a pipe";
  case Bottleneck::TensorPipe:
    return "tensor cores";
  case Bottleneck::Latency:
    return "latency";
  case Bottleneck::Atomics:
    return "atomic operations";
  case Bottleneck::Start:
    return "the start of the kernel";
  }
  return "";
}

} // namespace tilescope::compiler
