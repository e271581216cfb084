// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/model/torch_export/ExportArchive.h"

#include <algorithm>
#include <zip.h>

namespace tilescope::model {

/// A model of a thousand layers has some ten thousand weights.
static constexpr zip_int64_t kMostEntries = 1'000'000;

static Error invalid(const std::string &message) { return {ErrorCode::InvalidInput, message, ""}; }

void ExportArchive::Close::operator()(zip *archive) const { zip_discard(archive); }
void ExportArchive::Close::operator()(zip_source *source) const { zip_source_free(source); }

Result<ExportArchive> ExportArchive::open(std::string_view bytes) {
  ExportArchive result(bytes);
  zip_error_t fault;
  zip_error_init(&fault);
  result.m_source.reset(zip_source_buffer_create(bytes.data(), bytes.size(), 0, &fault));
  if (result.m_source) {
    // The archive takes one of two owners.
    zip_source_keep(result.m_source.get());
    result.m_archive.reset(
        zip_open_from_source(result.m_source.get(), ZIP_RDONLY | ZIP_CHECKCONS, &fault));
    if (!result.m_archive)
      zip_source_free(result.m_source.get());
  }
  const std::string why = zip_error_strerror(&fault);
  zip_error_fini(&fault);
  if (!result.m_archive)
    return invalid("the archive is damaged: " + why);
  if (Status status = result.listEntries(); !status)
    return status.error();
  return result;
}

/// Whether the name stays in its archive.
static bool isPlain(std::string_view name) {
  if (name.empty() || name.front() == '/' || name.find('\\') != std::string_view::npos)
    return false;
  for (size_t begin = 0; begin <= name.size();) {
    const size_t end = std::min(name.find('/', begin), name.size());
    if (name.substr(begin, end - begin) == "..")
      return false;
    begin = end + 1;
  }
  return true;
}

Status ExportArchive::listEntries() {
  const zip_int64_t count = zip_get_num_entries(m_archive.get(), 0);
  if (count > kMostEntries)
    return invalid("the archive has " + std::to_string(count) + " entries");
  for (zip_uint64_t index = 0; index < zip_uint64_t(count); ++index) {
    zip_stat_t facts;
    zip_stat_init(&facts);
    constexpr zip_uint64_t kNeeded = ZIP_STAT_NAME | ZIP_STAT_SIZE | ZIP_STAT_COMP_METHOD;
    if (zip_stat_index(m_archive.get(), index, 0, &facts) != 0 ||
        (facts.valid & kNeeded) != kNeeded)
      return invalid("the archive is damaged: entry " + std::to_string(index) + " cannot be read");
    if (!isPlain(facts.name))
      return invalid("the archive has an entry with the path `" + std::string(facts.name) +
                     "`, which leads out of it");
    if ((facts.valid & ZIP_STAT_ENCRYPTION_METHOD) != 0 && facts.encryption_method != ZIP_EM_NONE)
      return invalid("the entry `" + std::string(facts.name) + "` is encrypted");
    m_entries.emplace(facts.name, Entry{index, facts.size, facts.comp_method != ZIP_CM_STORE});
  }
  // PyTorch puts all entries into a folder of the file's name.
  const std::string folder =
      m_entries.empty()
          ? ""
          : m_entries.begin()->first.substr(0, m_entries.begin()->first.find('/') + 1);
  const auto isInFolder = [&](const auto &entry) { return entry.first.starts_with(folder); };
  const bool hasFolder = !folder.empty() && std::ranges::all_of(m_entries, isInFolder);
  if (!hasFolder)
    return {};
  decltype(m_entries) inside;
  for (const auto &[name, entry] : m_entries)
    inside.emplace(name.substr(folder.size()), entry);
  m_entries = std::move(inside);
  return {};
}

const ExportArchive::Entry *ExportArchive::find(std::string_view name) const {
  const auto found = m_entries.find(name);
  return found == m_entries.end() ? nullptr : &found->second;
}

Result<std::string> ExportArchive::text(std::string_view name, uint64_t most) const {
  const Entry *entry = find(name);
  if (!entry)
    return invalid("the archive has no entry `" + std::string(name) + "`");
  if (entry->bytes > most)
    return invalid("the entry `" + std::string(name) + "` has " + std::to_string(entry->bytes) +
                   " bytes, at most " + std::to_string(most) + " are read");
  zip_file_t *file = zip_fopen_index(m_archive.get(), entry->index, 0);
  if (!file)
    return invalid("the entry `" + std::string(name) +
                   "` cannot be read: " + zip_strerror(m_archive.get()));
  // Its size is what the archive claims: memory grows with what is there.
  constexpr uint64_t kStep = uint64_t{1} << 20;
  std::string bytes;
  zip_int64_t taken = 1;
  while (taken > 0 && bytes.size() <= entry->bytes) {
    const size_t before = bytes.size();
    bytes.resize(before + std::min(kStep, entry->bytes - before + 1));
    taken = zip_fread(file, bytes.data() + before, bytes.size() - before);
    bytes.resize(before + size_t(std::max<zip_int64_t>(taken, 0)));
  }
  const bool isWhole = zip_fclose(file) == 0 && taken >= 0 && bytes.size() == entry->bytes;
  if (!isWhole)
    return invalid("the entry `" + std::string(name) + "` is damaged");
  return bytes;
}

Result<ExportArchive::Place> ExportArchive::place(std::string_view name) const {
  const Entry *entry = find(name);
  if (!entry)
    return invalid("the archive has no entry `" + std::string(name) + "`");
  if (entry->isCompressed)
    return invalid("the entry `" + std::string(name) +
                   "` is compressed; `torch.export.save` stores weights as they are");
  if (entry->bytes == 0)
    return Place{};
  // libzip does not say where an entry lies, but it reads stored ones in place: behind their first
  // byte is where its source stands then.
  char first = 0;
  zip_file_t *file = zip_fopen_index(m_archive.get(), entry->index, 0);
  const bool isRead = file && zip_fread(file, &first, 1) == 1;
  const zip_int64_t behind = isRead ? zip_source_tell(m_source.get()) : 0;
  if (file)
    zip_fclose(file);
  const uint64_t offset = behind > 0 ? uint64_t(behind) - 1 : 0;
  if (!isRead || behind <= 0 || entry->bytes > m_bytes.size() ||
      offset > m_bytes.size() - entry->bytes || m_bytes[offset] != first)
    return invalid("the entry `" + std::string(name) + "` is damaged");
  return Place{offset, entry->bytes};
}

} // namespace tilescope::model
