// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include <QStringList>
#include <QWidget>

class QComboBox;
class QLabel;
class QLineEdit;

namespace tilescope::views {

/// One value of the launch that can be edited.
struct RunField {
  /// Its path in the launch block, e.g. `sizes`, `n_rows`.
  QStringList path;
  QString label;
  QString text;
  /// Where the value comes from; shown below it.
  QString remark = {};
  /// False: only shown.
  bool editable = true;
  /// What it is chosen from; empty: it is typed.
  QStringList choices = {};
  /// The problem of the value; replaces the remark.
  QString problem = {};
  /// Stands in the field while it is empty.
  QString placeholder = {};
  /// What the notation of the value means; the tool tip in place of the value.
  QString help = {};
  bool operator==(const RunField &) const = default;
};

/// A field of the launch's form, with what there is to say about its value below it.
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

Q_SIGNALS:
  void edited(const QStringList &path, const QString &text);

protected:
  bool eventFilter(QObject *watched, QEvent *event) override;
  void resizeEvent(QResizeEvent *event) override;

private:
  void createInput();
  void keepNoteWhole();
  QWidget *input() const;

  RunField m_field;
  QLineEdit *m_edit = nullptr;
  QComboBox *m_choice = nullptr;
  QLabel *m_note;
  /// Its form has given it a width.
  bool m_isPlaced = false;
};

} // namespace tilescope::views
