// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/types/TypeText.h"

#include "compiler/types/ScalarKind.h"

namespace tilescope::compiler {

std::string elementTypeText(const std::string &type) {
  constexpr std::string_view kPointer = "!tt.ptr<";
  if (type.starts_with(kPointer) && type.ends_with('>'))
    return "pointer<" +
           elementTypeText(type.substr(kPointer.size(), type.size() - kPointer.size() - 1)) + ">";
  const bool isFloat = type == "f16" || type == "f32" || type == "f64";
  const auto kind = scalarFromSignature(isFloat ? "fp" + type.substr(1) : type);
  return kind ? std::string(scalarInfo(*kind).name) : type;
}

std::string blockTypeText(const std::string &elementType, const std::vector<int64_t> &shape) {
  std::string extents;
  for (const int64_t extent : shape)
    extents += (extents.empty() ? "" : ", ") + std::to_string(extent);
  return elementTypeText(elementType) + "[" + extents + "]";
}

} // namespace tilescope::compiler
