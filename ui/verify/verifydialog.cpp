// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/verify/verifydialog.h"

#include "core/verify/verifyjson.h"
#include "ui/files/fileplaces.h"
#include "ui/measure/measurement.h"
#include "ui/style/readablesize.h"
#include "ui/style/text.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QJsonDocument>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QSaveFile>
#include <QSplitter>
#include <QTextBrowser>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace jetscope {

namespace {

enum VerifyColumn { Check, Proves, Took };
constexpr int kRowRole = Qt::UserRole;

/// The order of the groups: what matters most first.
constexpr std::array kShownOutcomes{VerifyOutcome::Failed, VerifyOutcome::NotPossible, VerifyOutcome::Passed};

QString outcomeWords(VerifyOutcome outcome)
{
    switch (outcome) {
    case VerifyOutcome::Failed:
        return VerifyDialog::tr("Failed");
    case VerifyOutcome::NotPossible:
        return VerifyDialog::tr("Not possible here");
    case VerifyOutcome::Passed:
        break;
    }
    return VerifyDialog::tr("Passed");
}

QString escaped(const std::string &text)
{
    return toQString(text).toHtmlEscaped();
}

QString paragraph(const QString &label, const std::string &text)
{
    return text.empty() ? QString() : QStringLiteral("<p><b>%1</b> %2.</p>").arg(label, escaped(text));
}

QString factsTable(const std::vector<VerifyFact> &facts)
{
    if (facts.empty())
        return {};
    QString rows =
        QStringLiteral(
            "<tr><th align=left>%1</th><th align=left>%2</th><th align=left>%3</th><th align=left>%4</th></tr>")
            .arg(VerifyDialog::tr("Fact"), VerifyDialog::tr("Documented"), VerifyDialog::tr("Found"),
                 VerifyDialog::tr("Agree"));
    for (const VerifyFact &fact : facts) {
        const QString agrees = toQString(nameOf(fact.agrees));
        rows += QStringLiteral("<tr><td>%1</td><td>%2</td><td>%3</td><td>%4</td></tr>")
                    .arg(escaped(fact.what), escaped(fact.documented), escaped(fact.found),
                         fact.agrees == Agreement::No ? QStringLiteral("<b>%1</b>").arg(agrees) : agrees);
    }
    return QStringLiteral("<table cellspacing=0 cellpadding=4 width=\"100%\">%1</table>").arg(rows);
}

QString rowPage(const VerifyRow &row)
{
    return QStringLiteral("<h3>%1</h3>").arg(escaped(row.id)) + paragraph(VerifyDialog::tr("Proves"), row.proves)
        + paragraph(VerifyDialog::tr("Document"), row.document + ": " + row.says)
        + paragraph(outcomeWords(row.result.outcome),
                    row.result.reason.empty() ? std::string("as documented") : row.result.reason)
        + factsTable(row.result.facts);
}

QString machinePage(const VerifiedMachine &machine)
{
    QString page;
    for (const auto &[label, text] : describeMachine(machine))
        page += QStringLiteral("<tr><td><b>%1</b></td><td>%2</td></tr>").arg(toQString(label), escaped(text));
    return QStringLiteral("<table cellspacing=0 cellpadding=4>%1</table>").arg(page);
}

} // namespace

VerifyDialog::VerifyDialog(FilePlaces &places, QWidget *parent)
    : MeasuringDialog({tr("Progress of the verification"), tr("Makes every check"),
                       tr("Ends the verification; the rows so far stay here, and no file can be made of them"),
                       tr("The verification failed: %1"), tr("The verification was ended.")},
                      parent),
      m_places(places),
      m_rows(new QTreeWidget),
      m_details(new QTextBrowser),
      m_open(new QPushButton(tr("Open…"))),
      m_save(new QPushButton(tr("Save…")))
{
    setObjectName(QStringLiteral("verifyDialog"));
    auto *about =
        new QLabel(tr("Tries what was only tested against documents and fakes so far, each check in a process "
                      "of its own. The file holds model, releases and rows, and no names: it tells others "
                      "what holds on this board. Takes up to some minutes.")
                   + u' ' + Measurement::closesThePipeline());
    about->setWordWrap(true);
    makeRows();
    m_details->setAccessibleName(tr("What the row proves, by which document, and what came"));
    m_open->setToolTip(tr("Shows the file of a verification, of any machine"));
    m_save->setToolTip(tr("Writes all rows into a file, which \"jetscope verify --read\" shows on any machine"));
    auto *head = new QHBoxLayout;
    head->addWidget(startButton());
    head->addWidget(m_open);
    head->addWidget(bar(), 1);
    auto *split = new QSplitter(Qt::Vertical);
    split->addWidget(m_rows);
    split->addWidget(m_details);
    split->setStretchFactor(0, 3);
    split->setStretchFactor(1, 2);
    auto *column = new QVBoxLayout(this);
    column->addWidget(about);
    column->addLayout(head);
    column->addWidget(split, 1);
    column->addLayout(makeEnds(m_save));
    new ReadableSize(*this);
    resize(56 * fontMetrics().height(), 42 * fontMetrics().height());
    m_open->setAutoDefault(false);
    connect(m_open, &QPushButton::clicked, this, &VerifyDialog::askToOpen);
    connect(m_save, &QPushButton::clicked, this, &VerifyDialog::askToSave);
    setBoard({});
    showButtons();
}

void VerifyDialog::makeRows()
{
    m_rows->setAccessibleName(tr("Checks by outcome"));
    m_rows->setHeaderLabels({tr("Check"), tr("Proves"), tr("Took")});
    m_rows->setUniformRowHeights(true);
    m_rows->header()->setSectionResizeMode(Check, QHeaderView::ResizeToContents);
    m_rows->header()->setSectionResizeMode(Proves, QHeaderView::Stretch);
    m_rows->header()->setSectionResizeMode(Took, QHeaderView::ResizeToContents);
    m_rows->header()->setStretchLastSection(false);
    for (QTreeWidgetItem *&group : m_groups) {
        group = new QTreeWidgetItem(m_rows);
        group->setExpanded(true);
        QFont bold = m_rows->font();
        bold.setBold(true);
        group->setFont(Check, bold);
        group->setHidden(true);
    }
    connect(m_rows, &QTreeWidget::currentItemChanged, this, &VerifyDialog::showDetails);
}

void VerifyDialog::setBoard(const QString &address)
{
    setWindowTitle(address.isEmpty() ? tr("Verify this machine") : tr("Verify %1").arg(address));
}

void VerifyDialog::wantStart()
{
    emit started();
}

void VerifyDialog::showButtons()
{
    MeasuringDialog::showButtons();
    m_open->setEnabled(!isRunning());
    m_save->setEnabled(!isRunning() && m_isWhole);
}

void VerifyDialog::clear()
{
    for (QTreeWidgetItem *group : m_groups) {
        qDeleteAll(group->takeChildren());
        group->setHidden(true);
    }
    m_details->clear();
    m_report = {};
    m_isWhole = false;
}

void VerifyDialog::begin()
{
    clear();
    begun();
}

void VerifyDialog::take(const QJsonObject &line)
{
    const auto text = [](const QJsonObject &object) {
        return QJsonDocument(object).toJson(QJsonDocument::Compact).toStdString();
    };
    const QString event = line["event"].toString();
    if (event == QStringLiteral("progress")) {
        showProgress(
            line,
            tr("%1, %2 of %3").arg(line["check"].toString()).arg(line["index"].toInt() + 1).arg(line["count"].toInt()));
    } else if (event == QStringLiteral("row")) {
        if (Result<VerifyRow> row = verifyRowOf(text(line["row"].toObject())); row.ok())
            add(std::move(row).value());
    } else if (line.contains(QStringLiteral("format"))) {
        if (Result<VerifyReport> report = verifyReportOf(text(line)); report.ok())
            show(std::move(report).value());
    }
}

void VerifyDialog::add(VerifyRow row)
{
    const auto at = std::find(kShownOutcomes.begin(), kShownOutcomes.end(), row.result.outcome);
    auto *item =
        new QTreeWidgetItem({toQString(row.id), toQString(row.proves), tr("%1 s").arg(row.seconds, 0, 'f', 1)});
    item->setData(Check, kRowRole, static_cast<int>(m_report.rows.size()));
    item->setToolTip(Proves, toQString(row.result.reason.empty() ? row.proves : row.proves + ": " + row.result.reason));
    item->setData(Took, Qt::TextAlignmentRole, QVariant(Qt::AlignRight | Qt::AlignVCenter));
    m_groups[static_cast<std::size_t>(at - kShownOutcomes.begin())]->addChild(item);
    m_report.rows.push_back(std::move(row));
    showCounts();
}

void VerifyDialog::showCounts()
{
    for (std::size_t i = 0; i < m_groups.size(); ++i) {
        QTreeWidgetItem *group = m_groups[i];
        group->setText(Check, tr("%1: %2").arg(outcomeWords(kShownOutcomes[i])).arg(group->childCount()));
        group->setHidden(group->childCount() == 0);
        group->setFirstColumnSpanned(true);
    }
}

void VerifyDialog::show(VerifyReport report)
{
    clear();
    m_report.machine = std::move(report.machine);
    for (VerifyRow &row : report.rows)
        add(std::move(row));
    m_isWhole = true;
    showResult(tr("%1 passed, %2 failed, %3 not possible here.")
                   .arg(m_report.count(VerifyOutcome::Passed))
                   .arg(m_report.count(VerifyOutcome::Failed))
                   .arg(m_report.count(VerifyOutcome::NotPossible)));
    selectFirst();
    showButtons();
}

/// A failure, or else the machine that was verified.
void VerifyDialog::selectFirst()
{
    m_rows->setCurrentItem(m_groups.front()->childCount() > 0 ? m_groups.front()->child(0) : nullptr);
    m_rows->scrollToTop();
    showDetails();
}

void VerifyDialog::showDetails()
{
    const QTreeWidgetItem *item = m_rows->currentItem();
    const QVariant row = item ? item->data(Check, kRowRole) : QVariant();
    m_details->setHtml(row.isValid()   ? rowPage(m_report.rows[static_cast<std::size_t>(row.toInt())])
                           : m_isWhole ? machinePage(m_report.machine)
                                       : QString());
}

void VerifyDialog::askToOpen()
{
    const QString path = m_places.askForTrace(tr("Open a verification"));
    if (path.isEmpty())
        return;
    m_places.remember(path);
    openFile(path);
}

void VerifyDialog::openFile(const QString &path)
{
    if (isRunning())
        return;
    Result<VerifyReport> report = readVerifyReport(path.toStdString());
    if (!report.ok())
        return showResult(toQString(report.error().message()));
    show(std::move(report).value());
    showResult(tr("%1 %2").arg(path, status()));
}

void VerifyDialog::askToSave()
{
    const QString path =
        m_places.askForPlace(tr("Save the verification"), "json", tr("Verifications (*.json)"), "verify");
    if (path.isEmpty())
        return;
    QSaveFile file(path);
    const QByteArray json = QByteArray::fromStdString(verifyJson(m_report));
    const bool written = file.open(QIODevice::WriteOnly) && file.write(json) == json.size() && file.commit();
    showResult(written ? tr("Saved as %1.").arg(path)
                       : tr("%1 could not be written: %2. Choose another folder.").arg(path, file.errorString()));
}

} // namespace jetscope
