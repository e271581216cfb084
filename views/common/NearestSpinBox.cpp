// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/common/NearestSpinBox.h"

namespace tilescope::views {

/// Beyond this many digits, more are dropped.
static constexpr qsizetype kMostDigits = 18;

bool NearestSpinBox::isTooLarge(const QString &text) const {
  QString digits = text.mid(prefix().size());
  if (digits.endsWith(suffix()))
    digits.chop(suffix().size());
  bool isNumber = false;
  const qlonglong number = locale().toLongLong(digits.trimmed(), &isNumber);
  return isNumber && digits.size() <= kMostDigits && number > maximum();
}

QValidator::State NearestSpinBox::validate(QString &text, int &position) const {
  return isTooLarge(text) ? QValidator::Intermediate : QSpinBox::validate(text, position);
}

void NearestSpinBox::fixup(QString &text) const {
  if (isTooLarge(text))
    text = prefix() + textFromValue(maximum()) + suffix();
  else
    QSpinBox::fixup(text);
}

} // namespace tilescope::views
