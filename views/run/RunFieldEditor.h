// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "views/run/RunField.h"

#include <QWidget>

class QComboBox;
class QLineEdit;

namespace tilescope::views {

/// A field of the launch's form.
class RunFieldEditor : public QWidget {
  Q_OBJECT
public:
  explicit RunFieldEditor(const RunField &field, QWidget *parent = nullptr);

  /// Shows another state of the same field. A text that is being typed stays.
  void setField(const RunField &field);
  /// Whether `setField` can show it: the field is the same one and is edited the same way.
  bool fits(const RunField &field) const;
  /// Reports a text that was typed and is not yet finished by Enter or by leaving the field.
  void commit();
  const RunField &field() const { return m_field; }
  /// What there is to say about the value: what is wrong with it, or else where it comes from.
  const QString &note() const { return isWrong() ? m_field.problem : m_field.remark; }
  bool isWrong() const { return !m_field.problem.isEmpty(); }
  /// What it needs to show its text as a whole, in pixels. It grows in steps, so that a form does not
  /// move with every key.
  int widthOfText() const;

Q_SIGNALS:
  void edited(const QStringList &path, const QString &text);
  /// The keys Up (-1) and Down (1) in a field that is typed into.
  void moveRequested(int rows);

protected:
  bool eventFilter(QObject *watched, QEvent *event) override;

private:
  void createInput();
  QWidget *input() const;
  QString toolTipText() const;

  RunField m_field;
  QLineEdit *m_edit = nullptr;
  QComboBox *m_choice = nullptr;
};

} // namespace tilescope::views
