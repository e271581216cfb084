// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/page/Definitions.h"

#include "compiler/syntax/EditorServices.h"
#include "profiler/data/FileIo.h"

#include <QDir>
#include <QFile>

#include <filesystem>

namespace tilescope::app {

using compiler::SourceFile;
using compiler::ast::EditorDocument;
namespace fs = std::filesystem;

static std::optional<SourceRange> rangeIn(const EditorDocument &document, std::string_view name) {
  for (const compiler::ast::OutlineItem &item : document.outline())
    if (item.name == name)
      return item.nameRange;
  if (const compiler::ast::ModuleConstant *constant = document.index().findConstant(name))
    return constant->range;
  return std::nullopt;
}

static std::optional<Definition> definitionIn(const SourceFile &file, std::string_view name) {
  const std::optional<SourceRange> range = rangeIn(EditorDocument(file.text), name);
  return range ? std::optional(Definition{file.path, file.text, *range}) : std::nullopt;
}

static std::optional<Definition> definitionInPrelude(std::string_view name) {
  const QDir folder(QStringLiteral(":/prelude"));
  for (const QString &entry : folder.entryList()) {
    QFile file(folder.filePath(entry));
    if (!file.open(QIODevice::ReadOnly))
      continue;
    const std::string path = "<tilescope>/prelude/" + entry.toStdString();
    if (auto found = definitionIn({path, file.readAll().toStdString()}, name))
      return found;
  }
  return std::nullopt;
}

/// The files that `from package.module import name` may mean, relative to the importing one: dots
/// in front go up.
static std::vector<fs::path> candidates(std::string_view dotted, const fs::path &folder) {
  fs::path base = folder;
  bool isRelative = false;
  for (; dotted.starts_with('.'); dotted.remove_prefix(1)) {
    base = isRelative ? base.parent_path() : base;
    isRelative = true;
  }
  std::string relative(dotted);
  std::replace(relative.begin(), relative.end(), '.', '/');
  return {base / relative / "__init__.py", base / (relative + ".py")};
}

static std::optional<Definition> definitionInProject(std::string_view module, std::string_view name,
                                                     const std::string &path,
                                                     const std::vector<SourceFile> &known) {
  for (const fs::path &candidate : candidates(module, fs::path(path).parent_path())) {
    const std::string wanted = candidate.lexically_normal().string();
    for (const SourceFile &file : known)
      if (fs::path(file.path).lexically_normal().string() == wanted)
        if (auto found = definitionIn(file, name))
          return found;
    if (Result<std::string> text = profiler::readFile(wanted))
      if (auto found = definitionIn({wanted, *text}, name))
        return found;
  }
  return std::nullopt;
}

std::optional<Definition> findDefinition(const std::string &text, const std::string &path,
                                         Position position, const std::vector<SourceFile> &known) {
  const EditorDocument document(text);
  const std::string name(document.dottedNameAt(position));
  if (name.empty())
    return std::nullopt;
  const size_t dot = name.find('.');
  const auto imported = document.index().imports.find(name.substr(0, dot));
  if (imported != document.index().imports.end()) {
    const std::string full = imported->second + (dot == std::string::npos ? "" : name.substr(dot));
    const size_t last = full.rfind('.');
    const std::string member = full.substr(last + 1);
    if (compiler::ast::languageMember(full))
      return definitionInPrelude(member);
    if (last != std::string::npos)
      if (auto found = definitionInProject(full.substr(0, last), member, path, known))
        return found;
  }
  if (const std::optional<SourceRange> range = document.definition(position))
    return Definition{{}, text, *range};
  const std::optional<SourceRange> range = rangeIn(document, name);
  return range ? std::optional(Definition{{}, text, *range}) : std::nullopt;
}

std::string builtInAt(const std::string &text, Position position) {
  const EditorDocument document(text);
  const std::string name(document.dottedNameAt(position));
  const size_t dot = name.find('.');
  const auto imported = document.index().imports.find(name.substr(0, dot));
  if (name.empty() || imported == document.index().imports.end())
    return {};
  const std::string full = imported->second + (dot == std::string::npos ? "" : name.substr(dot));
  return compiler::ast::languageMember(full) ? name : std::string();
}

} // namespace tilescope::app
