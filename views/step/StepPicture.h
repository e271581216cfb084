// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "compiler/artifacts/StepState.h"
#include "views/common/PictureExport.h"
#include "views/common/tensor/TensorDigest.h"

#include <QThreadPool>
#include <QWidget>

#include <optional>
#include <stop_token>

class QComboBox;
class QLabel;
class QStackedWidget;
class QToolButton;

namespace tilescope::views {

class ElidedLabel;
class HeatMap;
class Histogram;
class NumberTable;
class TensorModel;

/// One value of a stopped program: as a table of numbers, as a heat map, as a histogram, or, by
/// the Layout view, in its layout. What is drawn is made on another thread.
class StepPicture : public QWidget {
  Q_OBJECT
public:
  explicit StepPicture(QWidget *parent = nullptr);
  ~StepPicture() override;

  /// Nothing is chosen, or the chosen value is not there (yet).
  void clear(const QString &why);
  /// Without data: the contents are those that are shown. One address is told in words.
  void setBlock(const compiler::StepBlock &block);
  /// Of what is shown; 0: nothing is.
  uint64_t version() const { return m_version; }
  bool isDrawn() const { return m_digest != nullptr; }
  QString titleText() const;
  /// As it is shown; `where` the program has stopped.
  ExportedPicture exported(const QString &where) const;
  QComboBox &modeField() { return *m_mode; }
  TensorModel &tableModel() { return *m_model; }

Q_SIGNALS:
  void drawn();
  /// The layout of the value that a line of the stage computes.
  void layoutRequested(int stageLine);
  void exportRequested();

private:
  void createWidgets();
  void showAddress(const compiler::StepBlock &block);
  void digest(profiler::Tensor tensor, const profiler::Unwritten &undefined);
  void show(const TensorDigestPointer &digest);
  void showElement(qint64 element);

  uint64_t m_version = 0;
  int m_stageLine = -1;
  QString m_name;
  QString m_argument;
  TensorDigestPointer m_digest;
  QThreadPool m_pool;
  std::stop_source m_stop;
  ElidedLabel *m_title;
  QComboBox *m_mode;
  QToolButton *m_layoutButton;
  QStackedWidget *m_stack;
  NumberTable *m_table;
  TensorModel *m_model;
  HeatMap *m_heatMap;
  Histogram *m_histogram;
  QLabel *m_empty;
  ElidedLabel *m_facts;
};

} // namespace tilescope::views
