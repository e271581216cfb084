// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/model/import/MappedFile.h"
#include "compiler/model/torch_export/ExportedProgram.h"

namespace tilescope::model {

/// Whether the bytes begin as those of a zip do.
bool isZip(std::string_view bytes);

/// A file of `torch.export.save`: its program, and where its weights lie. The elements stay where they
/// are.
class ExportFiles {
public:
  static Result<ExportFiles> open(MappedFile file);

  const ExportedProgram &program() const { return m_program; }
  /// Null where the file has no weight or constant of the name.
  const StoredWeight *weight(const std::string &name) const;
  /// Nothing where the file ends before.
  std::optional<std::string_view> bytesAt(uint64_t offset, uint64_t size) const;

private:
  explicit ExportFiles(MappedFile file) : m_file(std::move(file)) {}

  MappedFile m_file;
  ExportedProgram m_program;
  std::map<std::string, StoredWeight> m_weights;
};

} // namespace tilescope::model
