// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/layout/LayoutContent.h"

#include "views/common/CountedText.h"
#include "views/common/Theme.h"

#include <QCoreApplication>

#include <algorithm>

namespace tilescope::views {

using compiler::Dim;
using compiler::Family;
using compiler::LayoutPicture;

static QString tr(const char *text) { return QCoreApplication::translate("LayoutContent", text); }

QString placeText(const LayoutPicture &picture, uint64_t place) {
  const compiler::LayoutMap &map = picture.map;
  if (picture.facts.shared) {
    const int bits = compiler::memoryBits(picture.facts);
    return tr("offset %1 (byte %2, bank %3)")
        .arg(place)
        .arg(place * static_cast<uint64_t>(bits) / 8)
        .arg(compiler::bankOf(place, bits));
  }
  QString text = tr("warp %1 · lane %2 · register %3")
                     .arg(map.component(place, Dim::Warp))
                     .arg(map.component(place, Dim::Lane))
                     .arg(map.component(place, Dim::Register));
  if (map.size(Dim::Block) > 1)
    text.prepend(tr("block %1 · ").arg(map.component(place, Dim::Block)));
  return text;
}

QString summaryText(const LayoutPicture &picture) {
  const compiler::LayoutMap &map = picture.map;
  const int bits = compiler::memoryBits(picture.facts);
  if (picture.facts.shared)
    return tr("%1 bytes of shared memory · rows of 32 banks × 4 bytes")
        .arg(map.numElements() * bits / 8);
  const int64_t contiguous = map.contiguousElements();
  const int64_t numBytes = contiguous * bits / 8;
  const QString bytes = countedText(numBytes, "byte");
  QString text = tr("%1 × %2 × %3 · %4 contiguous per lane (%5)")
                     .arg(countedText(map.size(Dim::Warp), "warp"))
                     .arg(countedText(map.size(Dim::Lane), "lane"))
                     .arg(countedText(map.size(Dim::Register), "register"))
                     .arg(contiguous)
                     .arg(picture.facts.elementBits < 8 ? tr("%1 in memory").arg(bytes) : bytes);
  if (map.size(Dim::Block) > 1)
    text.prepend(tr("%1 × ").arg(countedText(map.size(Dim::Block), "block")));
  if (map.replication() > 1)
    text += tr(" · every element held %1 times").arg(map.replication());
  return text;
}

static QString elementName(const LayoutPicture &picture, uint64_t element) {
  QStringList at;
  for (int64_t coordinate : picture.map.coordinates(element))
    at << QString::number(coordinate);
  return tr("element [%1] — ").arg(at.join(QStringLiteral(", ")));
}

QString heldText(const LayoutPicture &picture, uint64_t place) {
  return elementName(picture, picture.map.elementOf(place)) + placeText(picture, place);
}

QString elementText(const LayoutPicture &picture, uint64_t element) {
  const std::vector<uint64_t> owners = picture.map.ownersOf(element, 1);
  const uint64_t numOwners = picture.map.numOwnersOf(element);
  QString text = elementName(picture, element);
  text += owners.empty() ? tr("no lane holds it") : placeText(picture, owners.front());
  if (numOwners > 1)
    text += tr(" and %1 more").arg(numOwners - 1);
  return text;
}

/// How members look, the same in both diagrams.
static void describeMembers(DiagramContent &content, const LayoutPicture &picture,
                            const compiler::PictureView &view) {
  content.grid = view.grid;
  content.members = picture.membersOf(view);
  const Family family = picture.members.family;
  content.memberLabel = [family](uint64_t member) {
    return QString::fromStdString(compiler::memberLabel(family, member));
  };
  content.isHatched = family == Family::Warp || family == Family::Block;
  compiler::MemberPalette &palette = content.palette;
  palette.memberBits = picture.members.bits;
  palette.none = theme()[ColorRole::Filler].rgb();
  const auto count = static_cast<int>(compiler::MemberPalette::numColors(palette.memberBits));
  for (int i = 0; i < count; ++i)
    palette.colors.push_back(theme().categorical(i, count).rgb());
}

DiagramContent tensorContent(const LayoutPicturePointer &picture) {
  if (picture->map.numElements() == 0)
    return {};
  DiagramContent content;
  describeMembers(content, *picture, picture->tensor);
  content.label = [picture](int64_t cell) {
    return QString::fromStdString(picture->ownerLabel(cell));
  };
  content.columnLabel = [picture](int64_t column) {
    return QString::fromStdString(picture->tensorColumnLabel(column));
  };
  content.rowLabel = [picture](int64_t row) {
    return QString::fromStdString(picture->tensorRowLabel(row));
  };
  return content;
}

DiagramContent hardwareContent(const LayoutPicturePointer &picture) {
  if (picture->map.numElements() == 0)
    return {};
  DiagramContent content;
  describeMembers(content, *picture, picture->hardware);
  content.label = [picture](int64_t cell) {
    return QString::fromStdString(picture->elementLabel(cell));
  };
  content.columnLabel = [picture](int64_t column) {
    return QString::fromStdString(picture->hardwareColumnLabel(column));
  };
  content.rowLabel = [picture](int64_t row) {
    return QString::fromStdString(picture->hardwareRowLabel(row));
  };
  const int64_t numWarps = picture->map.size(Dim::Warp);
  const bool hasBlocks = picture->map.size(Dim::Block) > 1;
  content.blockTitle = [=](int64_t at) {
    return hasBlocks ? tr("block %1 · warp %2").arg(at / numWarps).arg(at % numWarps)
                     : tr("warp %1").arg(at);
  };
  content.shortBlockTitle = [=](int64_t at) {
    const auto label = [](Family family, int64_t member) {
      return QString::fromStdString(compiler::memberLabel(family, static_cast<uint64_t>(member)));
    };
    return hasBlocks
               ? label(Family::Block, at / numWarps) + u' ' + label(Family::Warp, at % numWarps)
               : QString::number(at);
  };
  return content;
}

} // namespace tilescope::views
