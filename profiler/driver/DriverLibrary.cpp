// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/driver/DriverLibrary.h"

namespace tilescope::profiler {

Result<DynamicLibrary> openCudaLibrary() {
  std::vector<std::string> names = {"libcuda.so.1", "libcuda.so"};
  for (const char *folder :
       {"/usr/lib/x86_64-linux-gnu/", "/usr/lib/x86_64-linux-gnu/nvidia/current/", "/usr/lib64/",
        "/usr/lib64/nvidia/", "/usr/lib/wsl/lib/", "/usr/local/nvidia/lib64/",
        "/run/opengl-driver/lib/"})
    names.push_back(std::string(folder) + "libcuda.so.1");
  return DynamicLibrary::open(names);
}

} // namespace tilescope::profiler
