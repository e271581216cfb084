// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/driver/DynamicLibrary.h"

#include <dlfcn.h>
#include <filesystem>
#include <link.h>

namespace tilescope::profiler {

Result<DynamicLibrary> DynamicLibrary::open(const std::vector<std::string> &names) {
  std::string reason;
  for (const std::string &name : names) {
    if (void *handle = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL))
      return DynamicLibrary(handle);
    if (reason.empty())
      if (const char *words = dlerror())
        reason = words;
  }
  return Error{ErrorCode::Environment, "cannot open `" + names.front() + "`: " + reason, ""};
}

void *DynamicLibrary::symbol(const char *name) const { return dlsym(m_handle, name); }

std::string DynamicLibrary::folder() const {
  link_map *map = nullptr;
  std::error_code fault;
  if (dlinfo(m_handle, RTLD_DI_LINKMAP, static_cast<void *>(&map)) != 0 || map == nullptr)
    return "";
  const std::filesystem::path path = std::filesystem::canonical(map->l_name, fault);
  return fault ? "" : path.parent_path().string();
}

} // namespace tilescope::profiler
