// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/target/CudaToolkit.h"

#include "compiler/support/ChildProcess.h"

#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <unistd.h>
#include <vector>

namespace tilescope::compiler {

namespace fs = std::filesystem;

/// The roots under which a toolkit may be installed, first choice first.
static std::vector<fs::path> toolkitRoots() {
  std::vector<fs::path> roots;
  for (const char *variable : {"CUDA_HOME", "CUDA_PATH"})
    if (const char *value = std::getenv(variable); value != nullptr && *value != '\0')
      roots.emplace_back(value);
  // A toolkit whose programs are on PATH.
  if (const char *path = std::getenv("PATH")) {
    std::string_view rest(path);
    while (!rest.empty()) {
      const size_t colon = rest.find(':');
      const fs::path folder(rest.substr(0, colon));
      std::error_code error;
      if (fs::exists(folder / "ptxas", error))
        roots.push_back(folder.parent_path());
      rest = colon == std::string_view::npos ? std::string_view() : rest.substr(colon + 1);
    }
  }
  roots.emplace_back("/usr/local/cuda");
  // What `scripts/setup` got: beside the folder of the program, or of the build that it is in.
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (!error) {
    const fs::path above = program.parent_path().parent_path();
    roots.push_back(above / "cuda");
    roots.push_back(above.parent_path() / "cuda");
  }
  return roots;
}

/// A program by the variable, below a root, or anywhere on PATH.
static std::string findProgram(const char *variable, const char *name,
                               const std::vector<fs::path> &roots) {
  if (const char *value = std::getenv(variable))
    return std::string_view(value) == "none" ? std::string() : value;
  std::vector<fs::path> folders;
  for (const fs::path &root : roots)
    folders.push_back(root / "bin");
  if (const char *path = std::getenv("PATH")) {
    std::string_view rest(path);
    while (!rest.empty()) {
      const size_t colon = rest.find(':');
      folders.emplace_back(rest.substr(0, colon));
      rest = colon == std::string_view::npos ? std::string_view() : rest.substr(colon + 1);
    }
  }
  for (const fs::path &folder : folders)
    if (const fs::path file = folder / name; access(file.c_str(), X_OK) == 0)
      return file.string();
  return {};
}

static std::string findLibdevice(const std::vector<fs::path> &roots) {
  if (const char *value = std::getenv("TILESCOPE_LIBDEVICE"))
    return std::string_view(value) == "none" ? std::string() : value;
  for (const fs::path &root : roots) {
    const fs::path file = root / "nvvm" / "libdevice" / "libdevice.10.bc";
    if (access(file.c_str(), R_OK) == 0)
      return file.string();
  }
  return {};
}

static std::shared_ptr<const NvJitLink> findNvJitLink(const std::vector<fs::path> &roots) {
  if (const char *value = std::getenv("TILESCOPE_NVJITLINK"))
    return std::string_view(value) == "none" ? nullptr : NvJitLink::load(value);
  std::vector<std::string> names;
  for (const fs::path &root : roots)
    for (const char *folder : {"lib64", "lib"})
      for (const char *name : {"libnvJitLink.so.13", "libnvJitLink.so.12", "libnvJitLink.so"})
        if (const fs::path file = root / folder / name; access(file.c_str(), R_OK) == 0)
          names.push_back(file.string());
  names.insert(names.end(), {"libnvJitLink.so.13", "libnvJitLink.so.12"});
  for (const std::string &name : names)
    if (std::shared_ptr<const NvJitLink> library = NvJitLink::load(name))
      return library;
  return nullptr;
}

/// Reads `release 13.0` out of what `ptxas --version` says.
static void readPtxasRelease(CudaToolkit &toolkit) {
  Result<ChildOutput> output =
      runChild(toolkit.ptxas, {"--version"}, std::chrono::milliseconds(10000));
  if (!output || output->status != 0) {
    toolkit.ptxas.clear();
    return;
  }
  constexpr std::string_view kMark = "release ";
  const size_t at = output->standardOutput.find(kMark);
  if (at == std::string::npos)
    return;
  char *end = nullptr;
  toolkit.assemblerMajor =
      static_cast<int>(std::strtol(output->standardOutput.c_str() + at + kMark.size(), &end, 10));
  if (end != nullptr && *end == '.')
    toolkit.assemblerMinor = static_cast<int>(std::strtol(end + 1, nullptr, 10));
}

CudaToolkit findCudaToolkit() {
  const std::vector<fs::path> roots = toolkitRoots();
  CudaToolkit toolkit;
  toolkit.libdevice = findLibdevice(roots);
  toolkit.ptxas = findProgram("TILESCOPE_PTXAS", "ptxas", roots);
  toolkit.nvdisasm = findProgram("TILESCOPE_NVDISASM", "nvdisasm", roots);
  toolkit.nvJitLink = findNvJitLink(roots);
  if (!toolkit.ptxas.empty())
    readPtxasRelease(toolkit);
  if (toolkit.ptxas.empty() && toolkit.nvJitLink != nullptr) {
    toolkit.assemblerMajor = toolkit.nvJitLink->major();
    toolkit.assemblerMinor = toolkit.nvJitLink->minor();
  }
  return toolkit;
}

} // namespace tilescope::compiler
