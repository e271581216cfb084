// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/target/NvJitLink.h"

#include <cstdint>
#include <dlfcn.h>

namespace tilescope::compiler {

namespace {

// The few declarations of the library's C interface that are used; building needs no CUDA headers.
using Handle = struct OpaqueHandle *;
constexpr int kSuccess = 0;
constexpr int kInputPtx = 2;

} // namespace

struct NvJitLink::Functions {
  int (*version)(unsigned *major, unsigned *minor) = nullptr;
  int (*create)(Handle *handle, uint32_t numOptions, const char **options) = nullptr;
  int (*destroy)(Handle *handle) = nullptr;
  int (*addData)(Handle handle, int type, const void *data, size_t size,
                 const char *name) = nullptr;
  int (*complete)(Handle handle) = nullptr;
  int (*cubinSize)(Handle handle, size_t *size) = nullptr;
  int (*cubin)(Handle handle, void *cubin) = nullptr;
  int (*errorLogSize)(Handle handle, size_t *size) = nullptr;
  int (*errorLog)(Handle handle, char *log) = nullptr;
  int (*infoLogSize)(Handle handle, size_t *size) = nullptr;
  int (*infoLog)(Handle handle, char *log) = nullptr;
};

template <typename Function>
static bool resolve(void *library, const char *name, Function &function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  return function != nullptr;
}

std::shared_ptr<const NvJitLink> NvJitLink::load(const std::string &path) {
  // Stays loaded: it keeps its own memory that a later load would not find again.
  void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (library == nullptr)
    return nullptr;
  std::shared_ptr<NvJitLink> self(new NvJitLink);
  self->m_library = library;
  self->m_path = path;
  self->m_functions = std::make_unique<Functions>();
  Functions &f = *self->m_functions;
  const bool complete = resolve(library, "nvJitLinkVersion", f.version) &&
                        resolve(library, "nvJitLinkCreate", f.create) &&
                        resolve(library, "nvJitLinkDestroy", f.destroy) &&
                        resolve(library, "nvJitLinkAddData", f.addData) &&
                        resolve(library, "nvJitLinkComplete", f.complete) &&
                        resolve(library, "nvJitLinkGetLinkedCubinSize", f.cubinSize) &&
                        resolve(library, "nvJitLinkGetLinkedCubin", f.cubin) &&
                        resolve(library, "nvJitLinkGetErrorLogSize", f.errorLogSize) &&
                        resolve(library, "nvJitLinkGetErrorLog", f.errorLog) &&
                        resolve(library, "nvJitLinkGetInfoLogSize", f.infoLogSize) &&
                        resolve(library, "nvJitLinkGetInfoLog", f.infoLog);
  if (!complete || f.version(&self->m_major, &self->m_minor) != kSuccess)
    return nullptr;
  Dl_info info{};
  if (dladdr(reinterpret_cast<void *>(f.create), &info) != 0 && info.dli_fname != nullptr)
    self->m_path = info.dli_fname;
  return self;
}

NvJitLink::~NvJitLink() {
  if (m_library != nullptr)
    dlclose(m_library);
}

/// The library counts the zero at the end of a log.
static std::string readLog(Handle handle, int (*size)(Handle, size_t *),
                           int (*read)(Handle, char *)) {
  size_t bytes = 0;
  if (size(handle, &bytes) != kSuccess || bytes == 0)
    return {};
  std::string log(bytes, '\0');
  if (read(handle, log.data()) != kSuccess)
    return {};
  log.resize(log.find_last_not_of('\0') + 1);
  return log;
}

NvJitLink::Output NvJitLink::link(std::string_view ptx,
                                  const std::vector<std::string> &options) const {
  std::vector<const char *> arguments;
  for (const std::string &option : options)
    arguments.push_back(option.c_str());
  Output output;
  Handle handle = nullptr;
  const Functions &f = *m_functions;
  if (f.create(&handle, static_cast<uint32_t>(arguments.size()), arguments.data()) != kSuccess) {
    output.errorLog = "nvJitLink refused its options";
    if (handle != nullptr)
      output.errorLog += ": " + readLog(handle, f.errorLogSize, f.errorLog);
    return output;
  }
  // The library requires the text with its final zero.
  const std::string text(ptx);
  size_t size = 0;
  if (f.addData(handle, kInputPtx, text.c_str(), text.size() + 1, "kernel.ptx") == kSuccess &&
      f.complete(handle) == kSuccess && f.cubinSize(handle, &size) == kSuccess) {
    output.cubin.resize(size);
    if (f.cubin(handle, output.cubin.data()) != kSuccess)
      output.cubin.clear();
  }
  output.errorLog = readLog(handle, f.errorLogSize, f.errorLog);
  output.infoLog = readLog(handle, f.infoLogSize, f.infoLog);
  f.destroy(&handle);
  return output;
}

} // namespace tilescope::compiler
