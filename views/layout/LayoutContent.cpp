// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/layout/LayoutContent.h"

#include "views/common/Theme.h"

#include <QCoreApplication>

#include <algorithm>

namespace tilescope::views {

static constexpr int kBanks = 32;

static QString tr(const char *text) { return QCoreApplication::translate("LayoutContent", text); }

static const char *coloredInput(LayoutColoring coloring) {
  switch (coloring) {
  case LayoutColoring::Lane:
    return "lane";
  case LayoutColoring::Register:
    return "register";
  case LayoutColoring::Warp:
    break;
  }
  return "warp";
}

/// In front of the number of a member: a lane's letter is large, for a small one looks like a 1.
static QString memberPrefix(const LayoutPicture &picture) {
  if (picture.facts.shared)
    return QStringLiteral("b");
  switch (picture.coloring) {
  case LayoutColoring::Lane:
    return QStringLiteral("L");
  case LayoutColoring::Register:
    return QStringLiteral("r");
  case LayoutColoring::Warp:
    break;
  }
  return QStringLiteral("w");
}

/// What an element takes in memory: a condition is a bit in registers, and a byte there.
static int memoryBits(const compiler::LayoutFacts &facts) { return std::max(8, facts.elementBits); }

int LayoutPicture::memberOf(uint32_t place) const {
  if (facts.shared)
    return static_cast<int>(static_cast<uint64_t>(place) * memoryBits(facts) / 32 % kBanks);
  return map.component(place, coloredInput(coloring));
}

int LayoutPicture::numMembers() const {
  return facts.shared ? kBanks : map.size(coloredInput(coloring));
}

QString LayoutPicture::ownerText(uint32_t place) const {
  if (facts.shared) {
    const auto byte = static_cast<int64_t>(place) * memoryBits(facts) / 8;
    return tr("offset %1 (byte %2, bank %3)").arg(place).arg(byte).arg(byte / 4 % kBanks);
  }
  QString text = tr("warp %1 · lane %2 · register %3")
                     .arg(map.component(place, "warp"))
                     .arg(map.component(place, "lane"))
                     .arg(map.component(place, "register"));
  if (map.size("block") > 1)
    text.prepend(tr("block %1 · ").arg(map.component(place, "block")));
  return text;
}

QString LayoutPicture::summary() const {
  if (facts.shared)
    return tr("%1 bytes of shared memory · rows of 32 banks × 4 bytes")
        .arg(map.numElements() * memoryBits(facts) / 8);
  const int contiguous = map.contiguousElements();
  const int numBytes = contiguous * memoryBits(facts) / 8;
  const QString bytes = (numBytes == 1 ? tr("%1 byte") : tr("%1 bytes")).arg(numBytes);
  QString text = tr("%1 warps × %2 lanes × %3 registers · %4 contiguous per lane (%5)")
                     .arg(map.size("warp"))
                     .arg(map.size("lane"))
                     .arg(map.size("register"))
                     .arg(contiguous)
                     .arg(facts.elementBits < 8 ? tr("%1 in memory").arg(bytes) : bytes);
  if (map.replication() > 1)
    text += tr(" · every element held %1 times").arg(map.replication());
  return text;
}

QString LayoutPicture::elementText(int64_t element, const std::vector<uint32_t> &owners) const {
  QStringList at;
  for (int64_t coordinate : map.coordinates(element))
    at << QString::number(coordinate);
  QString text = tr("element [%1] — ").arg(at.join(QStringLiteral(", ")));
  text += owners.empty() ? tr("no lane holds it") : ownerText(owners.front());
  if (owners.size() > 1)
    text += tr("  and %1 more").arg(owners.size() - 1);
  return text;
}

LayoutPicturePointer makeLayoutPicture(const compiler::LayoutFacts &facts, TensorSlice slice,
                                       LayoutColoring coloring) {
  auto picture = std::make_shared<LayoutPicture>();
  picture->facts = facts;
  picture->map = LayoutMap(facts);
  picture->slice = std::move(slice);
  picture->coloring = coloring;
  picture->tensor = makeTensorGrid(picture->map, picture->slice);
  picture->hardware = makeHardwareGrid(picture->map, memoryBits(facts), facts.shared);
  return picture;
}

/// `w0 L13` over `r2`; in shared memory the offset.
static QString ownerLabel(const LayoutPicture &picture, int64_t element) {
  const std::vector<uint32_t> owners = picture.map.ownersOf(element, 1);
  if (owners.empty())
    return {};
  if (picture.facts.shared)
    return QString::number(owners[0]);
  return QStringLiteral("w%1 L%2\nr%3")
      .arg(picture.map.component(owners[0], "warp"))
      .arg(picture.map.component(owners[0], "lane"))
      .arg(picture.map.component(owners[0], "register"));
}

/// How members look, the same in both diagrams.
static void describeMembers(DiagramContent &content, const LayoutPicture &picture) {
  content.memberLabel = [prefix = memberPrefix(picture)](int member) {
    return prefix + QString::number(member);
  };
  content.isHatched = !picture.facts.shared && picture.coloring == LayoutColoring::Warp;
}

static std::vector<QRgb> memberColors(const LayoutPicture &picture) {
  std::vector<QRgb> colors;
  for (int member = 0; member < picture.numMembers(); ++member)
    colors.push_back(theme().categorical(member, picture.numMembers()).rgb());
  return colors;
}

DiagramContent tensorContent(const LayoutPicturePointer &picture) {
  const LayoutMap &map = picture->map;
  DiagramContent content;
  content.grid = picture->tensor.grid;
  // One walk over all places is much cheaper than asking for the owners of every element. Walked
  // down, the first owner of an element is the last to be written.
  constexpr uint16_t kNobody = UINT16_MAX;
  std::vector<uint16_t> members(static_cast<size_t>(map.numElements()), kNobody);
  for (uint32_t place = map.numPlaces(); place-- > 0;)
    if (const auto element = static_cast<size_t>(map.elementOf(place)); element < members.size())
      members[element] = static_cast<uint16_t>(picture->memberOf(place));
  const std::vector<QRgb> colors = memberColors(*picture);
  for (int64_t element : picture->tensor.elements) {
    const uint16_t member = members[static_cast<size_t>(element)];
    content.members.push_back(member);
    content.colors.push_back(member == kNobody ? theme()[ColorRole::Filler].rgb() : colors[member]);
  }
  describeMembers(content, *picture);
  content.memberLabel = [name = content.memberLabel](int member) {
    return member == kNobody ? QString() : name(member);
  };
  content.label = [picture](int cell) {
    return static_cast<size_t>(cell) < picture->tensor.elements.size()
               ? ownerLabel(*picture, picture->tensor.elements[static_cast<size_t>(cell)])
               : QString();
  };
  content.columnLabel = [](int column) { return QString::number(column); };
  content.rowLabel = [wrap = std::max(1, picture->tensor.wrap)](int row) {
    return QString::number(row * wrap);
  };
  return content;
}

static void describeLanes(DiagramContent &content, const LayoutPicture &picture) {
  const auto laneLabel = [lanes = picture.map.size("lane")](int at) {
    return QStringLiteral("L%1").arg(at % lanes);
  };
  const auto registerLabel = [registers = picture.map.size("register")](int at) {
    return QStringLiteral("r%1").arg(at % registers);
  };
  content.columnLabel = registerLabel;
  content.rowLabel = laneLabel;
  if (picture.hardware.lanesAcross)
    std::swap(content.columnLabel, content.rowLabel);
}

static void describeBanks(DiagramContent &content, const LayoutPicture &picture) {
  const int perBank = std::max(1, 32 / std::max(1, picture.facts.elementBits));
  content.columnLabel = [perBank](int column) {
    return column % perBank == 0 ? QStringLiteral("b%1").arg(column / perBank) : QString();
  };
  content.rowLabel = [columns = picture.hardware.grid.columns](int row) {
    return QString::number(row * columns);
  };
}

DiagramContent hardwareContent(const LayoutPicturePointer &picture) {
  DiagramContent content;
  content.grid = picture->hardware.grid;
  const std::vector<QRgb> colors = memberColors(*picture);
  for (uint32_t place : picture->hardware.places) {
    content.members.push_back(static_cast<uint16_t>(picture->memberOf(place)));
    content.colors.push_back(colors[content.members.back()]);
  }
  describeMembers(content, *picture);
  content.label = [picture](int cell) {
    QStringList parts;
    for (int64_t at : picture->map.coordinates(
             picture->map.elementOf(picture->hardware.places[static_cast<size_t>(cell)])))
      parts << QString::number(at);
    return parts.join(u',');
  };
  if (picture->facts.shared)
    describeBanks(content, *picture);
  else
    describeLanes(content, *picture);
  return content;
}

} // namespace tilescope::views
