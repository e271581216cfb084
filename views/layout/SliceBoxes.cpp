// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/layout/SliceBoxes.h"

#include "views/common/FlowLayout.h"
#include "views/common/NearestSpinBox.h"

#include <QSpinBox>

#include <utility>

namespace tilescope::views {

SliceBoxes::SliceBoxes(QWidget *parent) : QWidget(parent) {
  auto *rows = new FlowLayout(this);
  rows->setContentsMargins(0, 0, 0, 0);
  hide();
}

void SliceBoxes::setTensor(const compiler::LayoutFacts *facts) {
  const std::vector<int64_t> shape = facts ? facts->shape : std::vector<int64_t>();
  if (std::exchange(m_shape, shape) == shape)
    return;
  m_slice = facts ? compiler::defaultSlice(compiler::LayoutMap(*facts)) : compiler::TensorSlice();
  const size_t numBoxes = shape.size() > 2 ? shape.size() - 2 : 0;
  while (m_boxes.size() < numBoxes)
    m_boxes.push_back(addBox());
  for (size_t dim = 0; dim < m_boxes.size(); ++dim) {
    const QSignalBlocker blocker(m_boxes[dim]);
    m_boxes[dim]->setRange(0, dim < numBoxes ? static_cast<int>(shape[dim]) - 1 : 0);
    m_boxes[dim]->setValue(0);
    m_boxes[dim]->setVisible(dim < numBoxes);
  }
  setVisible(numBoxes > 0);
}

QSpinBox *SliceBoxes::addBox() {
  const size_t dim = m_boxes.size();
  auto *box = new NearestSpinBox(this);
  box->setPrefix(tr("dim %1: ").arg(dim));
  layout()->addWidget(box);
  connect(box, &QSpinBox::valueChanged, this, [this, dim](int value) {
    m_slice.fixed[dim] = value;
    Q_EMIT sliceChanged();
  });
  return box;
}

} // namespace tilescope::views
