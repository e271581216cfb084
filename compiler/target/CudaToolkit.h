// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/target/NvJitLink.h"

#include <memory>
#include <string>

namespace tilescope::compiler {

/// The parts of the CUDA Toolkit that compiling can use, as found on this machine. Each may be
/// missing (an empty path); stages that need it then end with a note that names what provides it.
///
/// Looked for in this order: the environment variable named below (the word `none` hides the part),
/// `CUDA_HOME`, `CUDA_PATH`, `PATH`, `/usr/local/cuda`, and a folder `cuda` beside the one that the
/// program is in or beside that of its build, where `scripts/setup` puts what is missing.
struct CudaToolkit {
  /// `libdevice.10.bc`: `__nv_*` math functions. `TILESCOPE_LIBDEVICE`.
  std::string libdevice;
  /// `ptxas`. `TILESCOPE_PTXAS`.
  std::string ptxas;
  /// `nvdisasm`. `TILESCOPE_NVDISASM`.
  std::string nvdisasm;
  /// The library `libnvJitLink.so`, loaded; null when missing. `TILESCOPE_NVJITLINK`.
  std::shared_ptr<const NvJitLink> nvJitLink;
  /// Release of whichever assembler is used, 0.0 when there is none.
  int assemblerMajor = 0;
  int assemblerMinor = 0;

  bool hasAssembler() const { return nvJitLink != nullptr || !ptxas.empty(); }
};

CudaToolkit findCudaToolkit();

} // namespace tilescope::compiler
