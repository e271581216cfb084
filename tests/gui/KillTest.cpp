// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// Somebody types, and the program is killed: again and again, over the same session.
#include "app/ide/session/SessionStore.h"
#include "tests/gui/KeptTexts.h"
#include "tests/gui/TypedState.h"
#include "tests/support/Sanitized.h"

#include <QProcess>
#include <QTemporaryDir>
#include <QtTest/QtTest>

#include <catch2/catch.hpp>
#include <iostream>
#include <random>

using namespace tilescope;
using namespace tilescope::app;
using namespace tilescope::tests;

static constexpr int kNumRounds = 200;
/// Sessions that are typed into at the same time.
static constexpr int kNumDesks = 4;
/// A log begins with the texts before the first key.
static constexpr qsizetype kNumTexts = 2;
static constexpr int64_t kMaxLostNs = int64_t{2'000'000'000} * kSlowdown;

namespace {

/// One session, killed over and over.
class Desk {
public:
  explicit Desk(uint32_t seed) : m_random(seed) {
    QFile file(at("kernel.py"));
    REQUIRE(file.open(QIODevice::WriteOnly));
    file.write("a = 1\n");
  }

  void begin() {
    m_log = QStringLiteral("%1-%2").arg(at("log")).arg(m_round++);
    m_process.setProcessChannelMode(QProcess::ForwardedChannels);
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("XDG_RUNTIME_DIR"), m_folder.path());
    m_process.setProcessEnvironment(environment);
    m_process.start(QStringLiteral(TYPIST_PROGRAM),
                    {at("session"), at("kernel.py"), m_log, QString::number(m_random())});
    REQUIRE(m_process.waitForStarted());
    m_startNs = monotonicNs();
    m_diesEarly = m_random() % 8 == 0;
    m_lifeMs = static_cast<int>(m_random() % 600);
    m_lifeKeys = static_cast<qsizetype>(m_random() % 30);
  }

  /// When its time has come: kills it, checks what is left, and begins again.
  bool step() {
    REQUIRE(m_process.state() != QProcess::NotRunning);
    // Mostly while it types, sometimes while it starts.
    const bool isTime = m_diesEarly ? monotonicNs() - m_startNs > m_lifeMs * 1'000'000ll
                                    : TypedLog(m_log).size() - kNumTexts > m_lifeKeys;
    if (!isTime)
      return false;
    m_process.kill();
    const int64_t killNs = monotonicNs();
    REQUIRE(m_process.waitForFinished(10000));
    check(killNs);
    begin();
    return true;
  }

  void end() {
    m_process.kill();
    m_process.waitForFinished(10000);
  }

  int64_t longestLossNs() const { return m_longestLossNs; }
  qsizetype numKeys() const { return m_numKeys; }

private:
  QString at(const char *name) const { return m_folder.filePath(QString::fromLatin1(name)); }

  void check(int64_t killNs) {
    const TypedLog log(m_log);
    m_numKeys += std::max<qsizetype>(log.size() - kNumTexts, 0);
    // In a copy: looking at a session starts the program.
    const QTemporaryDir copy;
    copyFolder(at("session"), copy.path());
    auto store = SessionStore::open(copy.path());
    REQUIRE((store && *store));
    const SessionStore::Loaded loaded = (*store)->load();
    CAPTURE(m_log.toStdString(), log.size(), loaded.notes.join(u'\n').toStdString());
    CHECK(loaded.notes.isEmpty());
    for (bool isUntitled : {false, true}) {
      CAPTURE(isUntitled, loaded.pages.size(), loaded.session.files.size());
      checkStart(log, isUntitled);
      checkText(log, isUntitled, textOf(loaded, isUntitled), killNs);
    }
    m_saved = textDigest(contents(at("kernel.py")).toStdString());
  }

  /// What was left of the round before is what this one began with; or what was saved, when it was
  /// killed before it could write down that it had saved.
  void checkStart(const TypedLog &log, bool isUntitled) {
    for (qsizetype i = 0; i < log.size(); ++i)
      if (log.at(i).isUntitled == isUntitled) {
        // Which states of the life before are the ones that differ.
        const auto lives = before(isUntitled);
        const auto began = std::ranges::find(lives, log.at(i).digest) - lives.begin();
        const auto left =
            m_left[isUntitled] ? std::ranges::find(lives, *m_left[isUntitled]) - lives.begin() : -1;
        CAPTURE(i, m_saved, lives.size(), began, left);
        if (m_left[isUntitled] && (isUntitled || log.at(i).digest != m_saved))
          CHECK(log.at(i).digest == *m_left[isUntitled]);
        return;
      }
  }

  /// Digests of a text in the life before this one, in order.
  std::vector<uint64_t> before(bool isUntitled) const {
    std::vector<uint64_t> digests;
    const TypedLog log(QStringLiteral("%1-%2").arg(at("log")).arg(m_round - 2));
    for (qsizetype i = 0; i < log.size(); ++i)
      if (log.at(i).isUntitled == isUntitled)
        digests.push_back(log.at(i).digest);
    return digests;
  }

  static std::optional<std::string> textOf(const SessionStore::Loaded &loaded, bool isUntitled) {
    for (const auto &[id, page] : loaded.pages)
      if (page.disk.path.isEmpty() == isUntitled)
        return page.history.text();
    return std::nullopt;
  }

  /// Any text typed after the surviving text must be less than two seconds old. A text without a
  /// journal is as it was opened: what is on disk, or nothing but the first state.
  void checkText(const TypedLog &log, bool isUntitled, const std::optional<std::string> &text,
                 int64_t killNs) {
    if (text)
      m_left[isUntitled] = textDigest(*text);
    int64_t firstLostNs = killNs;
    qsizetype i = log.size() - 1;
    for (; i >= 0; --i) {
      const TypedState &state = log.at(i);
      if (state.isUntitled != isUntitled)
        continue;
      if (text ? state.digest == *m_left[isUntitled] : isAsOpened(log, i))
        break;
      firstLostNs = state.timeNs;
    }
    m_longestLossNs = std::max(m_longestLossNs, killNs - firstLostNs);
    // The state that survived, or -1.
    CAPTURE(i, text.has_value());
    CHECK(killNs - firstLostNs <= kMaxLostNs);
  }

  bool isAsOpened(const TypedLog &log, qsizetype index) const {
    const TypedState &state = log.at(index);
    if (!state.isUntitled && state.digest == textDigest(contents(at("kernel.py")).toStdString()))
      return true;
    for (qsizetype i = 0; i < index; ++i)
      if (log.at(i).isUntitled == state.isUntitled)
        return log.at(i).digest == state.digest;
    return true;
  }

  QTemporaryDir m_folder;
  std::mt19937 m_random;
  QProcess m_process;
  QString m_log;
  /// Digests of the two texts after the last kill.
  std::optional<uint64_t> m_left[2];
  uint64_t m_saved = 0;
  int m_round = 0;
  int m_lifeMs = 0;
  qsizetype m_lifeKeys = 0;
  bool m_diesEarly = false;
  int64_t m_startNs = 0;
  int64_t m_longestLossNs = 0;
  qsizetype m_numKeys = 0;
};

} // namespace

TEST_CASE("at most two seconds of typing are lost, whenever the program is killed", "[gui][kill]") {
  std::vector<std::unique_ptr<Desk>> desks;
  for (uint32_t i = 0; i < kNumDesks; ++i)
    desks.push_back(std::make_unique<Desk>(i));
  for (const auto &desk : desks)
    desk->begin();
  for (int round = 0; round < kNumRounds;)
    for (const auto &desk : desks) {
      round += desk->step();
      QTest::qWait(2);
    }
  int64_t longestNs = 0;
  qsizetype numKeys = 0;
  for (const auto &desk : desks) {
    desk->end();
    longestNs = std::max(longestNs, desk->longestLossNs());
    numKeys += desk->numKeys();
  }
  std::cout << kNumRounds << " kills in " << numKeys << " keys; at most " << longestNs / 1000000
            << " ms of typing lost\n";
  CHECK(numKeys > 5 * kNumRounds);
}
