// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
//
// The program itself, started several times over one session.
#include "app/ide/session/Session.h"
#include "app/ide/session/SingleInstance.h"
#include "tests/gui/KeptTexts.h"
#include "tests/gui/Patience.h"

#include <QElapsedTimer>
#include <QProcess>
#include <QTemporaryDir>
#include <QThread>
#include <QtTest/QtTest>

#include <catch2/catch.hpp>
#include <csignal>
#include <fcntl.h>
#include <set>
#include <sys/file.h>
#include <thread>
#include <unistd.h>

using namespace tilescope;
using namespace tilescope::app;
using namespace tilescope::tests;

namespace {

/// Starts of the program with their own home.
struct Home {
  QTemporaryDir folder;
  QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
  std::vector<std::unique_ptr<QProcess>> processes;

  Home() {
    QDir(folder.path()).mkpath(QStringLiteral("run"));
    QFile::setPermissions(at("run"), QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    environment.insert(QStringLiteral("XDG_DATA_HOME"), at("data"));
    environment.insert(QStringLiteral("XDG_RUNTIME_DIR"), at("run"));
    environment.insert(QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("offscreen"));
  }
  ~Home() {
    for (const auto &process : processes) {
      process->kill();
      process->waitForFinished();
    }
  }

  QString at(const char *name) const { return folder.filePath(QString::fromLatin1(name)); }
  QString write(const char *name) {
    QFile file(at(name));
    REQUIRE(file.open(QIODevice::WriteOnly));
    file.write("a = 1\n");
    return at(name);
  }
  QProcess &start(const QStringList &arguments) {
    processes.push_back(std::make_unique<QProcess>());
    QProcess &process = *processes.back();
    process.setProcessEnvironment(environment);
    process.setProcessChannelMode(QProcess::ForwardedChannels);
    process.start(QStringLiteral(TILESCOPE_PROGRAM), arguments);
    REQUIRE(process.waitForStarted());
    return process;
  }
  std::set<std::string> openFiles(const char *session) {
    std::set<std::string> names;
    const QString path = QStringLiteral("%1/tilescope/tilescope/%2/session.json")
                             .arg(at("data"), QString::fromLatin1(session));
    if (const auto read = sessionFromJson(contents(path)))
      for (const SessionFile &file : read->files)
        names.insert(QFileInfo(file.path).fileName().toStdString());
    return names;
  }
  bool becomesOpen(const char *session, const std::set<std::string> &names) {
    return QTest::qWaitFor([&] { return openFiles(session) == names; }, 20000);
  }
};

} // namespace

TEST_CASE("a file on the command line opens besides the session, in the window that is there",
          "[gui][instance]") {
  Home home;
  QProcess &first = home.start({home.write("a.py")});
  REQUIRE(home.becomesOpen("session", {"a.py"}));
  QProcess &second = home.start({home.write("b.py")});
  REQUIRE(second.waitForFinished(20000));
  CHECK(second.exitCode() == 0);
  CHECK(home.becomesOpen("session", {"a.py", "b.py"}));
  CHECK(first.state() == QProcess::Running);

  // Killed: its remains do not block other starts.
  first.kill();
  REQUIRE(first.waitForFinished());
  QProcess &third = home.start({home.write("c.py")});
  CHECK(home.becomesOpen("session", {"a.py", "b.py", "c.py"}));

  // A separate window keeps its own session.
  home.start({QStringLiteral("--separate"), home.write("d.py")});
  CHECK(home.becomesOpen("session-2", {"d.py"}));
  CHECK(home.openFiles("session") == std::set<std::string>{"a.py", "b.py", "c.py"});
  CHECK(third.state() == QProcess::Running);
}

TEST_CASE("a request to end is no crash: the session is kept, and nothing is suspected",
          "[gui][instance]") {
  Home home;
  const QString mark = home.at("data") + QStringLiteral("/tilescope/tilescope/session/running");
  std::set<std::string> names;
  for (const int number : {SIGTERM, SIGHUP}) {
    const char *name = number == SIGTERM ? "a.py" : "b.py";
    QProcess &process = home.start({home.write(name)});
    names.insert(name);
    REQUIRE(home.becomesOpen("session", names));
    CHECK(contents(mark).count('\x01') > 0);
    kill(static_cast<pid_t>(process.processId()), number);
    REQUIRE(process.waitForFinished(20000));
    CHECK(process.exitStatus() == QProcess::NormalExit);
    CHECK(process.exitCode() == 0);
    CHECK(contents(mark).count('\x01') == 0);
    CHECK(home.openFiles("session") == names);
  }
}

TEST_CASE("a window that does not answer keeps its session; another is used", "[gui][instance]") {
  Home home;
  QProcess &first = home.start({home.write("a.py")});
  REQUIRE(home.becomesOpen("session", {"a.py"}));
  kill(static_cast<pid_t>(first.processId()), SIGSTOP);
  home.start({home.write("b.py")});
  CHECK(home.becomesOpen("session-2", {"b.py"}));
  CHECK(home.openFiles("session") == std::set<std::string>{"a.py"});
  kill(static_cast<pid_t>(first.processId()), SIGCONT);
}

TEST_CASE("the session of a process that ends, or was killed, is waited for until it is free",
          "[gui][instance]") {
  QProcess gone;
  gone.start(QStringLiteral("true"), {});
  REQUIRE(gone.waitForStarted());
  const QByteArray number = QByteArray::number(gone.processId());
  REQUIRE(gone.waitForFinished());
  for (const QByteArray &holder : {number, QByteArray("ending")}) {
    INFO(holder.toStdString());
    Home home;
    const QString session = home.at("data") + QStringLiteral("/tilescope/tilescope/session");
    REQUIRE(QDir().mkpath(session));
    // A lock that stays for a while behind its process.
    const int lock = ::open(QFile::encodeName(session + QStringLiteral("/lock")).constData(),
                            O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    REQUIRE(flock(lock, LOCK_EX | LOCK_NB) == 0);
    REQUIRE(write(lock, holder.constData(), static_cast<size_t>(holder.size())) == holder.size());
    home.start({home.write("a.py")});
    QTest::qWait(6000);
    CHECK_FALSE(QFile::exists(session + QStringLiteral("-2")));
    flock(lock, LOCK_UN);
    CHECK(home.becomesOpen("session", {"a.py"}));
    close(lock);
  }
}

TEST_CASE("a session says which process has it, and whether that ends", "[gui][instance]") {
  const QTemporaryDir folder;
  const QString session = folder.filePath(QStringLiteral("session"));
  auto store = SessionStore::open(session);
  REQUIRE((store && *store));
  const QByteArray number = QByteArray::number(QCoreApplication::applicationPid());
  CHECK(contents(session + QStringLiteral("/lock")) == number);
  // A process that lives on is not waited for.
  QElapsedTimer time;
  time.start();
  auto other = openWhenFree(session, kPatienceMs);
  CHECK((other && !*other));
  CHECK(time.elapsed() < 30000);
  announceEnd(session);
  std::thread ending([&] {
    QThread::msleep(300);
    store->reset();
  });
  other = openWhenFree(session, kPatienceMs);
  ending.join();
  REQUIRE((other && *other));
  CHECK(contents(session + QStringLiteral("/lock")) == number);
}
