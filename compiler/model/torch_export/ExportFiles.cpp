// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/model/torch_export/ExportFiles.h"

#include "compiler/model/torch_export/ExportArchive.h"
#include "compiler/model/torch_export/ProgramJson.h"
#include "compiler/model/torch_export/StatePickle.h"

namespace tilescope::model {

/// Programs of ten thousand nodes have some twenty megabytes.
static constexpr uint64_t kMostJson = uint64_t{1} << 29;
static constexpr int64_t kOldestSchema = 8, kNewestSchema = 8;

static Error invalid(const std::string &message) { return {ErrorCode::InvalidInput, message, ""}; }

bool isZip(std::string_view bytes) {
  return bytes.starts_with("PK\3\4") || bytes.starts_with("PK\5\6");
}

/// The only program of the archive. PyTorch up to 2.8 wrote it at the top.
static Result<std::string> programEntry(const ExportArchive &archive) {
  if (archive.find("serialized_exported_program.json"))
    return std::string("serialized_exported_program.json");
  std::string found;
  for (const auto &[name, entry] : archive.entries())
    if (name.starts_with("models/") && name.ends_with(".json")) {
      if (!found.empty())
        return invalid("it holds several models: `" + found + "` and `" + name +
                       "`; export each to a file of its own");
      found = name;
    }
  if (!found.empty())
    return found;
  if (archive.find("data.pkl"))
    return invalid(
        "it is a file of `torch.save`, which has weights and no graph; "
        "`torch.export.save(torch.export.export(model, inputs), FILE)` writes one with both");
  if (archive.find("archive_format"))
    return invalid("the archive holds code of AOTInductor and no exported program");
  return invalid("the archive is not one of `torch.export.save`: it has no `models/NAME.json`");
}

/// Adds weights, each with its place in the file, of `data/weights` or `data/constants`.
static Status addFolder(const ExportArchive &archive, const std::string &folder,
                        const std::string &suffix, std::string_view file,
                        std::map<std::string, StoredWeight> &weights) {
  for (const auto &[name, entry] : archive.entries()) {
    if (!name.starts_with(folder) || !name.ends_with(suffix))
      continue;
    const Result<std::string> text = archive.text(name, kMostJson);
    if (!text)
      return text.error();
    Result<std::map<std::string, StoredWeight>> read = weightsOf(*text);
    if (!read)
      return invalid("`" + name + "`: " + read.error().message);
    for (auto &[weightName, weight] : *read) {
      const Result<ExportArchive::Place> place = archive.place(folder + weight.file);
      if (!place)
        return invalid("weight `" + weightName + "`: " + place.error().message);
      weight.offset = place->offset;
      weight.bytes = place->bytes;
      if (weight.isPickled) {
        Result<StoredWeight> unpacked = pickledTensor(file, *place);
        if (!unpacked)
          return invalid("weight `" + weightName + "`: " + unpacked.error().message);
        weight = std::move(*unpacked);
      }
      weights.insert_or_assign(weightName, std::move(weight));
    }
  }
  return {};
}

/// What PyTorch up to 2.8 packs all weights of a model into.
static std::vector<std::string> pickledEntries(const ExportArchive &archive) {
  std::vector<std::string> names;
  for (const auto &[name, entry] : archive.entries()) {
    const bool isEarly = name == "serialized_state_dict.pt" || name == "serialized_constants.pt" ||
                         name == "serialized_state_dict.json" ||
                         name == "serialized_constants.json";
    const bool isInFolder =
        name.starts_with("data/weights/") || name.starts_with("data/constants/");
    if (entry.bytes > 0 && (isEarly || (isInFolder && name.ends_with(".pt"))))
      names.push_back(name);
  }
  return names;
}

/// Adds the weights of an entry of `torch.save`.
static Status addPickled(const ExportArchive &archive, const std::string &name,
                         std::string_view file, std::map<std::string, StoredWeight> &weights) {
  const Result<ExportArchive::Place> place = archive.place(name);
  if (!place)
    return place.error();
  Result<std::map<std::string, StoredWeight>> read = pickledTensors(file, *place);
  if (!read)
    return invalid("`" + name + "`: " + read.error().message);
  weights.merge(*read);
  return {};
}

/// Little-endian is what all machines write that run Tilescope.
static Status checkHeader(const ExportArchive &archive, const ExportedProgram &program) {
  if (archive.find("byteorder")) {
    const Result<std::string> order = archive.text("byteorder", 64);
    if (!order)
      return order.error();
    if (!order->starts_with("little"))
      return invalid("the weights are not little-endian, which is not supported");
  }
  if (program.schemaMajor >= kOldestSchema && program.schemaMajor <= kNewestSchema)
    return {};
  return invalid("the file has version " + std::to_string(program.schemaMajor) +
                 " of PyTorch's schema; version " + std::to_string(kNewestSchema) +
                 " is read, which PyTorch 2.5 and later write");
}

Result<ExportFiles> ExportFiles::open(MappedFile mapped) {
  ExportFiles files(std::move(mapped));
  const std::string_view bytes = files.m_file.bytes();
  const Result<ExportArchive> archive = ExportArchive::open(bytes);
  if (!archive)
    return archive.error();
  const Result<std::string> entry = programEntry(*archive);
  if (!entry)
    return entry.error();
  const Result<std::string> text = archive->text(*entry, kMostJson);
  if (!text)
    return text.error();
  Result<ExportedProgram> program = programOf(*text);
  if (!program)
    return invalid("`" + *entry + "`: " + program.error().message);
  files.m_program = std::move(*program);
  if (Status status = checkHeader(*archive, files.m_program); !status)
    return status.error();
  for (const auto &[folder, suffix] : {std::pair("data/weights/", "_weights_config.json"),
                                       std::pair("data/constants/", "_constants_config.json")})
    if (Status status = addFolder(*archive, folder, suffix, bytes, files.m_weights); !status)
      return status.error();
  for (const std::string &name : pickledEntries(*archive))
    if (Status status = addPickled(*archive, name, bytes, files.m_weights); !status)
      return status.error();
  return files;
}

const StoredWeight *ExportFiles::weight(const std::string &name) const {
  const auto found = m_weights.find(name);
  return found == m_weights.end() ? nullptr : &found->second;
}

std::optional<std::string_view> ExportFiles::bytesAt(uint64_t offset, uint64_t size) const {
  const std::string_view all = m_file.bytes();
  if (offset > all.size() || size > all.size() - offset)
    return std::nullopt;
  return all.substr(offset, size);
}

} // namespace tilescope::model
