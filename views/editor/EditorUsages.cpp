// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// Where the name at the cursor is used, and renaming it.
#include "compiler/syntax/EditorServices.h"
#include "views/common/MenuText.h"
#include "views/editor/HoverCard.h"
#include "views/editor/KernelEditor.h"
#include "views/editor/LaunchUses.h"
#include "views/editor/PopupPlacement.h"

#include <QMenu>

#include <algorithm>

namespace tilescope::views {

/// What launch blocks say of a parameter of a kernel, or of the kernel itself.
static std::vector<SourceRange> usesInBlocks(const compiler::ast::EditorDocument &document,
                                             const SourceRange &definition) {
  namespace ast = compiler::ast;
  const ast::SyntaxTree &tree = document.tree();
  for (const ast::Stmt *statement : tree.module->body) {
    const auto *function = ast::as<ast::FunctionDef>(statement);
    if (!function || function->body.empty() || definition.begin < function->nameRange.begin ||
        function->body.front()->range.begin < definition.begin)
      continue;
    return launchBlockUses(tree.source, tree.text(function->nameRange), tree.text(definition));
  }
  return {};
}

std::vector<SourceRange> KernelEditor::usagesHere() {
  const auto document = this->document();
  std::vector<SourceRange> places =
      document ? document->references(nameBefore(cursor())) : std::vector<SourceRange>();
  if (!places.empty()) {
    const std::vector<SourceRange> more = usesInBlocks(*document, places.front());
    places.insert(places.end(), more.begin(), more.end());
    std::ranges::sort(places);
  }
  if (places.empty()) {
    hidePopups();
    m_hover->showText(tr("No name of this file is at the cursor"),
                      cursorRect(send(SCI_GETCURRENTPOS)), PopupSide::Below);
  }
  return places;
}

void KernelEditor::showUsages() {
  const std::vector<SourceRange> places = usagesHere();
  if (places.empty())
    return;
  hidePopups();
  auto *menu = new QMenu(this);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  for (const SourceRange &place : places) {
    const int line = static_cast<int>(place.begin.line);
    QAction *go = menu->addAction(
        menuText(QStringLiteral("%1:  %2").arg(line + 1).arg(QsciScintilla::text(line).trimmed())),
        this, [this, place] {
          goTo(place.begin);
          setFocus();
        });
    if (place.contains(nameBefore(cursor())))
      menu->setActiveAction(go);
  }
  menu->popup(cursorRect(send(SCI_GETCURRENTPOS)).bottomLeft());
}

void KernelEditor::selectUsages() {
  const std::vector<SourceRange> places = usagesHere();
  const auto document = this->document();
  if (places.empty() || isReadOnly())
    return;
  const Position at = nameBefore(cursor());
  const auto textOf = [&](const SourceRange &place) {
    const auto begin = static_cast<size_t>(byteOffset(place.begin));
    return document->tree().source.substr(begin,
                                          static_cast<size_t>(byteOffset(place.end)) - begin);
  };
  const auto here =
      std::ranges::find_if(places, [&](const SourceRange &place) { return place.contains(at); });
  // `import a.b as c` binds a name in words that hold more than the name.
  const bool isPlain = here != places.end() && std::ranges::all_of(places, [&](const auto &place) {
                         return textOf(place) == textOf(*here);
                       });
  hidePopups();
  if (!isPlain)
    return m_hover->showText(tr("This name cannot be renamed here"),
                             cursorRect(send(SCI_GETCURRENTPOS)), PopupSide::Below);
  const auto select = [this](unsigned message, const SourceRange &place) {
    send(message, static_cast<unsigned long>(byteOffset(place.end)), byteOffset(place.begin));
  };
  select(SCI_SETSELECTION, places.front());
  std::for_each(places.begin() + 1, places.end(),
                [&](const SourceRange &place) { select(SCI_ADDSELECTION, place); });
  send(SCI_SETMAINSELECTION, static_cast<unsigned long>(here - places.begin()));
  m_isRenaming = true;
  m_hover->showText(tr("Type the new name, then press Enter"), cursorRect(byteOffset(here->begin)),
                    PopupSide::Below);
}

void KernelEditor::selectAll(bool select) {
  m_isRenaming &= send(SCI_GETSELECTIONS) > 1;
  if (!m_isRenaming || !select)
    return QsciScintilla::selectAll(select);
  const auto count = static_cast<unsigned long>(send(SCI_GETSELECTIONS));
  for (unsigned long place = 0; place < count; ++place) {
    const auto caret = static_cast<unsigned long>(send(SCI_GETSELECTIONNCARET, place));
    send(SCI_SETSELECTIONNANCHOR, place, send(SCI_WORDSTARTPOSITION, caret, 1L));
    send(SCI_SETSELECTIONNCARET, place, send(SCI_WORDENDPOSITION, caret, 1L));
  }
}

} // namespace tilescope::views
