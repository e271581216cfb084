// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/common/Theme.h"

#include "compiler/layout/picture/PictureColors.h"
#include "views/common/CodeFamily.h"
#include "views/common/LineTints.h"
#include "views/common/QuotedCode.h"

#include <QAbstractSpinBox>
#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QFile>
#include <QFontInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProxyStyle>
#include <QRadioButton>
#include <QTabBar>
#include <QToolButton>
#include <QWidget>

#include <cmath>

static void initResources() { Q_INIT_RESOURCE(ide); }

namespace tilescope::views {

/// Of the window's text and of code alike: the style sheet changes the family of code alone.
static constexpr double kPointSize = 9.5;
/// Of the usual size.
static constexpr double kSmallest = 0.55, kLargest = 2;
static constexpr int kMostZoom = 10;

namespace {
/// What the whole process shows in; changed on the GUI thread only.
struct Appearance {
  Theme theme;
  int zoom = 0;
  QString codeFamily;
};
} // namespace

static Appearance &appearance() {
  static Appearance value{loadTheme(QStringLiteral("dark")), 0, {}};
  return value;
}

QString colorKey(ColorRole role) {
  static constexpr const char *kKeys[] = {
#define TILESCOPE_COLOR(role, key) key,
#include "views/common/ColorRoles.def"
#undef TILESCOPE_COLOR
  };
  return QString::fromLatin1(kKeys[static_cast<size_t>(role)]);
}

Theme loadTheme(const QString &name) {
  initResources();
  QFile file(QStringLiteral(":/themes/%1.json").arg(name));
  if (!file.open(QIODevice::ReadOnly))
    return name == u"dark" ? Theme{} : loadTheme(QStringLiteral("dark"));
  const QJsonObject root = QJsonDocument::fromJson(file.readAll()).object();
  const QJsonObject colors = root[u"colors"].toObject();
  Theme result;
  result.name = name;
  result.dark = root[u"dark"].toBool();
  for (size_t i = 0; i < result.colors.size(); ++i)
    result.colors[i] = QColor(colors[colorKey(static_cast<ColorRole>(i))].toString());
  return result;
}

const Theme &theme() { return appearance().theme; }

QPalette Theme::palette() const {
  const Theme &t = *this;
  QPalette palette;
  palette.setColor(QPalette::Window, t[ColorRole::Window]);
  palette.setColor(QPalette::WindowText, t[ColorRole::Text]);
  palette.setColor(QPalette::Base, t[ColorRole::Base]);
  palette.setColor(QPalette::AlternateBase, t[ColorRole::Panel]);
  palette.setColor(QPalette::Text, t[ColorRole::Text]);
  palette.setColor(QPalette::Button, t[ColorRole::Raised]);
  palette.setColor(QPalette::ButtonText, t[ColorRole::Text]);
  palette.setColor(QPalette::BrightText, t[ColorRole::Error]);
  palette.setColor(QPalette::Highlight, t[ColorRole::Selection]);
  palette.setColor(QPalette::HighlightedText, t[ColorRole::Text]);
  palette.setColor(QPalette::Link, t[ColorRole::Accent]);
  palette.setColor(QPalette::ToolTipBase, t[ColorRole::Raised]);
  palette.setColor(QPalette::ToolTipText, t[ColorRole::Text]);
  palette.setColor(QPalette::PlaceholderText, t[ColorRole::TextFaint]);
  palette.setColor(QPalette::Light, t[ColorRole::Raised]);
  palette.setColor(QPalette::Midlight, t[ColorRole::Border]);
  palette.setColor(QPalette::Mid, t[ColorRole::Border]);
  palette.setColor(QPalette::Dark, t[ColorRole::BorderStrong]);
  palette.setColor(QPalette::Shadow, t[ColorRole::Window]);
  for (auto role : {QPalette::Text, QPalette::WindowText, QPalette::ButtonText})
    palette.setColor(QPalette::Disabled, role, t[ColorRole::TextFaint]);
  return palette;
}

QString Theme::styleSheet() const {
  initResources();
  QFile file(QStringLiteral(":/themes/style.qss"));
  if (!file.open(QIODevice::ReadOnly))
    return {};
  QString text = QString::fromUtf8(file.readAll());
  // Longer keys first, so that `@text` does not eat the start of `@textMuted`.
  std::vector<size_t> order(colors.size());
  for (size_t i = 0; i < order.size(); ++i)
    order[i] = i;
  std::sort(order.begin(), order.end(), [](size_t a, size_t b) {
    return colorKey(static_cast<ColorRole>(a)).size() > colorKey(static_cast<ColorRole>(b)).size();
  });
  for (size_t i : order)
    text.replace(u'@' + colorKey(static_cast<ColorRole>(i)), colors[i].name());
  text.replace(u"%scheme%"_qs, dark ? u"dark"_qs : u"light"_qs);
  text.replace(u"%uiFamily%"_qs, QFontInfo(uiFont()).family());
  text.replace(u"%codeFamily%"_qs, QFontInfo(codeFont()).family());
  return text;
}

QColor Theme::categorical(int index, int count) const {
  const compiler::Oklch color = compiler::familyColor(index, count, dark);
  return oklch(color.lightness, color.chroma, color.hue);
}

QColor Theme::tint(int index) const {
  // Neighboring source lines get hues far apart.
  const double hue = std::fmod(40.0 + 137.508 * (index % LineTints::kNumTints), 360.0);
  return dark ? oklch(0.285, 0.032, hue) : oklch(0.955, 0.025, hue);
}

namespace {
/// What a style sheet cannot scale, and code in words.
class ScaledStyle : public QProxyStyle {
public:
  ScaledStyle() : QProxyStyle(QStringLiteral("Fusion")) {}

  int pixelMetric(PixelMetric metric, const QStyleOption *option,
                  const QWidget *widget) const override {
    switch (metric) {
    case PM_TabCloseIndicatorWidth:
    case PM_TabCloseIndicatorHeight:
    case PM_ListViewIconSize:
    case PM_SmallIconSize:
    case PM_ToolBarIconSize:
      return scaledPx(16);
    // As wide as the style sheet makes the arrow behind which the rest of a tool bar is.
    case PM_ToolBarExtensionExtent:
      return scaledPx(18);
    case PM_ButtonIconSize:
      return scaledPx(widget && widget->property("small").toBool() ? 13 : 16);
    default:
      return QProxyStyle::pixelMetric(metric, option, widget);
    }
  }

  int styleHint(StyleHint hint, const QStyleOption *option, const QWidget *widget,
                QStyleHintReturn *result) const override {
    // A menu that is too long for the screen is scrolled; in columns it would be too wide.
    return hint == SH_Menu_Scrollable ? 1 : QProxyStyle::styleHint(hint, option, widget, result);
  }

  void drawItemText(QPainter *painter, const QRect &rect, int flags, const QPalette &palette,
                    bool enabled, const QString &text,
                    QPalette::ColorRole textRole) const override {
    QProxyStyle::drawItemText(painter, rect, flags, palette, enabled, quotedCode(text), textRole);
  }
};
} // namespace

void applyTheme(const Theme &next) {
  // Fonts reach widgets from the application and their parents, not from the style sheet alone.
  QCoreApplication::setAttribute(Qt::AA_UseStyleSheetPropagationInWidgetStyles);
  appearance().theme = next;
  // Each of these makes every widget anew, so what stays as it is is not set again.
  if (qApp->styleSheet().isEmpty())
    QApplication::setStyle(new ScaledStyle);
  if (const QPalette palette = next.palette(); QApplication::palette() != palette)
    QApplication::setPalette(palette);
  if (QApplication::font() != uiFont())
    QApplication::setFont(uiFont());
  if (const QString sheet = next.styleSheet(); qApp->styleSheet() != sheet)
    qApp->setStyleSheet(sheet);
}

void setStyleProperty(QWidget *widget, const char *name, const QVariant &value) {
  // Looking up the style's rules takes long.
  if (widget->property(name) == value)
    return;
  widget->setProperty(name, value);
  QList<QWidget *> parts = widget->findChildren<QWidget *>();
  parts.push_back(widget);
  for (QWidget *part : parts) {
    part->style()->unpolish(part);
    part->style()->polish(part);
  }
}

static QFont firstInstalled(const QStringList &families, double pointSize) {
  QFont font(families);
  font.setPointSizeF(
      std::clamp(pointSize + appearance().zoom, pointSize * kSmallest, pointSize * kLargest));
  return font;
}

QFont codeFont() {
  QStringList families{QStringLiteral("JetBrains Mono"),   QStringLiteral("Cascadia Mono"),
                       QStringLiteral("DejaVu Sans Mono"), QStringLiteral("Menlo"),
                       QStringLiteral("Consolas"),         QStringLiteral("monospace")};
  if (!appearance().codeFamily.isEmpty())
    families.prepend(appearance().codeFamily);
  QFont font = firstInstalled(families, kPointSize);
  font.setStyleHint(QFont::Monospace);
  font.setFixedPitch(true);
  // Code has neither ligatures nor kerning: laying it out is half the work of drawing an editor.
  font.setStyleStrategy(QFont::PreferNoShaping);
  return font;
}

QFont uiFont() {
  QFont font = firstInstalled({QStringLiteral("Inter"), QStringLiteral("Segoe UI"),
                               QStringLiteral("Noto Sans"), QStringLiteral("DejaVu Sans"),
                               QStringLiteral("sans-serif")},
                              kPointSize);
  font.setStyleHint(QFont::SansSerif);
  return font;
}

/// The style sheet has lengths in em for these; Qt computes them when it polishes a widget.
static bool hasLengthsInEm(const QWidget *widget) {
  if (const auto *button = qobject_cast<const QToolButton *>(widget))
    return button->popupMode() == QToolButton::MenuButtonPopup ||
           button->objectName() == u"qt_toolbar_ext_button";
  return qobject_cast<const QComboBox *>(widget) ||
         qobject_cast<const QAbstractSpinBox *>(widget) || qobject_cast<const QTabBar *>(widget) ||
         qobject_cast<const QCheckBox *>(widget) || qobject_cast<const QRadioButton *>(widget);
}

/// Carries the size of the text to every widget. Setting the style sheet again does so as well, at
/// ten times the cost.
static void resizeFonts() {
  QApplication::setFont(uiFont());
  // Widgets get the font by this event; what follows takes sizes from it.
  QCoreApplication::sendPostedEvents(nullptr, QEvent::ApplicationFontChange);
  for (QWidget *widget : QApplication::allWidgets()) {
    if (!hasLengthsInEm(widget))
      continue;
    widget->style()->polish(widget);
    QEvent event(QEvent::StyleChange);
    QApplication::sendEvent(widget, &event);
  }
}

void setFontZoom(int steps) {
  const int zoom = std::clamp(steps, -4, kMostZoom);
  if (zoom == appearance().zoom)
    return;
  appearance().zoom = zoom;
  resizeFonts();
}

void setCodeFamily(const QString &family) {
  if (appearance().codeFamily == family)
    return;
  appearance().codeFamily = family;
  qApp->setStyleSheet(theme().styleSheet());
}

int fontZoom() { return appearance().zoom; }

int textPercent() { return qRound(100 * uiFont().pointSizeF() / kPointSize); }

int scaledPx(int px) { return qRound(px * uiFont().pointSizeF() / kPointSize); }

static double linear(double channel) {
  return channel <= 0.04045 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
}

static double luminance(const QColor &color) {
  return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) +
         0.0722 * linear(color.blueF());
}

double contrastRatio(const QColor &first, const QColor &second) {
  const double a = luminance(first) + 0.05;
  const double b = luminance(second) + 0.05;
  return a > b ? a / b : b / a;
}

QColor oklch(double lightness, double chroma, double hue) {
  const double radians = hue * 3.14159265358979323846 / 180.0;
  const double a = chroma * std::cos(radians);
  const double b = chroma * std::sin(radians);
  const double l = std::pow(lightness + 0.3963377774 * a + 0.2158037573 * b, 3);
  const double m = std::pow(lightness - 0.1055613458 * a - 0.0638541728 * b, 3);
  const double s = std::pow(lightness - 0.0894841775 * a - 1.2914855480 * b, 3);
  auto channel = [](double value) {
    const double clipped = std::clamp(value, 0.0, 1.0);
    return static_cast<float>(clipped <= 0.0031308 ? 12.92 * clipped
                                                   : 1.055 * std::pow(clipped, 1 / 2.4) - 0.055);
  };
  return QColor::fromRgbF(channel(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
                          channel(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
                          channel(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s));
}

} // namespace tilescope::views
