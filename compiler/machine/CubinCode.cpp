// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/machine/CubinCode.h"

#include <cstring>
#include <optional>

namespace tilescope::compiler::machine {

/// An integer of the file at an offset; nothing behind its end.
template <typename Integer>
static std::optional<Integer> integerAt(std::string_view bytes, uint64_t offset) {
  if (bytes.size() < sizeof(Integer) || offset > bytes.size() - sizeof(Integer))
    return std::nullopt;
  Integer value;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

InstructionWord CodeSection::word(size_t index) const {
  const uint64_t at = index * kInstructionBytes;
  return {integerAt<uint64_t>(bytes, at).value_or(0),
          integerAt<uint64_t>(bytes, at + 8).value_or(0)};
}

namespace {
/// Of a section. Source: System V ABI, "Section Header", 64 bits.
struct SectionHeader {
  uint32_t name, type;
  uint64_t flags, offset, size;
};
} // namespace

static std::optional<SectionHeader> headerAt(std::string_view cubin, uint64_t at) {
  const auto name = integerAt<uint32_t>(cubin, at), type = integerAt<uint32_t>(cubin, at + 4);
  const auto flags = integerAt<uint64_t>(cubin, at + 8),
             offset = integerAt<uint64_t>(cubin, at + 24);
  const auto size = integerAt<uint64_t>(cubin, at + 32);
  if (!name || !type || !flags || !offset || !size || *offset > cubin.size() ||
      *size > cubin.size() - *offset)
    return std::nullopt;
  return SectionHeader{*name, *type, *flags, *offset, *size};
}

static std::string_view nameAt(std::string_view names, uint64_t at) {
  if (at >= names.size())
    return {};
  names.remove_prefix(at);
  return names.substr(0, names.find('\0'));
}

// Source: System V ABI, "ELF Header", 64 bits.
std::vector<CodeSection> codeSections(std::string_view cubin) {
  const auto headers = integerAt<uint64_t>(cubin, 40);
  const auto entrySize = integerAt<uint16_t>(cubin, 58), count = integerAt<uint16_t>(cubin, 60);
  const auto namesAt = integerAt<uint16_t>(cubin, 62);
  if (!cubin.starts_with("\177ELF") || !headers || *headers > cubin.size() || !entrySize ||
      !count || !namesAt)
    return {};
  std::string_view names;
  if (const auto header = headerAt(cubin, *headers + uint64_t{*namesAt} * *entrySize))
    names = cubin.substr(header->offset, header->size);
  std::vector<CodeSection> sections;
  for (uint64_t index = 0; index < *count; ++index) {
    const std::optional<SectionHeader> header = headerAt(cubin, *headers + index * *entrySize);
    constexpr uint32_t kProgramBits = 1;
    constexpr uint64_t kExecutable = 4;
    if (header && header->type == kProgramBits && (header->flags & kExecutable))
      sections.push_back({nameAt(names, header->name), cubin.substr(header->offset, header->size)});
  }
  return sections;
}

} // namespace tilescope::compiler::machine
