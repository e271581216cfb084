// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "app/ide/LanguageData.h"

#include "compiler/syntax/LanguageReference.h"

namespace tilescope::app {

using compiler::ast::ReferenceEntry;
using compiler::ast::ReferenceKind;
using views::LanguageEntry;

static LanguageEntry::Kind kindOf(ReferenceKind kind) {
  switch (kind) {
  case ReferenceKind::Function:
  case ReferenceKind::Decorator:
    return LanguageEntry::Kind::Function;
  case ReferenceKind::Method:
    return LanguageEntry::Kind::Method;
  case ReferenceKind::Property:
    return LanguageEntry::Kind::Constant;
  case ReferenceKind::DType:
  case ReferenceKind::Type:
    return LanguageEntry::Kind::Type;
  case ReferenceKind::Module:
    return LanguageEntry::Kind::Module;
  }
  return LanguageEntry::Kind::Function;
}

/// `triton.language.load` is written `tl.load`.
static QString writtenName(const std::string &path) {
  QString name = QString::fromStdString(path);
  const QString module = QStringLiteral("triton.language");
  if (name.startsWith(module + u'.'))
    name.replace(0, module.size(), QStringLiteral("tl"));
  return name;
}

std::shared_ptr<const views::LanguageEntries> languageEntries() {
  auto entries = std::make_shared<views::LanguageEntries>();
  for (const ReferenceEntry &reference : compiler::ast::languageReference()) {
    LanguageEntry entry;
    entry.name = writtenName(reference.path);
    entry.kind = kindOf(reference.kind);
    const QString signature = QString::fromStdString(reference.signature);
    const qsizetype open = signature.indexOf(u'(');
    entry.signature = open < 0 ? QString() : signature.mid(open);
    for (const std::string &parameter : reference.parameters()) {
      const QString name =
          QString::fromStdString(parameter).section(u'=', 0, 0).section(u':', 0, 0).trimmed();
      if (!name.isEmpty() && !name.startsWith(u'*') && name != u"…")
        entry.parameters << name;
    }
    entry.documentation = QString::fromStdString(reference.doc);
    entries->push_back(std::move(entry));
  }
  return entries;
}

} // namespace tilescope::app
