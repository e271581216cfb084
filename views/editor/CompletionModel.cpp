// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: Tilescope contributors
#include "views/editor/CompletionModel.h"

#include <QSet>

#include <algorithm>

namespace tilescope::views {

int matchScore(const QString &candidate, const QString &typed) {
  if (typed.isEmpty())
    return 1;
  if (candidate.startsWith(typed))
    return 1000 - static_cast<int>(candidate.size());
  if (candidate.startsWith(typed, Qt::CaseInsensitive))
    return 800 - static_cast<int>(candidate.size());
  qsizetype at = 0;
  for (const QChar c : typed) {
    at = candidate.indexOf(c, at, Qt::CaseInsensitive);
    if (at < 0)
      return 0;
    ++at;
  }
  // The first letter must begin the name or one of its words.
  const qsizetype first = candidate.indexOf(typed[0], 0, Qt::CaseInsensitive);
  const bool wordStart = first == 0 || candidate[first - 1] == u'_';
  return wordStart ? 400 - static_cast<int>(candidate.size()) : 0;
}

static QString fromStd(const std::string &text) { return QString::fromStdString(text); }

namespace {
/// Collects candidates, scores them, and leaves out repeated names.
class Collector {
public:
  explicit Collector(QString typed) : m_typed(std::move(typed)) {}

  void add(Completion completion) {
    const int score = matchScore(completion.label, m_typed);
    if (score == 0 || m_seen.contains(completion.label))
      return;
    m_seen.insert(completion.label);
    m_found.emplace_back(score + m_bonus, std::move(completion));
  }
  void setBonus(int bonus) { m_bonus = bonus; }

  std::vector<Completion> take() {
    std::sort(m_found.begin(), m_found.end(), [](const auto &a, const auto &b) {
      return a.first != b.first ? a.first > b.first : a.second.label < b.second.label;
    });
    std::vector<Completion> result;
    for (auto &entry : m_found)
      result.push_back(std::move(entry.second));
    return result;
  }

private:
  QString m_typed;
  int m_bonus = 0;
  QSet<QString> m_seen;
  std::vector<std::pair<int, Completion>> m_found;
};
} // namespace

/// `tl.sum` for `language.sum` under another alias.
static QString canonical(const QString &name, const ScannedText &scanned) {
  const QString head = name.section(u'.', 0, 0);
  for (const std::string &alias : scanned.languageAliases)
    if (head == fromStd(alias))
      return QStringLiteral("tl") + name.mid(head.size());
  return name;
}

static void addMembers(Collector &collector, const QString &object,
                       const LanguageEntries &language) {
  const QString prefix = object + u'.';
  bool known = false;
  for (const LanguageEntry &entry : language) {
    if (!entry.name.startsWith(prefix))
      continue;
    known = true;
    const QString rest = entry.name.mid(prefix.size());
    if (!rest.contains(u'.'))
      collector.add({rest, rest, entry.signature, entry.documentation, entry.kind});
  }
  if (known)
    return;
  // Anything else is a value: it has the tensor's methods.
  for (const LanguageEntry &entry : language)
    if (entry.kind == LanguageEntry::Kind::Method) {
      const QString name = entry.name.section(u'.', -1);
      collector.add({name, name, entry.signature, entry.documentation, entry.kind});
    }
}

static void addKeywords(Collector &collector, std::string_view text, uint32_t offset,
                        const ScannedText &scanned, const LanguageEntries &language) {
  const CallContext call = callAt(text, offset);
  if (call.callee.empty() || !call.keyword.empty())
    return;
  const QString name = canonical(fromStd(call.callee), scanned);
  for (const LanguageEntry &entry : language)
    if (entry.name == name)
      for (const QString &parameter : entry.parameters)
        collector.add({parameter + u'=',
                       parameter + u'=',
                       QObject::tr("argument of %1").arg(name),
                       {},
                       LanguageEntry::Kind::Keyword});
  for (const ScannedFunction &function : scanned.functions)
    if (function.name == call.callee)
      for (const ScannedParameter &parameter : function.parameters) {
        const QString label = fromStd(parameter.name) + u'=';
        collector.add({label,
                       label,
                       QObject::tr("argument of %1").arg(name),
                       {},
                       LanguageEntry::Kind::Keyword});
      }
}

static void addNames(Collector &collector, uint32_t offset, const ScannedText &scanned,
                     const LanguageEntries &language) {
  using Kind = LanguageEntry::Kind;
  collector.setBonus(20);
  if (const ScannedFunction *function = functionAt(scanned, offset))
    for (const ScannedParameter &parameter : function->parameters)
      collector.add({fromStd(parameter.name),
                     fromStd(parameter.name),
                     parameter.isConstexpr ? QObject::tr("constexpr") : QObject::tr("argument"),
                     {},
                     Kind::Local});
  for (const std::string &name : scanned.assignedNames)
    collector.add({fromStd(name), fromStd(name), {}, {}, Kind::Local});
  collector.setBonus(0);
  for (const ScannedFunction &function : scanned.functions)
    collector.add({fromStd(function.name),
                   fromStd(function.name),
                   function.isKernel ? QObject::tr("kernel") : QObject::tr("function"),
                   {},
                   Kind::Function});
  for (const std::string &alias : scanned.languageAliases)
    collector.add(
        {fromStd(alias), fromStd(alias), QStringLiteral("triton.language"), {}, Kind::Module});
  for (const LanguageEntry &entry : language)
    if (!entry.name.contains(u'.'))
      collector.add({entry.name, entry.name, entry.signature, entry.documentation, entry.kind});
  for (const char *word :
       {"for", "if", "elif", "else", "while", "return", "range", "in", "not", "and", "or", "None",
        "True", "False", "def", "pass", "import", "from", "lambda"}) {
    const QString keyword = QString::fromLatin1(word);
    collector.add({keyword, keyword, {}, {}, Kind::Keyword});
  }
}

std::vector<Completion> completionsAt(std::string_view text, uint32_t offset,
                                      const ScannedText &scanned, const LanguageEntries &language) {
  const CompletionContext context = completionAt(text, offset);
  if (context.inert)
    return {};
  Collector collector(fromStd(context.prefix));
  if (!context.object.empty()) {
    addMembers(collector, canonical(fromStd(context.object), scanned), language);
  } else {
    collector.setBonus(40);
    addKeywords(collector, text, offset, scanned, language);
    addNames(collector, offset, scanned, language);
  }
  return collector.take();
}

void CompletionModel::setCompletions(std::vector<Completion> completions) {
  beginResetModel();
  m_completions = std::move(completions);
  endResetModel();
}

int CompletionModel::rowCount(const QModelIndex &parent) const {
  return parent.isValid() ? 0 : static_cast<int>(m_completions.size());
}

QVariant CompletionModel::data(const QModelIndex &index, int role) const {
  if (!index.isValid() || index.row() >= rowCount())
    return {};
  const Completion &completion = m_completions[index.row()];
  switch (role) {
  case Qt::DisplayRole:
    return completion.label;
  case DetailRole:
    return completion.detail;
  case DocumentationRole:
    return completion.documentation;
  case InsertRole:
    return completion.insert;
  case KindRole:
    return static_cast<int>(completion.kind);
  default:
    return {};
  }
}

} // namespace tilescope::views
