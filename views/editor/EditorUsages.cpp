// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// Where the name at the cursor is used, and renaming it.
#include "compiler/syntax/EditorServices.h"
#include "compiler/syntax/ParameterKeys.h"
#include "views/common/MenuText.h"
#include "views/editor/HoverCard.h"
#include "views/editor/KernelEditor.h"
#include "views/editor/LaunchUses.h"
#include "views/editor/NewNames.h"
#include "views/editor/PopupPlacement.h"

#include <QMenu>

#include <algorithm>

namespace tilescope::views {

/// Where launch blocks have a name of the kernel whose parameter, or whose own name, is defined at
/// `definition`, and where its own decorators have it.
static std::vector<SourceRange> usesOutside(const compiler::ast::EditorDocument &document,
                                            const SourceRange &definition, std::string_view name) {
  namespace ast = compiler::ast;
  const ast::SyntaxTree &tree = document.tree();
  for (const ast::Stmt *statement : tree.module->body) {
    const auto *function = ast::as<ast::FunctionDef>(statement);
    if (!function || function->body.empty() || definition.begin < function->nameRange.begin ||
        function->body.front()->range.begin < definition.begin)
      continue;
    std::vector<SourceRange> uses =
        launchBlockUses(tree.source, tree.text(function->nameRange), name);
    const ast::ModuleIndex index = ast::indexModule(tree);
    if (const ast::JitFunction *kernel = index.findFunction(function->name))
      std::ranges::copy(ast::parameterKeys(tree, index, *kernel, name), std::back_inserter(uses));
    return uses;
  }
  return {};
}

std::vector<SourceRange> KernelEditor::usagesHere() {
  const auto document = this->document();
  std::vector<SourceRange> places =
      document ? document->references(nameBefore(cursor())) : std::vector<SourceRange>();
  if (!places.empty()) {
    const SourceRange definition = places.front();
    const std::vector<SourceRange> more =
        usesOutside(*document, definition, document->tree().text(definition));
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

void KernelEditor::showAtCursor(const QString &text) {
  m_hover->showText(text, cursorRect(send(SCI_GETCURRENTPOS)), PopupSide::Below);
}

void KernelEditor::selectUsages() {
  const std::vector<SourceRange> places = usagesHere();
  const auto document = this->document();
  if (places.empty() || isReadOnly())
    return;
  const Position at = nameBefore(cursor());
  const std::string text = document->tree().source;
  const auto textOf = [&](const SourceRange &place) {
    return std::string(document->tree().text(place));
  };
  const auto here =
      std::ranges::find_if(places, [&](const SourceRange &place) { return place.contains(at); });
  hidePopups();
  if (here == places.end())
    return showAtCursor(tr("This name cannot be renamed here"));
  const std::string module = moduleOf(*document, places, textOf(*here));
  if (module == textOf(*here))
    return showAtCursor(
        tr("`%1` is a module, which other files call so, too").arg(QString::fromStdString(module)));
  if (!module.empty())
    return showAtCursor(
        tr("`%1` comes from `%2`: rename it there. F12 goes there.")
            .arg(QString::fromStdString(textOf(*here)), QString::fromStdString(module)));
  // `import a.b as c` binds a name in words that hold more than the name.
  if (!std::ranges::all_of(places,
                           [&](const auto &place) { return textOf(place) == textOf(*here); }))
    return showAtCursor(tr("This name cannot be renamed here"));
  const auto select = [this](unsigned message, const SourceRange &place) {
    send(message, static_cast<unsigned long>(byteOffset(place.end)), byteOffset(place.begin));
  };
  select(SCI_SETSELECTION, places.front());
  std::for_each(places.begin() + 1, places.end(),
                [&](const SourceRange &place) { select(SCI_ADDSELECTION, place); });
  const auto chosen = static_cast<size_t>(here - places.begin());
  send(SCI_SETMAINSELECTION, chosen);
  m_renaming = Renaming{utf8Text(), textOf(*here), places, chosen};
  m_hover->showText(tr("Type the new name, then press Enter"), cursorRect(byteOffset(here->begin)),
                    PopupSide::Below);
}

std::optional<std::string> KernelEditor::typedName(const Renaming &renaming) const {
  const std::string now = utf8Text();
  const auto count = static_cast<long>(renaming.places.size());
  const long growth = static_cast<long>(now.size()) - static_cast<long>(renaming.text.size());
  const long length = static_cast<long>(renaming.name.size()) + growth / count;
  if (growth % count != 0 || length < 0)
    return std::nullopt;
  // The text before, with the name in each place, is the text of now.
  const compiler::ast::EditorDocument before(renaming.text);
  std::string expected, name;
  size_t end = 0;
  for (long i = 0; i < count; ++i) {
    const SourceRange &place = renaming.places[static_cast<size_t>(i)];
    const size_t begin = before.offsetOf(place.begin);
    expected += renaming.text.substr(end, begin - end);
    if (i == 0 && expected.size() + static_cast<size_t>(length) <= now.size())
      name = now.substr(expected.size(), static_cast<size_t>(length));
    expected += name;
    end = before.offsetOf(place.end);
  }
  expected += renaming.text.substr(end);
  const SourceRange &here = renaming.places[renaming.here];
  const long start = static_cast<long>(before.offsetOf(here.begin)) +
                     static_cast<long>(renaming.here) * (growth / count);
  const long caret = send(SCI_GETCURRENTPOS);
  const bool isHere = start <= caret && caret <= start + length;
  return isHere && expected == now ? std::optional(name) : std::nullopt;
}

/// No name has as many letters.
static constexpr int kMostKeys = 1000;

bool KernelEditor::takeBack(const Renaming &renaming) {
  int numUndone = 0;
  for (; utf8Text() != renaming.text && numUndone < kMostKeys && send(SCI_CANUNDO); ++numUndone)
    send(SCI_UNDO);
  if (utf8Text() == renaming.text)
    return true;
  for (; numUndone > 0; --numUndone)
    send(SCI_REDO);
  return false;
}

void KernelEditor::rename(const Renaming &renaming, const std::string &name) {
  beginUndoAction();
  // From the last place to the first, those before which stay where they are; the cursor's at last,
  // so that it is where redoing ends.
  const auto replace = [&](long begin) {
    send(SCI_SETTARGETRANGE, static_cast<unsigned long>(begin),
         begin + static_cast<long>(renaming.name.size()));
    SendScintilla(SCI_REPLACETARGET, static_cast<uintptr_t>(name.size()), name.c_str());
  };
  const long growth = static_cast<long>(name.size()) - static_cast<long>(renaming.name.size());
  long here = byteOffset(renaming.places[renaming.here].begin);
  for (size_t i = renaming.places.size(); i-- > 0;) {
    if (i == renaming.here)
      continue;
    replace(byteOffset(renaming.places[i].begin));
    here += i < renaming.here ? growth : 0;
  }
  replace(here);
  endUndoAction();
  send(SCI_SETEMPTYSELECTION, static_cast<unsigned long>(here) + name.size());
}

bool KernelEditor::endRenaming(int key) {
  if (m_renaming && send(SCI_GETSELECTIONS) != static_cast<long>(m_renaming->places.size()))
    m_renaming.reset();
  if (!m_renaming || (key != Qt::Key_Return && key != Qt::Key_Enter && key != Qt::Key_Escape))
    return false;
  const Renaming renaming = *std::exchange(m_renaming, std::nullopt);
  const std::optional<std::string> name = typedName(renaming);
  if (!name)
    return false;
  hidePopups();
  if (!takeBack(renaming)) {
    send(SCI_SETEMPTYSELECTION, static_cast<unsigned long>(send(SCI_GETCURRENTPOS)));
    return true;
  }
  const SourceRange &here = renaming.places[renaming.here];
  send(SCI_SETEMPTYSELECTION, static_cast<unsigned long>(byteOffset(here.end)));
  if (key == Qt::Key_Escape || *name == renaming.name)
    return true;
  const compiler::ast::EditorDocument before(renaming.text);
  QString problem = nameProblem(before, renaming.places, *name);
  const auto definition = std::ranges::find_if(
      renaming.places, [&](const SourceRange &place) { return !before.isInsideText(place.begin); });
  if (problem.isEmpty() && definition != renaming.places.end())
    if (const auto others = usesOutside(before, *definition, *name); !others.empty())
      problem = tr("`%1` is something else in the launch block already, in line %2.")
                    .arg(QString::fromStdString(*name))
                    .arg(others.front().begin.line + 1);
  if (problem.isEmpty())
    rename(renaming, *name);
  else
    showAtCursor(tr("Not renamed: %1").arg(problem));
  return true;
}

void KernelEditor::selectAll(bool select) {
  // A name may have a single place, which the cursor may have left since.
  if (m_renaming && (send(SCI_GETSELECTIONS) != static_cast<long>(m_renaming->places.size()) ||
                     !typedName(*m_renaming)))
    m_renaming.reset();
  if (!m_renaming || !select)
    return QsciScintilla::selectAll(select);
  const auto count = static_cast<unsigned long>(send(SCI_GETSELECTIONS));
  for (unsigned long place = 0; place < count; ++place) {
    const auto caret = static_cast<unsigned long>(send(SCI_GETSELECTIONNCARET, place));
    send(SCI_SETSELECTIONNANCHOR, place, send(SCI_WORDSTARTPOSITION, caret, 1L));
    send(SCI_SETSELECTIONNCARET, place, send(SCI_WORDENDPOSITION, caret, 1L));
  }
}

} // namespace tilescope::views
