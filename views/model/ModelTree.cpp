// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/model/ModelTree.h"

#include "compiler/support/BytesText.h"
#include "views/model/ModelWords.h"

namespace tilescope::views {

static QString text(std::string_view value) {
  return QString::fromUtf8(value.data(), static_cast<qsizetype>(value.size()));
}

void ModelTree::setModel(ShownModelPointer model) {
  beginResetModel();
  m_model = std::move(model);
  endResetModel();
}

// A row of the first level has the id 0; one below it the number of that row, from 1 on.

QModelIndex ModelTree::index(int row, int column, const QModelIndex &parent) const {
  if (!hasIndex(row, column, parent))
    return {};
  return createIndex(row, column, parent.isValid() ? quintptr(parent.row()) + 1 : quintptr(0));
}

QModelIndex ModelTree::parent(const QModelIndex &index) const {
  return index.isValid() && index.internalId() > 0
             ? createIndex(static_cast<int>(index.internalId() - 1), 0, quintptr(0))
             : QModelIndex();
}

int ModelTree::rowCount(const QModelIndex &parent) const {
  if (!m_model || parent.column() > 0 || (parent.isValid() && parent.internalId() > 0))
    return 0;
  if (parent.isValid())
    return static_cast<int>(m_model->nodesOf(parent.row()).size());
  return m_model->numKernels() + (m_model->nodesOf(m_model->numKernels()).empty() ? 0 : 1);
}

int ModelTree::columnCount(const QModelIndex &) const { return NumColumns; }

int ModelTree::kernelAt(const QModelIndex &index) const {
  if (!index.isValid() || !m_model)
    return -1;
  const int row = index.internalId() > 0 ? static_cast<int>(index.internalId() - 1) : index.row();
  return row < m_model->numKernels() ? row : -1;
}

int ModelTree::nodeAt(const QModelIndex &index) const {
  if (!index.isValid() || index.internalId() == 0)
    return -1;
  const auto &nodes = m_model->nodesOf(static_cast<int>(index.internalId() - 1));
  return static_cast<int>(nodes[static_cast<size_t>(index.row())]);
}

QModelIndex ModelTree::indexOfKernel(int kernel) const { return index(kernel, 0); }

QString ModelTree::kernelText(int kernel, int column) const {
  if (kernel == m_model->numKernels())
    return column == Node ? tr("In no kernel (%1)").arg(m_model->nodesOf(kernel).size())
                          : QString();
  const compiler::ModelKernel &shown = m_model->result().kernels[static_cast<size_t>(kernel)];
  const compiler::ModelSlot *slot = m_model->slotOf(kernel);
  switch (column) {
  case Node:
    return text(shown.launch);
  case Operator:
    return text(modelKernelFormName(shown.form));
  case Shape:
    return slot ? shapeText(slot->tensor) : QString();
  case Type:
    return slot ? text(slot->tensor.elementType) : QString();
  case Kernel:
    return text(shown.function);
  case Bytes:
    return text(bytesText(shown.bytes));
  case Time:
    return m_model->timesUs().empty() ? tr("not known")
                                      : timeText(m_model->timesUs()[static_cast<size_t>(kernel)]);
  default:
    return {};
  }
}

QString ModelTree::nodeText(size_t node, int column) const {
  const compiler::ModelNode &shown = m_model->result().nodes[node];
  const compiler::ModelTensor *made = shown.outputs.empty() ? nullptr : &shown.outputs.front();
  switch (column) {
  case Node:
    return text(shown.name);
  case Operator:
    return text(shown.operatorName);
  case Shape:
    return made ? shapeText(*made) : QString();
  case Type:
    return made ? text(made->elementType) : QString();
  case Kernel:
    return m_model->kernelOf(node) < 0 ? text(m_model->whyInNone(node)) : QString();
  default:
    return {};
  }
}

static QString tensorsText(const std::vector<compiler::ModelTensor> &tensors) {
  QStringList lines;
  for (const compiler::ModelTensor &each : tensors)
    lines << QStringLiteral("%1: %2 [%3]")
                 .arg(text(each.name), text(each.elementType), shapeText(each));
  return lines.join(u'\n');
}

QString ModelTree::tipOf(const QModelIndex &index) const {
  if (const int node = nodeAt(index); node >= 0) {
    const compiler::ModelNode &shown = m_model->result().nodes[static_cast<size_t>(node)];
    QStringList inputs;
    for (const std::string &input : shown.inputs)
      inputs << text(input);
    return tr("%1 (%2)\nreads %3\nmakes %4")
        .arg(text(shown.name), text(shown.operatorName), inputs.join(QStringLiteral(", ")),
             tensorsText(shown.outputs));
  }
  const int kernel = kernelAt(index);
  if (kernel < 0)
    return tr("What the canonical form did away with, and what only computes shapes");
  const compiler::ModelKernel &shown = m_model->result().kernels[static_cast<size_t>(kernel)];
  QString tip = tr("%1\nmoves %2, %L3 operations")
                    .arg(text(shown.launch), text(bytesText(shown.bytes)))
                    .arg(shown.flops);
  if (!m_model->timesUs().empty())
    tip += tr("\nEstimated on %1: a launch, and the longer one of the times that its bytes and its "
              "fp32 operations take")
               .arg(text(m_model->device()));
  return tip;
}

QVariant ModelTree::data(const QModelIndex &index, int role) const {
  if (!index.isValid() || !m_model)
    return {};
  if (role == Qt::TextAlignmentRole && (index.column() == Bytes || index.column() == Time))
    return QVariant(Qt::AlignRight | Qt::AlignVCenter);
  if (role == Qt::ToolTipRole)
    return tipOf(index);
  if (role != Qt::DisplayRole)
    return {};
  const int node = nodeAt(index);
  return node < 0 ? kernelText(index.row(), index.column())
                  : nodeText(static_cast<size_t>(node), index.column());
}

QVariant ModelTree::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal)
    return {};
  if (role == Qt::TextAlignmentRole)
    return QVariant((section == Bytes || section == Time ? Qt::AlignRight : Qt::AlignLeft) |
                    Qt::AlignVCenter);
  if (role != Qt::DisplayRole)
    return {};
  static const QStringList kTitles{tr("Node"),   tr("Operator"), tr("Shape"),   tr("Type"),
                                   tr("Kernel"), tr("Bytes"),    tr("Estimate")};
  return kTitles.value(section);
}

} // namespace tilescope::views
