// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/layout/conversion/ConversionText.h"

#include "compiler/access/picture/AccessWords.h"
#include "views/common/CountedText.h"
#include "views/layout/LayoutContent.h"

#include <QCoreApplication>
#include <QStringList>

#include <array>
#include <set>

namespace tilescope::views {

using compiler::ConversionPicture;
using compiler::ConversionSide;
using compiler::Dim;
using compiler::Move;
using compiler::MoveKind;

static QString tr(const char *text, int count = -1) {
  return QCoreApplication::translate("ConversionText", text, nullptr, count);
}

static QString elementMoves(const ConversionPicture &picture, const std::vector<Move> &moves) {
  const Move &first = moves.front();
  const std::string index =
      compiler::access::indexText(picture.map.before().coordinates(first.element));
  QString text = tr("element %1: %2 → %3")
                     .arg(QString::fromStdString(index), placeText(picture.before, first.from),
                          placeText(picture.behind, first.to));
  if (moves.size() > 1)
    text += tr(" and %1 more places").arg(moves.size() - 1);
  return text;
}

namespace {
/// The other ends of a lane's ways.
struct Partners {
  std::array<size_t, 4> counts{};
  std::set<std::pair<int64_t, int64_t>> lanes;
  std::set<int64_t> warps;
};
} // namespace

static Partners partnersOf(const ConversionPicture &picture, const std::vector<Move> &moves,
                           ConversionSide side) {
  Partners partners;
  for (const Move &move : moves) {
    ++partners.counts[static_cast<size_t>(move.kind)];
    const bool isSent = side == ConversionSide::Before;
    const compiler::LayoutMap &map = isSent ? picture.map.behind() : picture.map.before();
    const uint64_t other = isSent ? move.to : move.from;
    const int64_t warp = map.component(other, Dim::Warp);
    if (move.kind == MoveKind::Warp)
      partners.warps.insert(warp);
    if (move.kind == MoveKind::Lane || move.kind == MoveKind::Warp)
      partners.lanes.insert({warp, map.component(other, Dim::Lane)});
  }
  return partners;
}

static QString counted(size_t count, const char *one, const char *several) {
  return count == 1 ? tr(one) : tr(several).arg(count);
}

static QString laneMoves(const ConversionPicture &picture, const std::vector<Move> &moves,
                         ConversionSide side) {
  const bool isSent = side == ConversionSide::Before;
  const compiler::LayoutMap &map = isSent ? picture.map.before() : picture.map.behind();
  const uint64_t place = isSent ? moves.front().from : moves.front().to;
  const Partners partners = partnersOf(picture, moves, side);
  const auto of = [&](MoveKind kind) { return partners.counts[static_cast<size_t>(kind)]; };
  QStringList parts;
  if (of(MoveKind::Stays) > 0)
    parts << counted(of(MoveKind::Stays), "1 stays", "%1 stay");
  if (of(MoveKind::Register) > 0)
    parts << counted(of(MoveKind::Register), "1 changes the register", "%1 change the register");
  if (const size_t others = of(MoveKind::Lane) + of(MoveKind::Warp); others > 0) {
    QString text = counted(others, isSent ? "1 goes to" : "1 comes from",
                           isSent ? "%1 go to" : "%1 come from") +
                   u' ' + counted(partners.lanes.size(), "another lane", "%1 other lanes");
    if (!partners.warps.empty())
      text += tr(", %1 of them %2 %3")
                  .arg(of(MoveKind::Warp))
                  .arg(isSent ? tr("in") : tr("from"))
                  .arg(counted(partners.warps.size(), "another warp", "%1 other warps"));
    parts << text;
  }
  return (isSent ? tr("warp %1 · lane %2 sends %3: %4") : tr("warp %1 · lane %2 receives %3: %4"))
      .arg(map.component(place, Dim::Warp))
      .arg(map.component(place, Dim::Lane))
      .arg(countedText(moves.size(), "element"))
      .arg(parts.join(QStringLiteral(" · ")));
}

QString movesText(const ConversionPicture &picture, const std::vector<Move> &moves,
                  ConversionSide side, compiler::MoveScope scope) {
  if (moves.empty())
    return tr("Nothing is taken from here: other lanes hold copies, and theirs are used.");
  return scope == compiler::MoveScope::Element ? elementMoves(picture, moves)
                                               : laneMoves(picture, moves, side);
}

} // namespace tilescope::views
