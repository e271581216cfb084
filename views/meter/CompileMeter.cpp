// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/meter/CompileMeter.h"

#include "views/common/Theme.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace tilescope::views {

using compiler::StageId;

static const std::vector<StageId> &shownStages() {
  static const std::vector<StageId> kStages = compiler::stagesWith(compiler::stage_trait::Metered);
  return kStages;
}

static constexpr int kBarWidth = 46;
static constexpr int kBesideTitlePx = 10;
/// A bar of this time is full; what takes longer is slow.
static constexpr int64_t kFullBarNs = 250'000'000;

CompileMeter::CompileMeter(QWidget *parent) : QWidget(parent) {
  setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Preferred);
}

bool CompileMeter::isSlow(int64_t nanoseconds) { return nanoseconds > kFullBarNs; }

void CompileMeter::start() {
  for (size_t i = 0; i < m_times.size(); ++i)
    if (m_times[i])
      m_previous[i] = m_times[i];
  m_times.fill(std::nullopt);
  m_running = true;
  update();
  Q_EMIT changed();
}

void CompileMeter::clear() {
  m_times.fill(std::nullopt);
  m_previous.fill(std::nullopt);
  m_running = false;
  update();
  Q_EMIT changed();
}

void CompileMeter::stageShown(StageId stage, int64_t nanoseconds) {
  auto &time = m_times[static_cast<size_t>(stage)];
  if (!time)
    time = nanoseconds;
  update();
  Q_EMIT changed();
}

void CompileMeter::finish(bool ok) {
  m_running = false;
  m_ok = ok;
  update();
  Q_EMIT changed();
}

std::optional<int64_t> CompileMeter::time(StageId stage) const {
  return m_times[static_cast<size_t>(stage)];
}

static QString stageTitleText(StageId stage) {
  const std::string_view title = compiler::stageTitle(stage);
  return QString::fromUtf8(title.data(), static_cast<qsizetype>(title.size()));
}

static QString milliseconds(int64_t ns) {
  const double ms = static_cast<double>(ns) / 1e6;
  return QStringLiteral("%1").arg(ms, 0, 'f', ms < 10 ? 1 : 0);
}

QString CompileMeter::summary() const {
  QStringList parts;
  for (StageId stage : shownStages())
    if (const auto ns = time(stage))
      parts << QStringLiteral("%1 %2 ms").arg(stageTitleText(stage), milliseconds(*ns));
  return parts.isEmpty() ? tr("not compiled") : parts.join(QStringLiteral(" · "));
}

QString CompileMeter::shortText() const {
  const auto first = static_cast<size_t>(shownStages().front());
  const std::optional<int64_t> shown =
      m_times[first] || !m_running ? m_times[first] : m_previous[first];
  const QString title = stageTitleText(shownStages().front());
  return shown ? tr("%1 %2 ms").arg(title, milliseconds(*shown)) : tr("%1 –").arg(title);
}

bool CompileMeter::hasSlow() const {
  return std::ranges::any_of(m_times, [](const auto &time) { return time && isSlow(*time); });
}

QString CompileMeter::explanation() const {
  QStringList lines{tr("Time from the last keystroke until each stage was on the screen.\n"
                       "It says how fast the compiler is, not how fast the kernel is.")};
  for (StageId stage : shownStages())
    lines << (time(stage) ? tr("%1: %2 ms").arg(stageTitleText(stage), milliseconds(*time(stage)))
                          : tr("%1: not made").arg(stageTitleText(stage)));
  lines << tr("A bar is full at %1 ms.").arg(kFullBarNs / 1'000'000);
  return lines.join(u'\n');
}

QString CompileMeter::title() { return tr("On screen after"); }

QSize CompileMeter::sizeHint() const {
  QFont font = uiFont();
  font.setPointSizeF(font.pointSizeF() * 0.9);
  const QFontMetrics metrics(font);
  return {metrics.horizontalAdvance(title()) + kBesideTitlePx +
              static_cast<int>(shownStages().size()) *
                  (kBarWidth + metrics.horizontalAdvance(QStringLiteral("TTGIR 000.0 ms")) + 8),
          metrics.height() + 6};
}

QSize CompileMeter::minimumSizeHint() const { return {0, sizeHint().height()}; }

void CompileMeter::paintEvent(QPaintEvent *) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  QFont font = uiFont();
  font.setPointSizeF(font.pointSizeF() * 0.9);
  painter.setFont(font);
  const QFontMetrics metrics(font);
  int x = 0;
  // It is not the time that the column's header has.
  if (width() >= sizeHint().width()) {
    painter.setPen(theme()[ColorRole::TextFaint]);
    painter.drawText(rect(), Qt::AlignVCenter | Qt::AlignLeft, title());
    x = metrics.horizontalAdvance(title()) + kBesideTitlePx;
  }
  for (StageId stage : shownStages()) {
    const auto index = static_cast<size_t>(stage);
    const bool fresh = m_times[index].has_value();
    const std::optional<int64_t> shown = fresh ? m_times[index] : m_previous[index];
    QString text = stageTitleText(stage);
    text += shown && (fresh || m_running) ? QStringLiteral(" %1 ms").arg(milliseconds(*shown))
                                          : QStringLiteral(" –");
    painter.setPen(theme()[fresh ? ColorRole::TextMuted : ColorRole::TextFaint]);
    const int width = metrics.horizontalAdvance(text);
    // The tool tip has the parts that do not fit.
    if (x + width + 6 + kBarWidth - 8 > this->width())
      break;
    painter.drawText(QRect(x, 0, width + 2, height()), Qt::AlignVCenter | Qt::AlignLeft, text);
    x += width + 6;
    const QRectF track(x, height() / 2.0 - 2, kBarWidth - 8, 4);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme()[ColorRole::Border]);
    painter.drawRoundedRect(track, 2, 2);
    if (shown && (fresh || m_running)) {
      const double share = static_cast<double>(*shown) / static_cast<double>(kFullBarNs);
      QRectF bar = track;
      bar.setWidth(std::max(2.0, track.width() * std::min(1.0, share)));
      painter.setBrush(theme()[!fresh           ? ColorRole::BorderStrong
                               : isSlow(*shown) ? ColorRole::Warning
                                                : ColorRole::AccentFill]);
      painter.drawRoundedRect(bar, 2, 2);
    }
    x += kBarWidth + 4;
  }
}

bool CompileMeter::event(QEvent *event) {
  if (event->type() == QEvent::ToolTip) {
    QToolTip::showText(static_cast<QHelpEvent *>(event)->globalPos(), explanation(), this);
    return true;
  }
  return QWidget::event(event);
}

} // namespace tilescope::views
