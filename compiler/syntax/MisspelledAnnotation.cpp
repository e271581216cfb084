// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/syntax/MisspelledAnnotation.h"

#include "compiler/support/NearestName.h"
#include "compiler/syntax/LanguageReference.h"

namespace tilescope::compiler::ast {

std::optional<Diagnostic> misspelledConstexpr(const ModuleIndex &index,
                                              const ParameterInfo &parameter) {
  static constexpr std::string_view kLanguage = "triton.language.", kMeant[] = {"constexpr"};
  const auto *annotation = parameter.annotation ? as<Attribute>(parameter.annotation) : nullptr;
  const std::string path = annotation ? index.resolve(*annotation) : std::string();
  if (!path.starts_with(kLanguage) || findReference(path) ||
      path.size() != kLanguage.size() + annotation->attr.size() ||
      closestName(annotation->attr, kMeant).empty() || annotation->attr == kMeant[0])
    return std::nullopt;
  const std::string meant(kMeant[0]);
  Diagnostic diagnostic;
  diagnostic.kind = DiagnosticKind::UnknownAttribute;
  diagnostic.range = annotation->attrRange;
  diagnostic.message =
      "module `triton.language` has no attribute `" + std::string(annotation->attr) + "`";
  diagnostic.notes.push_back("did you mean `" + meant + "`?");
  diagnostic.fixes.push_back({annotation->attrRange, meant, "write `" + meant + "`"});
  return diagnostic;
}

} // namespace tilescope::compiler::ast
