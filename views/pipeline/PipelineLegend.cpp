// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/pipeline/PipelineLegend.h"

#include "compiler/access/picture/PipelinePicture.h"
#include "views/common/HatchLines.h"
#include "views/common/Theme.h"

#include <QCoreApplication>
#include <QPainter>

#include <algorithm>

namespace tilescope::views {

namespace access = compiler::access;
using compiler::LoopAction;
using compiler::LoopFacts;
using compiler::LoopLinkKind;

void drawReaderMark(QPainter &painter, const QPointF &middle) {
  const QPolygonF triangle{middle + QPointF(-kMarkPx, kMarkPx), middle + QPointF(kMarkPx, kMarkPx),
                           middle + QPointF(0, -kMarkPx)};
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(theme()[ColorRole::Text], 1.2));
  painter.setBrush(theme()[ColorRole::Panel]);
  painter.drawPolygon(triangle);
  painter.setRenderHint(QPainter::Antialiasing, false);
}

QPen pipelineArrowPen(LoopLinkKind kind, bool isStrong) {
  const bool isFreed = kind == LoopLinkKind::Frees;
  const bool isWait = kind == LoopLinkKind::Ends || kind == LoopLinkKind::Signals;
  return {theme()[isWait ? ColorRole::Accent : ColorRole::Text], isStrong ? 2.0 : 1.2,
          isFreed ? Qt::DashLine : Qt::SolidLine};
}

static QString tr(const char *words) {
  return QCoreApplication::translate("tilescope::views::PipelineCanvas", words);
}

static QColor barColor() { return theme().categorical(0, access::kPipelineColors); }

static void drawUnderWay(QPainter &painter, const QRectF &box) {
  QList<QLineF> lines;
  addHatchLines(lines, box.adjusted(0, 3, 0, -3), kUnderWayHatch);
  painter.setPen(QPen(barColor(), 1));
  painter.setBrush(Qt::NoBrush);
  painter.drawLines(lines);
  painter.drawRect(box.adjusted(0.5, 3.5, -0.5, -3.5));
}

static void drawLeftOut(QPainter &painter, const QRectF &box) {
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(theme()[ColorRole::BorderStrong], 1, Qt::DashLine));
  painter.drawRect(box.adjusted(0.5, 3.5, -0.5, -3.5));
}

static PipelineSample labelSample(const char *words, const char *label) {
  return {tr(words), [label = QString::fromUtf8(label)](QPainter &painter, const QRectF &box) {
            painter.setPen(theme()[ColorRole::Text]);
            painter.drawText(box, Qt::AlignCenter, label);
          }};
}

static PipelineSample arrowSample(const char *words, LoopLinkKind kind) {
  return {tr(words), [kind](QPainter &painter, const QRectF &box) {
            painter.setPen(pipelineArrowPen(kind, true));
            painter.drawLine(QLineF(box.left(), box.center().y(), box.right(), box.center().y()));
          }};
}

namespace {
/// A label that a bar may have, and what it stands for.
struct LabelMeaning {
  LoopAction action;
  const char *label, *words;
};
} // namespace

static constexpr LabelMeaning kLabels[] = {
    {LoopAction::Arithmetic, "f",
     QT_TRANSLATE_NOOP("tilescope::views::PipelineCanvas", "arithmetic")},
    {LoopAction::Reduction, "Σ",
     QT_TRANSLATE_NOOP("tilescope::views::PipelineCanvas", "reduction")},
    {LoopAction::Conversion, "⇄",
     QT_TRANSLATE_NOOP("tilescope::views::PipelineCanvas", "conversion")},
    {LoopAction::Arrive, "»",
     QT_TRANSLATE_NOOP("tilescope::views::PipelineCanvas", "a slot is free")},
    {LoopAction::CloseGroup, "]",
     QT_TRANSLATE_NOOP("tilescope::views::PipelineCanvas", "end of a group of copies")},
};

std::vector<PipelineSample> pipelineLegend(const LoopFacts &facts) {
  const auto hasAction = [&](auto &&is) {
    return std::ranges::any_of(
        facts.operations, [&](const compiler::LoopOperation &each) { return is(each.action); });
  };
  const auto hasLink = [&](LoopLinkKind kind) {
    return std::ranges::find(facts.links, kind, &compiler::LoopLink::kind) != facts.links.end();
  };
  std::vector<PipelineSample> samples;
  const bool hasCopies = hasAction(compiler::isCopy);
  if (hasCopies || hasAction(compiler::isWait))
    samples.push_back({tr("under way, or waiting"), drawUnderWay});
  if (hasCopies) {
    samples.push_back({tr("there, until it is read"), [](QPainter &painter, const QRectF &box) {
                         painter.fillRect(box.adjusted(0, 3, 0, -3), barColor());
                       }});
    samples.push_back({tr("is read"), [](QPainter &painter, const QRectF &box) {
                         drawReaderMark(painter, box.center());
                       }});
  }
  if (hasAction([](LoopAction action) {
        return compiler::isWait(action) && action != LoopAction::BarrierWait;
      }))
    samples.push_back(labelSample("wait: at most 1 goes on", "≤1"));
  if (hasLink(LoopLinkKind::Ends) || hasLink(LoopLinkKind::Signals))
    samples.push_back(arrowSample("is waited for", LoopLinkKind::Ends));
  if (hasLink(LoopLinkKind::Feeds))
    samples.push_back(arrowSample("is used by", LoopLinkKind::Feeds));
  if (hasLink(LoopLinkKind::Frees))
    samples.push_back(arrowSample("slot is free again", LoopLinkKind::Frees));
  if (std::ranges::any_of(facts.events, &compiler::LoopEvent::isOff))
    samples.push_back({tr("left out: nothing to load"), drawLeftOut});
  for (const LabelMeaning &each : kLabels)
    if (hasAction([&](LoopAction action) { return action == each.action; }))
      samples.push_back(labelSample(each.words, each.label));
  return samples;
}

} // namespace tilescope::views
