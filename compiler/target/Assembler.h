// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/Stage.h"
#include "compiler/target/CudaToolkit.h"
#include "compiler/target/TargetSpec.h"

#include <chrono>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace tilescope::compiler {

/// A number of blocks that a multiprocessor should hold, unless that costs too much.
struct BlockWish {
  int blocks;
  /// Most bytes that each thread may spill.
  int64_t mostSpillBytes;
};

/// With so many blocks, a multiprocessor has all the threads that it can have; each then gets at
/// most this many registers. No blocks: it does not matter.
struct FullMultiprocessor {
  int blocks = 0;
  int64_t registers = 0;
};

struct AssembleOptions {
  TargetSpec target;
  /// Write the line table, so that machine code can be traced back to PTX and source.
  bool lineInfo = true;
  /// Let the assembler fuse a multiplication and an addition into one instruction.
  bool fpFusion = true;
  /// Upper limit of registers per thread; 0: the assembler's choice.
  int maxRegisters = 0;
  /// How many blocks a multiprocessor should hold, in place of what the PTX asks for: the first
  /// wish that is granted, else what the PTX asks for. nvJitLink ignores them.
  std::vector<BlockWish> blockWishes;
  /// Code of so many registers per thread, or more, is replaced by what the assembler makes where
  /// the PTX asks for no number of blocks, if that takes fewer and does not spill. 0: never.
  int64_t ownChoiceFrom = 0;
  /// Taken in place of what was granted where threads give up few registers for it and no loads.
  FullMultiprocessor full;
  /// Further options in `ptxas`'s notation.
  std::vector<std::string> extra;
  /// A child process that takes longer is stopped.
  std::chrono::milliseconds timeout{120000};
  /// A child process is killed when this is requested; what was made until then is no result.
  std::stop_token stop = {};
};

/// One message of the assembler.
struct AssemblerMessage {
  /// Line of the PTX text, 0-based; -1: about the whole.
  int line = -1;
  std::string text;
  bool operator==(const AssemblerMessage &) const = default;
};

struct AssembledCode {
  /// Empty when assembling failed; `errors` says why.
  std::string cubin;
  Resources resources;
  std::vector<AssemblerMessage> errors;
  /// The kernel needs more of something than the target has (shared memory, registers).
  bool outOfResources = false;
  /// `nvJitLink 13.0` or `ptxas 13.0`.
  std::string tool;
};

/// PTX to machine code: with `ptxas` as a child process, else with nvJitLink in process. The
/// toolkit must have one of them. An error is a fault of the machine; faults of the PTX are in the
/// result.
///
/// nvJitLink takes half the time, but makes code that could be linked with other code, which costs
/// some ten registers a thread: enough to halve how many blocks a multiprocessor holds.
Result<AssembledCode> assemblePtx(const CudaToolkit &toolkit, std::string_view ptx,
                                  const AssembleOptions &options);

/// The error messages in what the assembler wrote.
std::vector<AssemblerMessage> parseAssemblerErrors(std::string_view log);

/// What `-v` makes the assembler say about the kernel: registers, spills, shared memory.
Resources parseAssemblerResources(std::string_view log);

} // namespace tilescope::compiler
