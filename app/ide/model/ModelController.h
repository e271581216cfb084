// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#pragma once

#include "app/ide/compile/CompileController.h"
#include "app/ide/model/ModelBackend.h"
#include "views/model/ModelView.h"
#include "views/model/TimelinePicture.h"

#include <functional>
#include <map>

namespace tilescope::app {

/// Where a text with generated kernels came from.
struct ModelOrigin {
  QString path;
  /// Nothing: they were not known yet.
  std::optional<ModelExtents> extents;
  /// What the user wants of edges.
  std::vector<compiler::FusionChoice> fusions = {};
  bool operator==(const ModelOrigin &) const = default;
};

/// The models of open files: each is shown while the text with its kernels is in front. The chosen
/// kernel is that of the launch that the document is about, so the model, the editor and all that
/// follows the document are about one and the same.
class ModelController : public QObject {
  Q_OBJECT
public:
  ModelController(ModelBackend *backend, CompileController *compile, QWidget *window);

  views::ModelView *view() const { return m_view; }
  /// Where models run for their times; without it, on this processor.
  void setPlace(std::function<RunPlace()> place) { m_place = std::move(place); }
  /// Reads the model whose kernels a file holds, or is to hold.
  void open(const QObject *file, const ModelOrigin &origin);
  /// Nothing: the file is of no model.
  std::optional<ModelOrigin> origin(const QObject *file) const;
  /// The file in front; null: none.
  void setFront(const QObject *file);
  void forget(const QObject *file);
  /// Whether a text is one that was generated for the file, and not edited since.
  bool isGenerated(const QObject *file, const std::string &text) const;
  /// What is wrong with the model of a file. The model is added to the files that ranges point into.
  std::vector<compiler::Diagnostic> diagnostics(const QObject *file,
                                                std::vector<compiler::SourceFile> &files) const;

Q_SIGNALS:
  /// Kernels for a file, the first or, with `isAnew`, others in their place.
  void generated(const QObject *file, const QString &text, bool isAnew);
  /// All is known of a file's model, or it is known that it cannot be read.
  void settled(const QObject *file);
  /// A launch of the file in front is to be in the editor; `goesThere`: with the keyboard.
  void launchWanted(int block, bool goesThere);
  void originChanged();

private:
  struct Entry {
    /// Of the model for a request of this number.
    ChosenModel chosenModel(uint64_t ofRequest) const;

    ModelOrigin origin;
    /// Of the request under way or waiting; 0: none.
    uint64_t number = 0;
    views::ShownModelPointer model;
    std::vector<views::ModelExtent> extents;
    /// What was generated before, and what was now.
    std::string before, text;
    /// About the worker.
    QString failure;
    /// Of the check under way; 0: none. What it has come to, or what came of it.
    uint64_t check = 0;
    QString verdict;
    bool isVerdictFault = false;
    /// What it is about: an edit makes it void.
    std::string checkedText;
    /// Of choices of fusions; nothing: there are none, or they cannot be obeyed.
    std::optional<FusionVariants> variants;
    /// Of the measurement under way, and how far it is.
    uint64_t measurement = 0;
    QString measured;
    /// Of the run under way for its times; 0: none. What it has come to, or what came of it.
    uint64_t timing = 0;
    QString times;
    bool areTimesFault = false;
    std::vector<views::TimelineSpan> spans;
    /// What was measured, and what its steady runs took, in microseconds; 0: nothing was.
    std::string timedText;
    double steadyUs = 0;
    /// The same of the text before.
    double beforeUs = 0;
    /// The edge that was chosen last: the view goes there when the model has been planned again.
    QString edge;
  };
  std::string target() const;
  void request(const QObject *file, Entry &entry);
  void take(uint64_t number, const Result<OpenedModelPointer> &opened);
  void keep(const QObject *file, Entry &entry, const OpenedModel &opened);
  void replan(const std::vector<views::ModelExtent> &extents);
  void showFront();
  void followDocument();
  void choose(int kernel, bool goesThere);
  void check();
  void chooseFusion(const QString &edge, compiler::FusionWish wish);
  void undoFusions();
  void measureFusions();
  void noteMeasuring(uint64_t number, int done, int total);
  void takeVariants(uint64_t number, const Result<FusionVariants> &variants);
  void showVariants(const Entry &entry);
  void showChosenEdge(Entry &entry);
  void connectFusions();
  void measureTimes();
  void noteTiming(uint64_t number, MeasuringPhase phase, int done, int total);
  void takeTimes(uint64_t number, const Result<ModelBench> &bench);
  void showTimes(const Entry &entry);
  void connectTimes();
  /// The measurements of a model that is another one now, or is run for something else.
  static void dropMeasurements(Entry &entry);
  void noteChecking(uint64_t number, int done, int total);
  void takeVerdict(uint64_t number, const Result<ModelVerdict> &verdict);
  /// The one of a check that is under way; null: it is of no file any more.
  Entry *checked(uint64_t number);

  ModelBackend *m_backend;
  CompileController *m_compile;
  views::ModelView *m_view;
  std::map<const QObject *, Entry> m_entries;
  const QObject *m_front = nullptr;
  uint64_t m_lastNumber = 0;
  std::function<RunPlace()> m_place;
};

} // namespace tilescope::app
