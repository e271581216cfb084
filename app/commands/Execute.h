// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/commands/Session.h"
#include "compiler/service/WorkerClient.h"
#include "profiler/data/Measurement.h"

#include <filesystem>

namespace tilescope::app {

/// Where a launch runs.
struct Place {
  enum class Kind { Cpu, Cuda, Ssh };
  Kind kind = Kind::Cpu;
  /// Ordinal of the device.
  int device = 0;
  /// `[user@]host`.
  std::string host;
};

/// Reads `cpu`, `cuda`, `cuda:N`, `ssh://[user@]host`; empty means a local GPU when there is one,
/// else the CPU.
Result<Place> parsePlace(const std::string &where);

struct ExecuteOptions {
  /// Every argument after the run is written here as `<name>.npy`; empty: nowhere.
  std::string dump;
  /// Compare the outputs with the interpreter's. On the CPU there is nothing to compare with.
  bool compare = false;
  /// Off: one launch, no times.
  bool measure = true;
};

struct Execution {
  compiler::CompileResult result;
  profiler::Measurement measurement;
};

/// Compiles and runs the document's launch. Findings about the kernel (accesses outside an
/// argument, failed assertions) are printed; errors among them make the run fail.
Result<Execution> executeDocument(const Document &document, const Place &place,
                                  const ExecuteOptions &options, compiler::WorkerClient &client);

/// A folder that goes away with the object.
class TemporaryFolder {
public:
  static Result<TemporaryFolder> make();
  TemporaryFolder(TemporaryFolder &&other) noexcept : m_path(std::exchange(other.m_path, {})) {}
  TemporaryFolder &operator=(TemporaryFolder &&) = delete;
  ~TemporaryFolder();
  const std::string &path() const { return m_path; }

private:
  explicit TemporaryFolder(std::string path) : m_path(std::move(path)) {}
  std::string m_path;
};

} // namespace tilescope::app
