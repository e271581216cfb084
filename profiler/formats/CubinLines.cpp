// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "profiler/formats/CubinLines.h"

#include <elfutils/libdw.h>
#include <libelf.h>
#include <memory>

namespace tilescope::profiler {

// Since Volta.
static constexpr uint64_t kInstructionBytes = 16;
// No kernel is longer.
static constexpr uint64_t kMostBytes = uint64_t(64) << 20;

namespace {

using ElfImage = std::unique_ptr<Elf, decltype(&elf_end)>;
using DwarfData = std::unique_ptr<Dwarf, decltype(&dwarf_end)>;

struct Row {
  uint64_t address = 0;
  int line = 0;
  bool isEnd = false;
  std::string_view path;
};

} // namespace

/// Each function has a section of code.
static size_t numFunctions(Elf *elf) {
  size_t names = 0, count = 0;
  if (elf_getshdrstrndx(elf, &names) != 0)
    return 0;
  for (Elf_Scn *section = elf_nextscn(elf, nullptr); section; section = elf_nextscn(elf, section)) {
    Elf64_Shdr *header = elf64_getshdr(section);
    const char *name = header ? elf_strptr(elf, names, header->sh_name) : nullptr;
    if (name && std::string_view(name).starts_with(".text."))
      ++count;
  }
  return count;
}

static Row rowOf(Dwarf_Lines *lines, size_t index) {
  Row row;
  Dwarf_Line *line = dwarf_onesrcline(lines, index);
  Dwarf_Addr address = 0;
  if (!line || dwarf_lineaddr(line, &address) != 0 || dwarf_lineno(line, &row.line) != 0 ||
      dwarf_lineendsequence(line, &row.isEnd) != 0)
    return {0, 0, true, {}};
  row.address = address;
  if (const char *path = dwarf_linesrc(line, nullptr, nullptr))
    row.path = path;
  return row;
}

static void takeRows(Dwarf_Lines *lines, size_t numLines, CubinLines &result) {
  for (size_t i = 0; i + 1 < numLines; ++i) {
    const Row row = rowOf(lines, i);
    const Row next = rowOf(lines, i + 1);
    if (row.isEnd)
      continue;
    if (result.path.empty())
      result.path = row.path;
    if (row.path != result.path || row.line < 1)
      continue;
    for (uint64_t at = row.address; at < std::min(next.address, kMostBytes);
         at += kInstructionBytes)
      result.lineAt[static_cast<uint32_t>(at)] = static_cast<uint32_t>(row.line - 1);
  }
}

CubinLines linesOfCubin(std::string_view cubin) {
  CubinLines result;
  elf_version(EV_CURRENT);
  std::string bytes(cubin);
  const ElfImage elf(elf_memory(bytes.data(), bytes.size()), &elf_end);
  if (!elf || numFunctions(elf.get()) != 1)
    return result;
  const DwarfData dwarf(dwarf_begin_elf(elf.get(), DWARF_C_READ, nullptr), &dwarf_end);
  Dwarf_CU *unit = nullptr;
  Dwarf_Off offset = 0, next = 0;
  Dwarf_Lines *lines = nullptr;
  size_t numLines = 0;
  while (dwarf && dwarf_next_lines(dwarf.get(), offset, &next, &unit, nullptr, nullptr, &lines,
                                   &numLines) == 0) {
    takeRows(lines, numLines, result);
    offset = next;
  }
  return result;
}

} // namespace tilescope::profiler
