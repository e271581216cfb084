// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: Tilescope contributors
#include "compiler/syntax/LanguageReference.h"

#include <algorithm>

namespace tilescope::compiler::ast {

static constexpr std::string_view kLanguage = "triton.language.";
static constexpr std::string_view kLibdevice = "triton.language.extra.libdevice.";

std::string_view ReferenceEntry::name() const {
  std::string_view view = path;
  return view.substr(view.rfind('.') + 1);
}

std::vector<std::string> ReferenceEntry::parameters() const {
  std::vector<std::string> result;
  size_t open = signature.find('(');
  if (open == std::string::npos)
    return result;
  int depth = 0;
  std::string current;
  auto finish = [&] {
    size_t first = current.find_first_not_of(' ');
    if (first != std::string::npos)
      result.push_back(current.substr(first));
    current.clear();
  };
  for (size_t i = open + 1; i < signature.size(); ++i) {
    char c = signature[i];
    if (c == ')' && depth == 0)
      break;
    depth += c == '(' || c == '[' ? 1 : c == ')' || c == ']' ? -1 : 0;
    if (c == ',' && depth == 0)
      finish();
    else
      current += c;
  }
  finish();
  return result;
}

/// The signature of a tensor's method: without the tensor, which is in front of the dot.
static std::string methodSignature(std::string_view name, std::string_view parameters) {
  size_t comma = parameters.find(", ");
  std::string_view rest = comma == std::string_view::npos ? "" : parameters.substr(comma + 2);
  return "x." + std::string(name) + "(" + std::string(rest) + ")";
}

static std::vector<ReferenceEntry> makeEntries() {
  using namespace language_trait;
  std::vector<ReferenceEntry> entries;
  auto add = [&](ReferenceKind kind, std::string path, std::string signature, std::string doc,
                 unsigned traits = 0) {
    entries.push_back({std::move(path), kind, std::move(signature), std::move(doc), traits});
  };
  auto language = [](std::string_view name) { return std::string(kLanguage) + std::string(name); };
#define TL(kind, name, parameters, traits, doc)                                                    \
  add(ReferenceKind::kind, language(name), "tl." name "(" parameters ")", doc, traits);
#define TL_METHOD(name, parameters, traits, doc)                                                   \
  TL(Function, name, parameters, traits, doc)                                                      \
  add(ReferenceKind::Method, "tensor." name, methodSignature(name, parameters), doc);
#define TL_TYPE(kind, name, doc) add(ReferenceKind::kind, language(name), "tl." name, doc);
#include "compiler/syntax/reference/Core.def"
#undef TL
#undef TL_METHOD
#undef TL_TYPE
#define REFERENCE(kind, path, signature, doc) add(ReferenceKind::kind, path, signature, doc);
#include "compiler/syntax/reference/Host.def"
#undef REFERENCE
#define LIBDEVICE(name, parameters, doc)                                                           \
  add(ReferenceKind::Function, std::string(kLibdevice) + name,                                     \
      "libdevice." name "(" parameters ")", doc);
#include "compiler/syntax/reference/Libdevice.def"
#undef LIBDEVICE
  std::sort(entries.begin(), entries.end(),
            [](const ReferenceEntry &a, const ReferenceEntry &b) { return a.path < b.path; });
  return entries;
}

std::span<const ReferenceEntry> languageReference() {
  static const std::vector<ReferenceEntry> entries = makeEntries();
  return entries;
}

/// The one path under which an entry is listed.
static std::string canonicalPath(std::string_view path) {
  auto replacePrefix = [&](std::string_view from, std::string_view to) -> std::string {
    return std::string(to) + std::string(path.substr(from.size()));
  };
  static constexpr std::pair<std::string_view, std::string_view> kPrefixes[] = {
      {"triton.language.extra.cuda.libdevice.", kLibdevice},
      {"triton.language.libdevice.", kLibdevice},
      {"triton.language.math.", kLanguage},
      {"triton.language.core.", kLanguage},
      {"triton.language.standard.", kLanguage},
      {"triton.language.random.", kLanguage},
  };
  for (const auto &[from, to] : kPrefixes)
    if (path.starts_with(from))
      return replacePrefix(from, to);
  if (path == "triton.language.extra.cuda.libdevice" || path == "triton.language.libdevice")
    return "triton.language.extra.libdevice";
  return std::string(path);
}

const ReferenceEntry *findReference(std::string_view path) {
  std::span<const ReferenceEntry> entries = languageReference();
  std::string canonical = canonicalPath(path);
  auto found = std::lower_bound(
      entries.begin(), entries.end(), canonical,
      [](const ReferenceEntry &entry, const std::string &wanted) { return entry.path < wanted; });
  return found != entries.end() && found->path == canonical ? &*found : nullptr;
}

bool hasLanguageTrait(std::string_view name, unsigned trait) {
  const ReferenceEntry *entry =
      name.empty() ? nullptr : findReference(std::string(kLanguage) + std::string(name));
  return entry && (entry->traits & trait) != 0;
}

std::vector<const ReferenceEntry *> referenceMembers(std::string_view parentPath) {
  std::string prefix = canonicalPath(std::string(parentPath) + ".");
  bool isMath = parentPath == "triton.language.math";
  std::vector<const ReferenceEntry *> result;
  for (const ReferenceEntry &entry : languageReference()) {
    if (!entry.path.starts_with(prefix) || entry.path.find('.', prefix.size()) != std::string::npos)
      continue;
    if (!isMath || (entry.traits & language_trait::Elementary) != 0)
      result.push_back(&entry);
  }
  return result;
}

} // namespace tilescope::compiler::ast
