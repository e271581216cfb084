// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/support/Result.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace tilescope::compiler {

/// NVIDIA's linker library, opened at run time: assembles PTX without a child process.
class NvJitLink {
public:
  struct Output {
    /// Empty when linking failed.
    std::string cubin;
    std::string errorLog;
    std::string infoLog;
  };

  /// `path` is a file or a name that the dynamic loader finds.
  static std::shared_ptr<const NvJitLink> load(const std::string &path);
  ~NvJitLink();
  NvJitLink(const NvJitLink &) = delete;
  NvJitLink &operator=(const NvJitLink &) = delete;

  int major() const { return static_cast<int>(m_major); }
  int minor() const { return static_cast<int>(m_minor); }
  const std::string &path() const { return m_path; }

  /// `options` as the library documents them, e.g. `-arch=sm_90a`. `ptx` need not end with a zero.
  Output link(std::string_view ptx, const std::vector<std::string> &options) const;

private:
  NvJitLink() = default;

  struct Functions;
  std::unique_ptr<Functions> m_functions;
  void *m_library = nullptr;
  std::string m_path;
  unsigned m_major = 0;
  unsigned m_minor = 0;
};

} // namespace tilescope::compiler
