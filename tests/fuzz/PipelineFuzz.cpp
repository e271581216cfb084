// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Documents in TTIR and TTGIR through every pass to PTX: whatever the parser and the verifier let
// in compiles or is refused.
#include "tests/fuzz/PipelineRun.h"

#include <string_view>

using namespace tilescope;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const std::string_view text(reinterpret_cast<const char *>(data), size);
  const bool hasLayouts = text.find("num-warps") != std::string_view::npos;
  fuzz::compileDocument(hasLayouts ? compiler::StageId::Ttgir : compiler::StageId::Ttir, data,
                        size);
  return 0;
}
