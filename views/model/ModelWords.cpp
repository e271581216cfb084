// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/model/ModelWords.h"

#include "compiler/support/BytesText.h"
#include "views/common/CountedText.h"

#include <QCoreApplication>

namespace tilescope::views {

QString timeText(double us) {
  return us < 1000 ? QStringLiteral("%1 µs").arg(us, 0, 'f', 1)
                   : QStringLiteral("%1 ms").arg(us / 1000, 0, 'f', 2);
}

QString shapeText(const compiler::ModelTensor &tensor) {
  QStringList extents;
  for (const std::string &extent : tensor.extents)
    extents << QString::fromStdString(extent);
  return extents.isEmpty() ? QString() : extents.join(QStringLiteral(" × "));
}

static QString madeText(const ShownModel &model, int kernel) {
  const compiler::ModelSlot *slot = model.slotOf(kernel);
  return slot ? QStringLiteral("%1 [%2]").arg(QString::fromStdString(slot->tensor.elementType),
                                              shapeText(slot->tensor))
              : QString();
}

QStringList kernelLabel(const ShownModel &model, int kernel) {
  const compiler::ModelKernel &shown = model.result().kernels[static_cast<size_t>(kernel)];
  QStringList lines{QString::fromStdString(shown.launch), madeText(model, kernel)};
  lines.removeAll(QString());
  for (const std::string &node : shown.nodes)
    lines << QString::fromStdString(node);
  return lines;
}

QString kernelText(const ShownModel &model, int kernel) {
  const auto place = static_cast<size_t>(kernel);
  const compiler::ModelKernel &shown = model.result().kernels[place];
  QStringList facts{QString::fromStdString(shown.launch),
                    QString::fromUtf8(modelKernelFormName(shown.form)), madeText(model, kernel),
                    countedText(shown.nodes.size(), "node"),
                    QCoreApplication::translate("ModelWords", "moves %1")
                        .arg(QString::fromStdString(bytesText(shown.bytes)))};
  if (!model.timesUs().empty())
    facts << QCoreApplication::translate("ModelWords", "%1 of %2")
                 .arg(timeText(model.timesUs()[place]), timeText(model.totalUs()));
  facts.removeAll(QString());
  return facts.join(QStringLiteral(" · "));
}

} // namespace tilescope::views
