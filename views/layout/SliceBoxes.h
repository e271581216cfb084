// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/layout/picture/LayoutPicture.h"

#include <QWidget>

class QSpinBox;

namespace tilescope::views {

/// Where a tensor of more than two dimensions is cut: a box for each further dimension, in as many
/// rows as they need. A choice holds while the shape stays.
class SliceBoxes : public QWidget {
  Q_OBJECT
public:
  explicit SliceBoxes(QWidget *parent = nullptr);

  /// Null: no tensor is shown.
  void setTensor(const compiler::LayoutFacts *facts);
  const compiler::TensorSlice &slice() const { return m_slice; }

Q_SIGNALS:
  /// The user cuts elsewhere.
  void sliceChanged();

private:
  QSpinBox *addBox();

  std::vector<QSpinBox *> m_boxes;
  std::vector<int64_t> m_shape;
  compiler::TensorSlice m_slice;
};

} // namespace tilescope::views
