// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// The margin in which the KernelEditor shows where samples were found.
#include "views/common/Heat.h"
#include "views/common/PictureCanvas.h"
#include "views/common/Theme.h"
#include "views/editor/EditorIndicators.h"
#include "views/editor/KernelEditor.h"

#include <QFontMetricsF>

#include <algorithm>
#include <cmath>
#include <utility>

namespace tilescope::views {

static unsigned long scintillaColor(const QColor &color) {
  return static_cast<unsigned long>(color.red() | (color.green() << 8) | (color.blue() << 16));
}

static int shadeOf(double warmth) {
  return std::clamp(static_cast<int>(std::lround(std::sqrt(warmth) * (kNumHeatShades - 1))), 0,
                    kNumHeatShades - 1);
}

void KernelEditor::defineHeatStyles() {
  const QFont font = codeFont();
  const QByteArray family = font.family().toUtf8();
  const auto define = [&](int style, const QColor &fill) {
    const auto number = static_cast<unsigned long>(style);
    SendScintilla(SCI_STYLESETFONT, number, family.constData());
    send(SCI_STYLESETSIZEFRACTIONAL, number,
         std::lround(font.pointSizeF() * 0.86 * static_cast<int>(SC_FONT_SIZE_MULTIPLIER)));
    send(SCI_STYLESETBACK, number, static_cast<long>(scintillaColor(fill)));
    send(SCI_STYLESETFORE, number, static_cast<long>(scintillaColor(inkOn(fill))));
  };
  for (int shade = 0; shade < kNumHeatShades; ++shade) {
    const double root = static_cast<double>(shade) / (kNumHeatShades - 1);
    define(kFirstHeatStyle + shade, warmColor(root * root));
  }
  define(kOutdatedHeatStyle, theme()[ColorRole::Raised]);
  fitHeatMargin();
}

void KernelEditor::fitHeatMargin() {
  const int width = QFontMetrics(codeFont()).horizontalAdvance(QStringLiteral("<0.1 %")) + 4;
  setMarginWidth(kHeatMargin, m_heat.empty() ? 0 : width);
}

void KernelEditor::setHeat(const std::map<uint32_t, LineHeat> &lines, const QString &remark) {
  for (const auto &[handle, heat] : std::exchange(m_heat, {}))
    markerDeleteHandle(handle);
  send(SCI_MARGINTEXTCLEARALL);
  m_heatRemark = remark;
  m_isHeatOutdated = false;
  for (const auto &[line, heat] : lines) {
    if (static_cast<int>(line) >= this->lines())
      continue;
    const QByteArray text = shareText(heat.share).toUtf8();
    SendScintilla(SCI_MARGINSETTEXT, static_cast<unsigned long>(line), text.constData());
    if (const int handle = markerAdd(static_cast<int>(line), kHeatMarker); handle >= 0)
      m_heat[handle] = heat;
  }
  shadeHeat();
  fitHeatMargin();
}

void KernelEditor::setHeatOutdated(bool isOutdated) {
  if (std::exchange(m_isHeatOutdated, isOutdated) != isOutdated)
    shadeHeat();
}

void KernelEditor::shadeHeat() {
  for (const auto &[handle, heat] : m_heat)
    if (const int line = markerLine(handle); line >= 0)
      send(SCI_MARGINSETSTYLE, static_cast<unsigned long>(line),
           m_isHeatOutdated ? kOutdatedHeatStyle : kFirstHeatStyle + shadeOf(heat.warmth));
}

std::map<uint32_t, LineHeat> KernelEditor::heat() const {
  std::map<uint32_t, LineHeat> lines;
  for (const auto &[handle, heat] : m_heat)
    if (const int line = markerLine(handle); line >= 0)
      lines[static_cast<uint32_t>(line)] = heat;
  return lines;
}

QString KernelEditor::heatText(uint32_t line) const {
  for (const auto &[handle, heat] : m_heat)
    if (markerLine(handle) == static_cast<int>(line)) {
      const QString words = heatWords(heat).toHtmlEscaped();
      return m_isHeatOutdated ? tr("Outdated: %1").arg(words)
                              : words + QStringLiteral("<br>") + m_heatRemark.toHtmlEscaped();
    }
  return {};
}

} // namespace tilescope::views
