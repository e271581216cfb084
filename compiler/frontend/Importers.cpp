// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/frontend/Importers.h"

#include "compiler/syntax/Parser.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace tilescope::compiler::frontend {

namespace fs = std::filesystem;

/// Whoever asks waits for the answer.
static constexpr size_t kMaxFiles = 600;
static constexpr uintmax_t kMaxFileSize = 400'000;
static constexpr size_t kMaxImporters = 3;

namespace {
class ImporterSearch {
public:
  ImporterSearch(const fs::path &file, std::string_view name)
      : m_file(file), m_name(name), m_suffix("." + file.stem().string() + "." + m_name) {}

  std::vector<Importer> run() {
    const fs::path folder = m_file.parent_path();
    const fs::path above = folder.parent_path();
    for (const fs::path &near : {folder, above}) {
      visitFolder(near);
      for (const fs::path &inner : entries(near, /*folders=*/true))
        if (inner != folder)
          visitFolder(inner);
    }
    return std::move(m_found);
  }

private:
  /// In the order of their names.
  static std::vector<fs::path> entries(const fs::path &folder, bool folders) {
    std::vector<fs::path> paths;
    std::error_code error;
    for (const fs::directory_entry &entry : fs::directory_iterator(folder, error)) {
      bool isWanted = folders ? entry.is_directory(error)
                              : entry.path().extension() == ".py" && entry.is_regular_file(error) &&
                                    entry.file_size(error) <= kMaxFileSize;
      if (isWanted)
        paths.push_back(entry.path());
    }
    std::ranges::sort(paths);
    return paths;
  }

  void visitFolder(const fs::path &folder) {
    for (const fs::path &path : entries(folder, /*folders=*/false))
      if (path != m_file && m_found.size() < kMaxImporters && ++m_numFiles <= kMaxFiles)
        visitFile(path);
  }

  void visitFile(const fs::path &path) {
    std::ifstream stream(path, std::ios::binary);
    std::string text((std::istreambuf_iterator<char>(stream)), {});
    if (text.find(m_name) == std::string::npos || text.find(".jit") == std::string::npos)
      return;
    auto tree = ast::parseModule(std::move(text));
    ast::ModuleIndex index = ast::indexModule(*tree);
    for (const auto &[alias, source] : index.imports) {
      bool isImported = ("." + source).ends_with(m_suffix);
      if (isImported && std::ranges::any_of(index.functions, [&](const ast::JitFunction &function) {
            return std::ranges::binary_search(function.usedNames, std::string_view(alias));
          })) {
        m_found.push_back({path.string(), tree, alias});
        return;
      }
    }
  }

  fs::path m_file;
  std::string m_name;
  /// `.helpers.mm_k`
  std::string m_suffix;
  size_t m_numFiles = 0;
  std::vector<Importer> m_found;
};
} // namespace

std::vector<Importer> importersOf(const std::string &path, std::string_view name) {
  std::error_code error;
  const fs::path file = fs::weakly_canonical(path, error);
  if (error || !fs::is_regular_file(file, error))
    return {};
  return ImporterSearch(file, name).run();
}

} // namespace tilescope::compiler::frontend
