// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/pipeline/BuildId.h"

#include <cstring>
#include <link.h>
#include <string_view>

namespace tilescope::compiler {

/// Of notes, each a head, a name and a description at multiples of 4 bytes.
static std::string idInNotes(const char *notes, size_t size) {
  const auto padded = [](size_t bytes) { return (bytes + 3) / 4 * 4; };
  while (size >= sizeof(ElfW(Nhdr))) {
    ElfW(Nhdr) head;
    std::memcpy(&head, notes, sizeof(head));
    const size_t name = sizeof(head), description = name + padded(head.n_namesz),
                 end = description + padded(head.n_descsz);
    if (end > size)
      break;
    if (head.n_type == NT_GNU_BUILD_ID &&
        std::string_view(notes + name, head.n_namesz) == std::string_view("GNU\0", 4))
      return {notes + description, head.n_descsz};
    notes += end;
    size -= end;
  }
  return {};
}

std::string buildId() {
  std::string id;
  // The program comes first; 1 ends the walk.
  dl_iterate_phdr(
      [](dl_phdr_info *program, size_t, void *result) {
        for (int i = 0; i < program->dlpi_phnum; ++i) {
          const auto &segment = program->dlpi_phdr[i];
          auto &id = *static_cast<std::string *>(result);
          if (segment.p_type == PT_NOTE && id.empty())
            id = idInNotes(reinterpret_cast<const char *>(program->dlpi_addr + segment.p_vaddr),
                           segment.p_memsz);
        }
        return 1;
      },
      &id);
  return id;
}

} // namespace tilescope::compiler
