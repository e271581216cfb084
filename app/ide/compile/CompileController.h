// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/document/KernelDocument.h"
#include "app/ide/compile/CompileBackend.h"
#include "app/ide/compile/KeptResults.h"
#include "app/ide/compile/ShownPlaces.h"

#include <QElapsedTimer>

#include <map>
#include <set>

namespace tilescope::app {

/// Keeps the document that the window is about, asks for a compile of each new one, and passes on
/// what comes back for the newest. GUI thread.
class CompileController : public QObject {
  Q_OBJECT
public:
  explicit CompileController(CompileBackend *backend, QObject *parent = nullptr);

  /// A text as its editor has it.
  struct EditedText {
    QString path;
    std::string text;
    Position cursor;
    /// The text as its editor has read it; null: it is still to be read.
    const compiler::ast::EditorDocument *read = nullptr;
    /// Of a text without a file.
    QString title = {};
  };
  /// Shows the text of an open file, which `file` stands for; compiles it unless nothing changed.
  /// The choice for the file stays, unless the cursor means another kernel.
  void setText(const QObject *file, EditedText edited);
  /// No file is open.
  void clear();
  /// The open file that the document is of; null before the first.
  const QObject *file() const { return m_file; }
  /// Null before the first text.
  const DocumentPointer &document() const { return m_document; }

  /// Chooses for an open file, whether its text is shown already or not. A cursor that stays at
  /// `cursor` does not mean another kernel.
  void prepareChoice(const QObject *file, const KernelChoice &choice,
                     std::optional<Position> cursor = std::nullopt);
  /// What is chosen for an open file.
  KernelChoice choice(const QObject *file) const;
  /// Chooses for the current file. Of a kernel that was left, launch and configuration are those that
  /// were chosen for it, unless the choice states others.
  void setChoice(const KernelChoice &choice);
  /// Chooses the kernel or launch that the cursor has come into, unless the choice is pinned.
  void followCursor(Position position);
  /// The same where the cursor is: a pin may have kept another kernel.
  void followKnownCursor();
  /// The target that the user chose last; compiled for where no GPU decides.
  void setChosenTarget(const std::string &target);
  const std::string &chosenTarget() const { return m_chosenTarget; }
  /// The target of the GPU that Run would use, `cuda:90` and the like; empty when it uses none or
  /// the target is not known. It is compiled for before any chosen one.
  void setRunTarget(const std::string &target);
  const std::string &runTarget() const { return m_runTarget; }
  /// Where imported kernels are looked up, whatever else is chosen.
  void setImportFolders(const std::vector<std::string> &folders);
  /// Texts of open files that are not saved, by their paths; counts from the next document on.
  void setOpenTexts(std::map<std::string, std::string> texts);
  const std::map<std::string, std::string> &openTexts() const { return m_settings.openTexts; }
  /// A file that the document imports is another one: makes a document of the same text.
  void takeImports();

  /// Stages whose text some view shows.
  void setWantedStages(const std::set<compiler::StageId> &stages);
  /// Whether `viewer` shows the IR after passes: it is recorded as long as any does.
  void setPassIrWanted(const QObject *viewer, bool wanted);
  void recompile();
  /// The user waits for another compile: cuts this one short, and passes over what still arrives of it, until `resume` or
  /// the next document begins it anew.
  void giveWay();
  bool hasGivenWay() const { return m_hasGivenWay; }
  /// Does nothing unless it has given way.
  void resume();

  /// What the backend was asked last.
  const compiler::CompileRequest &request() const { return m_request; }
  /// Of the document's file and kernel, be it of an earlier text; null: nothing is known yet.
  const CorrelationPointer &latest() const { return m_latest; }
  /// Whether `latest()` was kept from an earlier visit to this file or kernel: nothing has been
  /// compiled since.
  bool isRestored() const { return m_isRestored; }
  /// What `latest()` was made of.
  const DocumentPointer &latestDocument() const { return m_latestDocument; }
  /// Between the text in the editor and the one that views show.
  const ShownPlaces &places() const { return m_places; }
  /// What is wrong with the launch block of the document, once the worker has looked.
  std::vector<compiler::Diagnostic> launchDiagnostics() const;
  /// Whether `latest()` is of the document as it is now.
  bool isCurrent() const;
  bool isRunning() const { return m_running; }
  /// Time since the edit that the newest compile is for.
  int64_t elapsedNs() const { return m_sinceEdit.nsecsElapsed(); }

Q_SIGNALS:
  /// There is a new document: other text, file, choice or target.
  void documentChanged(const tilescope::app::DocumentPointer &document);
  /// The new document is of another file or kernel; `kept`: the last good result of it, if any.
  void subjectChanged(const tilescope::app::CorrelationPointer &kept);
  /// The same kernel is compiled for another launch, configuration or target.
  void choiceChanged();
  /// The chosen configuration is no longer among those of the text: nothing is chosen any more.
  void configurationLost();
  void started();
  /// Part of the newest result, and with `done` all of it.
  void resultChanged(const tilescope::app::CorrelationPointer &result, bool done);

private:
  void take(const CorrelationPointer &result, bool done);
  /// What was chosen for a kernel when the user went to another one of its file.
  struct Left {
    KernelChoice choice = {};
    /// Position of the launch block that it meant.
    int launch = -1;
    std::optional<std::vector<std::pair<std::string, std::string>>> replaced = std::nullopt;
  };
  /// What the user chose for a file, with the cursor that was followed last.
  struct Chosen {
    KernelChoice choice = {};
    std::optional<Position> cursor = std::nullopt;
    /// `KernelDocument::replacedValues` when the launch block could be read last.
    std::optional<std::vector<std::pair<std::string, std::string>>> replaced = std::nullopt;
    /// Where the chosen configuration was found last, and among how many.
    std::optional<std::pair<size_t, size_t>> place = std::nullopt;
    /// By the names of the kernels.
    std::map<std::string, Left> left = {};
  };
  void followConfiguration();
  void dropEditedConfiguration(const KernelDocument &draft, Chosen &chosen);
  KernelChoice comeBack(const KernelDocument &current, KernelChoice meant);
  Chosen &chosenOf(const QObject *file);
  KernelChoice &choiceOf(const QObject *file) { return chosenOf(file).choice; }
  void makeCurrent(std::shared_ptr<const KernelSource> source, KernelChoice choice);
  void rememberKernel();
  bool isOtherSubject(const KernelDocument &before) const;
  void restore();
  void updateSettings();
  void submit();

  CompileBackend *m_backend;
  const QObject *m_file = nullptr;
  DocumentPointer m_document;
  /// By open file.
  std::map<const QObject *, Chosen> m_choices;
  DocumentSettings m_settings;
  std::string m_chosenTarget;
  std::string m_runTarget;
  uint64_t m_revision = 0;
  compiler::CompileRequest m_request;
  compiler::WantedParts m_wanted;
  /// What the newest request was made for.
  compiler::WantedParts m_asked;
  std::set<const QObject *> m_passViewers;
  CorrelationPointer m_latest;
  /// What `m_latest` was made of.
  DocumentPointer m_latestDocument;
  bool m_isRestored = false;
  /// The file of the document before; null: none.
  const QObject *m_fileBefore = nullptr;
  KeptResults m_kept;
  ShownPlaces m_places;
  QElapsedTimer m_sinceEdit;
  bool m_running = false;
  bool m_hasGivenWay = false;
};

} // namespace tilescope::app
