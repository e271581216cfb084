// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/syntax/ModuleIndex.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tilescope::compiler::inference {

/// A file that imports a function of another one, and what it calls it.
struct Importer {
  std::string path;
  std::shared_ptr<const ast::SyntaxTree> tree;
  std::string alias;
};

/// The files that import functions of a file. Looking through hundreds of files takes a while, and
/// a function is edited letter by letter, so what was found is kept until one of these files
/// changes, or one comes or goes. Thread: one.
class ImporterMemory {
public:
  /// Files that import `name` from the file at `path` and name it in a `@triton.jit` function:
  /// those in the same folder and its subfolders, then those in the folder above and its
  /// subfolders. A few; how much is searched is bounded. None when there is no file at `path`.
  std::vector<Importer> importersOf(const std::string &path, std::string_view name);

private:
  /// A file that may import, and its state when it was examined.
  struct Candidate {
    std::filesystem::path path;
    std::uintmax_t size = 0;
    std::filesystem::file_time_type written;
    bool operator==(const Candidate &) const = default;
  };
  struct Search {
    std::vector<Candidate> candidates;
    std::vector<Importer> found;
  };
  static void addCandidates(const std::filesystem::path &folder,
                            const std::filesystem::path &importee,
                            std::vector<Candidate> &candidates);
  static std::vector<Candidate> candidatesFor(const std::filesystem::path &importee);

  static constexpr size_t kMaxSearches = 64;

  /// By path and name.
  std::map<std::pair<std::string, std::string>, Search> m_searches;
};

} // namespace tilescope::compiler::inference
