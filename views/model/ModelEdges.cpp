// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/model/ModelEdges.h"

#include "compiler/support/BytesText.h"

namespace tilescope::views {

void ModelEdges::setKernel(ShownModelPointer model, int kernel) {
  beginResetModel();
  m_model = std::move(model);
  m_rows = m_model ? m_model->edgesOf(kernel) : std::vector<uint32_t>();
  endResetModel();
}

int ModelEdges::rowCount(const QModelIndex &parent) const {
  return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int ModelEdges::columnCount(const QModelIndex &parent) const {
  return parent.isValid() ? 0 : NumColumns;
}

/// `fused`, and who decided that.
QString ModelEdges::fusionText(const compiler::ModelEdge &edge) {
  switch (edge.wish) {
  case compiler::FusionWish::Fused:
    return edge.isFused ? tr("fused by choice") : tr("cannot be fused");
  case compiler::FusionWish::Apart:
    return tr("kept apart");
  case compiler::FusionWish::None:
    break;
  }
  return edge.isFused ? tr("fused") : tr("not fused");
}

QVariant ModelEdges::data(const QModelIndex &index, int role) const {
  if (!index.isValid())
    return {};
  const compiler::ModelEdge &shown = edge(index.row());
  if (role == Qt::TextAlignmentRole && index.column() == Bytes)
    return QVariant(Qt::AlignRight | Qt::AlignVCenter);
  if (role == Qt::ToolTipRole)
    return tr("%1 from %2 to %3: %4")
        .arg(shown.isFused ? tr("Fused") : tr("Not fused"), QString::fromStdString(shown.from),
             QString::fromStdString(shown.to), QString::fromStdString(shown.reason));
  if (role != Qt::DisplayRole)
    return {};
  switch (index.column()) {
  case Fused:
    return fusionText(shown);
  case From:
    return QString::fromStdString(shown.from);
  case To:
    return QString::fromStdString(shown.to);
  case Bytes:
    return QString::fromStdString(bytesText(shown.bytes));
  case Reason:
    return QString::fromStdString(shown.reason);
  default:
    return {};
  }
}

QVariant ModelEdges::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
    return {};
  static const QStringList kTitles{tr("Fusion"), tr("From"), tr("To"), tr("Bytes"), tr("Why")};
  return kTitles.value(section);
}

} // namespace tilescope::views
