// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "views/common/FocusState.h"
#include "views/common/PictureView.h"
#include "views/registers/RegistersContent.h"

class QComboBox;
class QTableView;
class QToolButton;

namespace tilescope::views {

class AliveModel;
class ElidedLabel;
class LiveStrip;
class Scrubber;

/// How many registers are alive where in the machine code or in PTX, which values they hold at the
/// chosen instruction, and how many programs fit on a multiprocessor, as compiled or as tried.
class RegistersView : public PictureView {
  Q_OBJECT
public:
  RegistersView(FocusState *focus, QWidget *parent = nullptr);

  void setContent(RegistersContentPointer content);
  void clear(const QString &why, bool offersBlock = false) override;
  bool hasContent() const override { return m_content != nullptr; }
  bool canExport() const override { return m_content != nullptr; }

  compiler::StageId stage() const;
  void setStage(compiler::StageId stage);
  /// The instruction whose values are listed.
  int step() const { return m_step; }
  void setStep(int step);
  void showPeak();
  /// Something else than the compiled kernel takes is tried.
  bool isTried() const;
  void showCompiled();

  QString titleText() const;
  QString relationText() const;
  QString occupancyText() const;
  LiveStrip &strip() { return *m_strip; }
  AliveModel &alive() { return *m_alive; }
  QTableView &table() { return *m_table; }
  QComboBox &stages() { return *m_stages; }
  Scrubber &registers() { return *m_registers; }
  Scrubber &sharedMemory() { return *m_shared; }
  Scrubber &warps() { return *m_warps; }

protected:
  void resizeEvent(QResizeEvent *event) override;
  void changeEvent(QEvent *event) override;

private:
  QWidget *createFields();
  QWidget *createPicture();
  void connectState();
  const RegistersContent::Code &code() const { return m_content->code(stage()); }
  void fillStages();
  void showCode();
  void follow();
  void goToRow(int row);
  void pointAt(int step);
  void updateTitle();
  QString limitWords() const;
  void updateOccupancy();
  QString stepText(int step) const;
  ExportedPicture exported() const override;

  FocusState *m_focus;
  QComboBox *m_stages;
  Scrubber *m_registers, *m_shared, *m_warps;
  QToolButton *m_reset;
  ElidedLabel *m_title, *m_relation, *m_occupancy;
  LiveStrip *m_strip;
  QTableView *m_table;
  AliveModel *m_alive;

  RegistersContentPointer m_content;
  int m_step = -1;
};

} // namespace tilescope::views
