// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <QSpinBox>

namespace tilescope::views {

/// A field for one of so many. A number that is too large becomes the largest when it is entered, where
/// Qt's field drops the digit that makes it so: of 600 it would take 60.
class NearestSpinBox : public QSpinBox {
  Q_OBJECT
public:
  using QSpinBox::QSpinBox;

protected:
  QValidator::State validate(QString &text, int &position) const override;
  void fixup(QString &text) const override;

private:
  bool isTooLarge(const QString &text) const;
};

} // namespace tilescope::views
