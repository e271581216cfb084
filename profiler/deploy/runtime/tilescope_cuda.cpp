// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "tilescope_cuda.h"

#include <dlfcn.h>

#include "tilescope_plan.h"

namespace tilescope_deploy::cuda {

void Driver::check(Result result, const char *what) const {
  if (result == 0)
    return;
  const char *name = nullptr, *text = nullptr;
  errorName(result, &name);
  errorText(result, &text);
  throw Failure(std::string(what) + " failed: " + (name ? name : std::to_string(result)) +
                (text ? std::string(" (") + text + ")" : ""));
}

/// As the loader finds it, else where distributions, containers and WSL have it.
static void *openLibrary() {
  std::string reason;
  for (const char *folder :
       {"", "/usr/lib/x86_64-linux-gnu/", "/usr/lib/aarch64-linux-gnu/",
        "/usr/lib/x86_64-linux-gnu/nvidia/current/", "/usr/lib64/", "/usr/lib64/nvidia/",
        "/usr/lib/wsl/lib/", "/usr/local/nvidia/lib64/", "/run/opengl-driver/lib/"}) {
    if (void *library =
            dlopen((std::string(folder) + "libcuda.so.1").c_str(), RTLD_NOW | RTLD_LOCAL))
      return library;
    if (const char *words = dlerror(); words && reason.empty())
      reason = words;
  }
  throw Failure("no NVIDIA driver is there: " + reason +
                "; a GPU and its driver for CUDA 12 or later are needed");
}

static Driver openDriver() {
  void *library = openLibrary();
  Driver driver;
#define TILESCOPE_RESOLVE(name, symbol, parameters)                                                \
  driver.name = reinterpret_cast<Result(*) parameters>(dlsym(library, symbol));                    \
  if (!driver.name)                                                                                \
    throw Failure("NVIDIA's driver lacks `" symbol "`: one for CUDA 12 or later is needed");
  TILESCOPE_CUDA_DEPLOYED(TILESCOPE_RESOLVE)
#undef TILESCOPE_RESOLVE
  try {
    driver.check(driver.init(0), "cuInit");
  } catch (const Failure &failure) {
    throw Failure(std::string("NVIDIA's driver does not start: ") + failure.what());
  }
  return driver;
}

const Driver &driver() {
  static const Driver opened = openDriver();
  return opened;
}

} // namespace tilescope_deploy::cuda
