// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/interpreter/kernels/Elementwise.h"

namespace tilescope::compiler::interpreter {

ElementwiseFunction findElementwise(std::string_view name, Element operand) {
  for (auto table :
       {integerFunctions(), floatFunctions(), mathFunctions(), castFunctions(), libraryFunctions()})
    for (const ElementwiseEntry &entry : table)
      if (entry.element == operand && entry.name == name)
        return entry.function;
  return nullptr;
}

std::string_view elementName(Element element) {
  switch (element) {
  case Element::I1:
    return "i1";
  case Element::I8:
    return "i8";
  case Element::I16:
    return "i16";
  case Element::I32:
    return "i32";
  case Element::I64:
    return "i64";
  case Element::Pointer:
    return "ptr";
  case Element::F8E5M2:
    return "f8E5M2";
  case Element::F8E4M3:
    return "f8E4M3FN";
  case Element::F8E5M2FNUZ:
    return "f8E5M2FNUZ";
  case Element::F8E4M3FNUZ:
    return "f8E4M3FNUZ";
  case Element::F16:
    return "f16";
  case Element::BF16:
    return "bf16";
  case Element::F32:
    return "f32";
  case Element::F64:
    return "f64";
  }
  return "";
}

} // namespace tilescope::compiler::interpreter
