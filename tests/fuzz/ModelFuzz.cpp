// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Any bytes as a model: it is read, or diagnostics say why not.
#include "compiler/model/CheckModel.h"
#include "tests/fuzz/Check.h"

#include <sys/mman.h>
#include <unistd.h>

using tilescope::fuzz::require;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const int file = memfd_create("model", 0);
  require(file >= 0 && write(file, data, size) == static_cast<ssize_t>(size),
          "the input is written");
  const auto result = tilescope::model::checkModel(
      {"/proc/self/fd/" + std::to_string(file), {}, tilescope::compiler::ModelText::Ir});
  close(file);
  require(result.ok || !result.diagnostics.empty(), "a refusal has a reason");
  require(!result.ok || !result.text.empty(), "a model that was read has its IR");
  for (const auto &diagnostic : result.diagnostics)
    require(!diagnostic.message.empty(), "a diagnostic has a message");
  return 0;
}
