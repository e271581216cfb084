// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <QColor>
#include <QFont>
#include <QIcon>
#include <QPalette>
#include <QString>

#include <array>

class QWidget;

namespace tilescope::views {

/// What a colour is for. Every theme has a value for each of them.
enum class ColorRole {
#define TILESCOPE_COLOR(role, key) role,
#include "views/common/ColorRoles.def"
#undef TILESCOPE_COLOR
  Count
};

/// The key of a role in the theme files, e.g. `textMuted`.
QString colorKey(ColorRole role);

/// Colours of one look of the program. A value: views read the current one through `theme()`.
struct Theme {
  QString name;
  bool dark = true;
  std::array<QColor, static_cast<size_t>(ColorRole::Count)> colors;

  const QColor &operator[](ColorRole role) const { return colors[static_cast<size_t>(role)]; }
  QPalette palette() const;
  /// The style sheet of the whole program with this theme's colours and the family of code. It
  /// holds no size that follows the zoom. No widget sets a font itself: whatever has the property
  /// `code` gets the font of code.
  QString styleSheet() const;
  /// Colour of a member of a family (a warp, a lane, a bank), as `compiler::familyColor` has it.
  QColor categorical(int index, int count) const;
  /// The fill behind lines that come from one source line; `index` wraps around.
  QColor tint(int index) const;
};

/// Reads one of the themes that come with the program: `dark` or `light`.
Theme loadTheme(const QString &name);

/// The theme in use. Set by `applyTheme`; widgets repaint on `QEvent::PaletteChange`.
const Theme &theme();
/// Makes a theme the one in use: palette, style sheet and fonts of the application.
void applyTheme(const Theme &theme);

/// Sets a property that the style sheet looks at, such as `tone` of a label (`error`, `warning`),
/// and applies its rules anew to the widget and what it holds.
void setStyleProperty(QWidget *widget, const char *name, const QVariant &value);

/// The first installed of the preferred families, in the size that the zoom asks for.
QFont codeFont();
QFont uiFont();
/// A property of widgets that zoom what they show when the wheel is turned over them, also with
/// Ctrl.
inline constexpr const char *kZoomsByWheel = "zoomsByWheel";
/// Steps of font zoom, 0 is the standard size. Applies to everything shown.
void setFontZoom(int steps);
int fontZoom();
/// Size of the text of the window, in percent of the standard one.
int textPercent();
/// A length that grows with the text: `px` at the standard size.
int scaledPx(int px);

/// An icon of `resources/icons` drawn in a colour of the theme in use.
QIcon themedIcon(const QString &name, ColorRole role = ColorRole::TextMuted);

/// WCAG contrast ratio of two opaque colours, 1 to 21.
double contrastRatio(const QColor &first, const QColor &second);

/// Perceptually even colour space: lightness 0 to 1, chroma 0 to about 0.3, hue in degrees.
QColor oklch(double lightness, double chroma, double hue);

} // namespace tilescope::views
