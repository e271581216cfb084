// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
// Where launches run: the CPU, the GPUs of this machine, machines behind ssh.
#include "app/ide/run/RunController.h"
#include "app/remote/SshConfig.h"
#include "views/run/RunView.h"

#include <QInputDialog>

#include <algorithm>

namespace tilescope::app {

static QString text(const std::string &value) { return QString::fromStdString(value); }

void RunController::connectPlaces() {
  views::RunFormView &form = m_view->form();
  m_places.push_back({{}, tr("CPU"), ""});
  updatePlaces();
  connect(m_backend, &RunBackend::devicesFound, this, &RunController::takeDevices);
  connect(m_backend, &RunBackend::machineFound, this, &RunController::takeMachine);
  connect(&form, &views::RunFormView::placeChosen, this, [this](int index) {
    if (static_cast<size_t>(index) < m_places.size())
      choosePlace(static_cast<size_t>(index));
    else
      askForHost();
  });
  connect(&form, &views::RunFormView::executorChosen, this, [this](views::RunExecutor executor) {
    m_executor = executor;
    Q_EMIT executorChanged();
  });
  connect(&form, &views::RunFormView::runRequested, this, &RunController::run);
  connect(&form, &views::RunFormView::cancelRequested, this, &RunController::cancel);
  m_backend->findDevices({RunPlace::Kind::Cuda, 0, ""});
}

/// Those of this machine become places; those of another machine set the target of a known place.
void RunController::takeDevices(const RunPlace &place, const Devices &devices) {
  if (place.kind == RunPlace::Kind::Ssh) {
    for (Place &known : m_places)
      if (known.place == place && static_cast<size_t>(place.device) < devices.size())
        known.target = targetOf(devices[static_cast<size_t>(place.device)]);
    // Not asked once more where the target is none that is supported.
    m_compile->setRunTarget(m_places[m_place].target);
    return updateForm();
  }
  const RunPlace chosen = m_places[m_place].place;
  QStringList names;
  for (size_t i = 0; i < devices.size(); ++i) {
    names << text(devices[i].name);
    m_places.insert(
        m_places.begin() + 1 + static_cast<ptrdiff_t>(i),
        {{RunPlace::Kind::Cuda, devices[i].ordinal, ""}, names.back(), targetOf(devices[i])});
  }
  m_place =
      static_cast<size_t>(std::ranges::find(m_places, chosen, &Place::place) - m_places.begin());
  updatePlaces();
  Q_EMIT devicesFound(names);
}

/// Whatever number a place gives its device, the machine is one.
void RunController::takeMachine(const RunPlace &place, const profiler::Capabilities &machine,
                                const QString &fault) {
  for (Place &known : m_places) {
    if (known.place.kind != RunPlace::Kind::Ssh || known.place.host != place.host)
      continue;
    const auto numDevices = static_cast<int>(machine.devices.size());
    known.summary = fault.isEmpty() ? text(profiler::capabilitiesLine(machine)) : fault;
    known.details = fault.isEmpty() ? text(profiler::capabilitiesText(machine)) : fault;
    if (fault.isEmpty() && numDevices > 0 && known.place.device >= numDevices)
      known.summary = tr("There is no GPU %1: %2").arg(known.place.device).arg(known.summary);
    Q_EMIT machineTold(tr("%1: %2").arg(known.name, known.summary));
  }
  updatePlaces();
}

void RunController::updatePlaces() {
  std::vector<views::RunPlaceEntry> entries;
  for (const Place &place : m_places)
    entries.push_back(
        {place.name, place.place.kind == RunPlace::Kind::Cpu, place.summary, place.details});
  entries.push_back({tr("Over ssh…")});
  m_view->form().setPlaces(entries, static_cast<int>(m_place));
}

/// The kernel is compiled for the GPU that runs it.
void RunController::choosePlace(size_t index) {
  m_place = index;
  updateForm();
  m_view->form().choosePlace(static_cast<int>(index));
  const Place &chosen = m_places[index];
  m_compile->setRunTarget(chosen.target);
  if (chosen.place.kind != RunPlace::Kind::Ssh || !chosen.target.empty())
    return;
  m_places[index].summary = tr("Asking the machine what it can do…");
  Q_EMIT machineTold(tr("%1: %2").arg(m_places[index].name, m_places[index].summary));
  updatePlaces();
  m_backend->findDevices(m_places[index].place);
}

void RunController::setExecutor(views::RunExecutor executor) {
  m_executor = executor;
  m_view->form().setExecutor(executor);
}

QStringList RunController::hosts() const {
  QStringList hosts;
  for (const Place &place : m_places)
    if (place.place.kind == RunPlace::Kind::Ssh)
      hosts << place.name;
  return hosts;
}

void RunController::setHosts(const QStringList &hosts) {
  for (const QString &host : hosts)
    if (const Result<RunPlace> place = parseRunPlace(host.toStdString());
        place && place->kind == RunPlace::Kind::Ssh)
      m_places.push_back({*place, host, ""});
  updatePlaces();
}

/// A dialog that nothing waits for: compiles go on.
void RunController::askForHost() {
  updatePlaces();
  auto *dialog = new QInputDialog(m_view);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setWindowTitle(tr("Run over ssh"));
  dialog->setLabelText(
      tr("A machine with a GPU, as [user@]host or [user@]host/GPU number.\n"
         "ssh must reach it without a password. The runner is copied to it once."));
  QStringList known;
  for (const SshHost &host : sshHosts(sshConfigPath()))
    known << text(host.name);
  if (!known.isEmpty()) {
    dialog->setComboBoxItems(known);
    dialog->setComboBoxEditable(true);
    dialog->setTextValue({});
  }
  connect(dialog, &QInputDialog::textValueSelected, this, &RunController::addHost);
  dialog->open();
}

void RunController::addHost(const QString &host) {
  const QString typed = host.trimmed();
  const Result<RunPlace> parsed = parseRunPlace(
      (typed.startsWith(u"ssh://") ? typed : QStringLiteral("ssh://") + typed).toStdString());
  if (!parsed) {
    m_view->setStatus(text(parsed.error().message), true);
    return Q_EMIT machineTold(text(parsed.error().message));
  }
  auto known = std::ranges::find(m_places, *parsed, &Place::place);
  if (known == m_places.end())
    known = m_places.insert(known, {*parsed, text(runPlaceText(*parsed)), ""});
  choosePlace(static_cast<size_t>(known - m_places.begin()));
  updatePlaces();
  Q_EMIT hostsChanged();
}

} // namespace tilescope::app
