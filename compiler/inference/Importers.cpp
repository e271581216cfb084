// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/inference/Importers.h"

#include "compiler/syntax/Parser.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace tilescope::compiler::inference {

namespace fs = std::filesystem;

/// The user waits for the answer.
static constexpr size_t kMaxFiles = 600;
static constexpr uintmax_t kMaxFileSize = 400'000;
static constexpr size_t kMaxImporters = 3;

static std::vector<fs::path> foldersIn(const fs::path &folder) {
  std::vector<fs::path> paths;
  std::error_code error;
  for (const fs::directory_entry &entry : fs::directory_iterator(folder, error))
    if (entry.is_directory(error))
      paths.push_back(entry.path());
  std::ranges::sort(paths);
  return paths;
}

void ImporterMemory::addCandidates(const fs::path &folder, const fs::path &importee,
                                   std::vector<Candidate> &candidates) {
  const size_t first = candidates.size();
  std::error_code error;
  for (const fs::directory_entry &entry : fs::directory_iterator(folder, error)) {
    if (entry.path().extension() != ".py" || entry.path() == importee ||
        !entry.is_regular_file(error))
      continue;
    Candidate candidate{entry.path(), entry.file_size(error), entry.last_write_time(error)};
    if (candidate.size <= kMaxFileSize)
      candidates.push_back(std::move(candidate));
  }
  std::sort(candidates.begin() + first, candidates.end(),
            [](const Candidate &one, const Candidate &other) { return one.path < other.path; });
}

std::vector<ImporterMemory::Candidate> ImporterMemory::candidatesFor(const fs::path &importee) {
  const fs::path folder = importee.parent_path();
  std::vector<Candidate> result;
  for (const fs::path &near : {folder, folder.parent_path()}) {
    addCandidates(near, importee, result);
    for (const fs::path &inner : foldersIn(near))
      if (inner != folder && result.size() < kMaxFiles)
        addCandidates(inner, importee, result);
  }
  if (result.size() > kMaxFiles)
    result.resize(kMaxFiles);
  return result;
}

/// What the file at `path` calls `name`, which it may import from a file called `stem`; a result
/// without a tree when it does not.
static Importer importerAt(const fs::path &path, const std::string &stem, const std::string &name) {
  std::ifstream stream(path, std::ios::binary);
  std::string text((std::istreambuf_iterator<char>(stream)), {});
  if (text.find(name) == std::string::npos || text.find(".jit") == std::string::npos)
    return {};
  auto tree = ast::parseModule(std::move(text));
  ast::ModuleIndex index = ast::indexModule(*tree);
  // `.helpers.mm_k`
  const std::string suffix = "." + stem + "." + name;
  for (const auto &[alias, source] : index.imports) {
    bool isImported = ("." + source).ends_with(suffix);
    if (isImported && std::ranges::any_of(index.functions, [&](const ast::JitFunction &function) {
          return std::ranges::binary_search(function.usedNames, std::string_view(alias));
        }))
      return {path.string(), tree, alias};
  }
  return {};
}

std::vector<Importer> ImporterMemory::importersOf(const std::string &path, std::string_view name) {
  std::error_code error;
  const fs::path file = fs::weakly_canonical(path, error);
  if (error || !fs::is_regular_file(file, error))
    return {};
  std::vector<Candidate> candidates = candidatesFor(file);
  if (m_searches.size() >= kMaxSearches)
    m_searches.clear();
  auto [known, isNew] = m_searches.try_emplace({file.string(), std::string(name)});
  Search &search = known->second;
  if (!isNew && search.candidates == candidates)
    return search.found;
  search = {std::move(candidates), {}};
  for (const Candidate &candidate : search.candidates) {
    if (search.found.size() >= kMaxImporters)
      break;
    Importer importer = importerAt(candidate.path, file.stem().string(), std::string(name));
    if (importer.tree)
      search.found.push_back(std::move(importer));
  }
  return search.found;
}

} // namespace tilescope::compiler::inference
