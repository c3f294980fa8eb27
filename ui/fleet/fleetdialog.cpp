// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/fleet/fleetdialog.h"

#include "core/fleet/fleetcaptures.h"
#include "core/text/shorttext.h"
#include "ui/files/workbar.h"
#include "ui/fleet/fleettables.h"
#include "ui/style/readablesize.h"
#include "ui/style/text.h"
#include "ui/style/theme.h"

#include <QComboBox>
#include <QDir>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSplitter>
#include <QVBoxLayout>

#include <utility>

namespace jetscope {

namespace {

QComboBox *makeBuilds(const QString &name)
{
    auto *combo = new QComboBox;
    combo->setAccessibleName(name);
    combo->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    combo->setMinimumContentsLength(12);
    return combo;
}

/// One line of text: labels cut long ones otherwise.
QLabel *makeWords()
{
    auto *label = new QLabel;
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

std::string sideOf(const QComboBox &builds)
{
    return "commit=" + builds.currentData().toString().toStdString();
}

/// The two captures of the row, where they are now.
struct FoundPair {
    QString a;
    QString b;
};

Result<FoundPair> findCaptures(const std::string &path, const FleetComparison &comparison, const FleetResult &result,
                               const std::string &board, Progress &progress)
{
    JETSCOPE_TRY_ASSIGN(const FleetFolder folder, FleetFolder::open(path));
    JETSCOPE_TRY_ASSIGN(const CapturePair pair, capturesOf(folder, comparison, result, board, progress));
    JETSCOPE_TRY_ASSIGN(const std::string a, findCapture(folder, pair.a));
    JETSCOPE_TRY_ASSIGN(const std::string b, findCapture(folder, pair.b));
    return FoundPair{toQString(a), toQString(b)};
}

/// Whether there are files to compare; what is in them is not read.
Status checkCaptures(const std::string &path, const FleetComparison &comparison, const FleetResult &result,
                     const std::string &board, Progress &progress)
{
    JETSCOPE_TRY_ASSIGN(const FleetFolder folder, FleetFolder::open(path));
    JETSCOPE_TRY_ASSIGN(const CapturePair pair, capturesOf(folder, comparison, result, board, progress));
    JETSCOPE_TRY(checkCapture(folder, pair.a));
    return checkCapture(folder, pair.b);
}

} // namespace

FleetDialog::FleetDialog(QWidget *parent)
    : QDialog(parent),
      m_old(makeBuilds(tr("Old build"))),
      m_new(makeBuilds(tr("New build"))),
      m_words(makeWords()),
      m_strata(new StrataTable),
      m_boardsTitle(makeWords()),
      m_boards(new BoardsTable),
      m_pairWords(makeWords()),
      m_pair(new QPushButton(tr("Compare captures")))
{
    setObjectName(QStringLiteral("fleetDialog"));
    m_job.setCancelHelp(tr("Ends the reading; the folder stays as it is"));
    m_words->setObjectName(QStringLiteral("fleetWords"));
    makeParts();
    connect(m_old, &QComboBox::activated, this, &FleetDialog::compare);
    connect(m_new, &QComboBox::activated, this, &FleetDialog::compare);
    connect(m_strata, &StrataTable::currentChanged, this, &FleetDialog::showBoards);
    connect(m_boards, &BoardsTable::currentChanged, this, &FleetDialog::showPair);
    connect(m_strata, &StrataTable::opened, this, &FleetDialog::findPair);
    connect(m_boards, &BoardsTable::opened, this, &FleetDialog::findPair);
    connect(m_pair, &QPushButton::clicked, this, &FleetDialog::findPair);
    clear();
}

FleetDialog::~FleetDialog()
{
    m_job.disconnect();
}

void FleetDialog::makeParts()
{
    const auto label = [](const QString &text, QWidget *of) {
        auto *made = new QLabel(text);
        made->setBuddy(of);
        return made;
    };
    auto *head = new QHBoxLayout;
    head->addWidget(label(tr("&Old build"), m_old));
    head->addWidget(m_old);
    head->addWidget(label(tr("&New build"), m_new));
    head->addWidget(m_new);
    head->addStretch(1);
    auto *lower = new QWidget;
    auto *lowerColumn = new QVBoxLayout(lower);
    lowerColumn->setContentsMargins(0, 0, 0, 0);
    lowerColumn->addWidget(m_boardsTitle);
    lowerColumn->addWidget(m_boards, 1);
    auto *split = new QSplitter(Qt::Vertical);
    split->addWidget(m_strata);
    split->addWidget(lower);
    split->setChildrenCollapsible(false);
    split->setStretchFactor(0, 2);
    split->setStretchFactor(1, 3);
    auto *ends = new QHBoxLayout;
    ends->addWidget(m_pairWords, 1);
    ends->addWidget(m_pair);
    auto *column = new QVBoxLayout(this);
    column->addLayout(head);
    column->addWidget(m_words);
    column->addWidget(new WorkBar(m_job));
    column->addWidget(split, 1);
    column->addLayout(ends);
    for (QPushButton *button : findChildren<QPushButton *>(QString()))
        button->setAutoDefault(false); // Enter in a table opens its row, and does not cancel that.
    new ReadableSize(*this);
    resize(72 * fontMetrics().height(), 46 * fontMetrics().height());
}

QString FleetDialog::words() const
{
    return m_words->text();
}

QString FleetDialog::boardsTitle() const
{
    return m_boardsTitle->text();
}

void FleetDialog::say(const QString &words, bool isBad)
{
    m_words->setText(words);
    QPalette colors = palette();
    if (isBad)
        colors.setColor(QPalette::WindowText, theme().bad);
    m_words->setPalette(colors);
}

void FleetDialog::tell(const Error &error)
{
    say(wasCancelled(error) ? tr("The reading was cancelled.")
                            : tr("There is no verdict: %1.").arg(toQString(error.text)));
}

void FleetDialog::clear()
{
    m_answer.reset();
    m_strata->clear();
    m_boards->clear();
    m_boardsTitle->clear();
    showPair();
}

/// A job that runs is cancelled first: what it reads is no longer wanted.
void FleetDialog::begin(const QString &what, BackgroundJob::Work work)
{
    const auto start = [this, what, work = std::move(work)] {
        m_job.start(what, [this, work](OpenProgress &progress) -> std::function<void()> {
            const std::function<void()> finish = work(progress);
            return [this, finish] {
                if (const auto next = std::exchange(m_next, nullptr))
                    next();
                else
                    finish();
            };
        });
    };
    if (!m_job.isRunning()) {
        start();
        return;
    }
    m_next = start;
    m_job.cancel();
}

void FleetDialog::open(const QString &folder)
{
    m_folder = folder;
    setWindowTitle(tr("Fleet %1").arg(QFileInfo(QDir(folder).absolutePath()).fileName()));
    clear();
    m_old->clear();
    m_new->clear();
    say(tr("Reading %1").arg(folder));
    begin(tr("Looking which builds ran"), [this, path = folder.toStdString()](OpenProgress &progress) {
        const auto read = [&]() -> Result<std::vector<FleetBuild>> {
            JETSCOPE_TRY_ASSIGN(const FleetFolder opened, FleetFolder::open(path));
            return buildsOf(opened, progress);
        };
        const Result<std::vector<FleetBuild>> builds = read();
        return [this, builds] {
            if (m_job.isCancelled()) // Or it was done before it noticed.
                tell(cancelledError());
            else if (builds.ok())
                takeBuilds(builds.value());
            else
                tell(builds.error());
        };
    });
}

void FleetDialog::takeBuilds(const std::vector<FleetBuild> &builds)
{
    for (QComboBox *combo : {m_old, m_new})
        for (const FleetBuild &build : builds)
            combo->addItem(build.commit.empty() ? tr("(no name)") : toQString(build.commit), toQString(build.commit));
    if (builds.empty()) {
        say(tr("The folder has no runs: nothing was recorded."));
    } else if (builds.size() == 1) {
        say(tr("The folder has runs of one build only, %1: a comparison needs two.").arg(m_old->itemText(0)));
    } else {
        m_old->setCurrentIndex(static_cast<int>(builds.size()) - 2);
        m_new->setCurrentIndex(static_cast<int>(builds.size()) - 1);
        compare();
    }
}

void FleetDialog::compare()
{
    clear();
    if (m_old->currentIndex() == m_new->currentIndex()) {
        say(tr("Choose two builds: one does not differ from itself."));
        return;
    }
    const auto a = FleetSelection::parse(sideOf(*m_old));
    const auto b = FleetSelection::parse(sideOf(*m_new));
    if (!a.ok() || !b.ok()) {
        tell(a.ok() ? b.error() : a.error());
        return;
    }
    say(tr("Comparing %1 with %2").arg(m_new->currentText(), m_old->currentText()));
    begin(tr("Reading the runs"),
          [this, path = m_folder.toStdString(),
           boards = FleetBoards(a.value(), b.value())](OpenProgress &progress) mutable -> std::function<void()> {
              std::size_t unfinished = 0;
              const auto read = [&]() -> Status {
                  JETSCOPE_TRY_ASSIGN(const FleetFolder folder, FleetFolder::open(path));
                  return readBoards(folder, FleetEngine::Best, boards, unfinished, progress);
              };
              const Status done = read();
              if (!done.ok())
                  return [this, done] { tell(done.error()); };
              auto answer = std::make_shared<const FleetAnswer>(answerOf(std::move(boards), unfinished));
              return [this, answer] {
                  if (m_job.isCancelled())
                      return tell(cancelledError());
                  m_answer = answer;
                  showAnswer();
              };
          });
}

void FleetDialog::showAnswer()
{
    QString words = toQString(fleetWords(m_answer->comparison));
    if (!m_answer->comparison.notes.empty())
        words += u'\n' + toQString(joined(m_answer->comparison.notes, "; "));
    say(words, m_answer->comparison.isWorse());
    m_strata->show(m_answer->comparison);
    showBoards();
}

const FleetResult *FleetDialog::chosen() const
{
    const int row = m_strata->current();
    return m_answer && row >= 0 ? &m_answer->comparison.results[static_cast<std::size_t>(row)] : nullptr;
}

void FleetDialog::showBoards()
{
    m_boards->clear();
    m_boardsTitle->clear();
    if (const FleetResult *result = chosen()) {
        m_boards->show(*result, m_answer->boards.strata().at(result->stratum).at(result->metric));
        const QString title = tr("Boards of %1").arg(toQString(result->stratum.words()));
        m_boardsTitle->setText(
            result->noVerdict.empty() ? title : tr("%1. No verdict: %2.").arg(title, toQString(result->noVerdict)));
    }
    showPair();
}

/// What the button would compare.
void FleetDialog::showPair()
{
    m_pair->setEnabled(chosen() != nullptr);
    m_pair->setToolTip(tr("Opens both captures in Trace, side by side"));
    const QString board = m_boards->current();
    m_pairWords->setText(
        !chosen() ? QString()
            : board.isEmpty()
            ? tr("The middle run of the old build beside that of the new one.")
            : tr("The middle run of the other boards beside that of %1, both of the new build.").arg(board));
    lookForPair();
}

/// The button is not offered for captures that are not there. The runs are found by reading the folder, which may take
/// seconds: until then it is offered.
void FleetDialog::lookForPair()
{
    if (m_look.isRunning()) {
        m_look.cancel(); // It begins anew when it has ended.
        return;
    }
    const FleetResult *result = chosen();
    if (!result)
        return;
    m_look.start(tr("Looking for the captures"),
                 [this, path = m_folder.toStdString(), answer = m_answer, result,
                  board = m_boards->current().toStdString()](OpenProgress &progress) -> std::function<void()> {
                     const Status there = checkCaptures(path, answer->comparison, *result, board, progress);
                     return [this, there] {
                         if (m_look.isCancelled())
                             lookForPair();
                         else if (!there.ok())
                             refusePair(there.error());
                     };
                 });
}

void FleetDialog::refusePair(const Error &why)
{
    const QString words = tr("The captures cannot be compared: %1.").arg(toQString(why.text));
    m_pairWords->setText(words);
    m_pair->setToolTip(words);
    m_pair->setEnabled(false);
}

void FleetDialog::findPair()
{
    const FleetResult *result = chosen();
    if (!result)
        return;
    begin(tr("Looking for the captures"),
          [this, path = m_folder.toStdString(), answer = m_answer, result,
           board = m_boards->current().toStdString()](OpenProgress &progress) -> std::function<void()> {
              const Result<FoundPair> pair = findCaptures(path, answer->comparison, *result, board, progress);
              return [this, pair] {
                  if (pair.ok())
                      emit pairFound(pair.value().a, pair.value().b);
                  else if (!wasCancelled(pair.error()))
                      refusePair(pair.error());
              };
          });
}

} // namespace jetscope
