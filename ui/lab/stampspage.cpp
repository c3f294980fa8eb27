// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/lab/stampspage.h"

#include "ui/lab/stamprows.h"
#include "ui/session/session.h"
#include "ui/style/layouts.h"
#include "ui/style/text.h"
#include "ui/style/theme.h"
#include "ui/style/titleline.h"

#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QTableWidget>
#include <QVBoxLayout>

namespace jetscope {

namespace {

constexpr int kStampsRefreshMs = 500;
/// Enough for a drift, and few enough for the UI thread.
constexpr std::size_t kExaminedFrames = 1800;

QColor stateColor(StampRow::State state)
{
    switch (state) {
    case StampRow::State::Agrees:
        return theme().good;
    case StampRow::State::Differs:
        return theme().warn;
    case StampRow::State::Measured:
        return theme().text;
    case StampRow::State::Unknown:
        break;
    }
    return theme().muted;
}

} // namespace

StampsPage::StampsPage(Session &session, QWidget *parent)
    : QWidget(parent),
      m_session(session),
      m_head(new TitleLine),
      m_source(new QComboBox),
      m_table(new QTableWidget(0, 4)),
      m_notes(new QLabel)
{
    setObjectName(QStringLiteral("stampsPage"));
    auto *column = makeInnerLayout<QVBoxLayout>(this, 6);
    column->addWidget(m_head);
    auto *tools = new QWidget;
    auto *row = makeInnerLayout<QHBoxLayout>(tools, 8);
    row->setContentsMargins(10, 4, 10, 4);
    m_source->setObjectName(QStringLiteral("stampSource"));
    m_source->setAccessibleName(tr("Source whose stamps are examined"));
    m_source->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_source->setMinimumContentsLength(16);
    row->addWidget(m_source);
    row->addStretch(1);
    column->addWidget(tools);
    m_table->setObjectName(QStringLiteral("stampTable"));
    m_table->setAccessibleName(tr("Time stamps"));
    m_table->setHorizontalHeaderLabels({tr("what"), tr("found"), tr("told, or how sure"), tr("state")});
    m_table->verticalHeader()->hide();
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setShowGrid(false);
    m_table->setTabKeyNavigation(false);
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_table->horizontalHeader()->setSectionResizeMode(2, QHeaderView::Stretch);
    column->addWidget(m_table, 1);
    m_notes->setWordWrap(true);
    m_notes->setTextFormat(Qt::PlainText);
    m_notes->setContentsMargins(10, 0, 10, 6);
    column->addWidget(m_notes);
    connect(m_source, &QComboBox::activated, this, &StampsPage::refresh);
    for (const auto changed : {&Session::statusChanged, &Session::opened})
        connect(&session, changed, this, [this] {
            if (isVisible())
                refresh();
        });
    m_timer.setInterval(kStampsRefreshMs);
    connect(&m_timer, &QTimer::timeout, this, &StampsPage::refresh);
    refresh();
}

void StampsPage::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    refresh();
    m_timer.start();
}

void StampsPage::hideEvent(QHideEvent *event)
{
    QWidget::hideEvent(event);
    m_timer.stop();
}

QString StampsPage::verdictText() const
{
    return m_head->verdictText();
}

QString StampsPage::whyNothing() const
{
    if (!m_session.pipeline() || m_session.phase() != Session::Phase::Open)
        return tr("There is no pipeline: open a camera in Live (Alt+1).");
    if (!m_session.pipeline()->framePort())
        return tr("The frames of a board are not here: jetscope lab stamps --host BOARD examines its camera.");
    return tr("No frame came yet.");
}

void StampsPage::fillSources(const QStringList &names)
{
    QStringList shown;
    for (int i = 0; i < m_source->count(); ++i)
        shown.append(m_source->itemText(i));
    m_source->setVisible(names.size() > 1);
    if (shown == names)
        return;
    m_source->clear();
    m_source->addItems(names);
}

void StampsPage::refresh()
{
    const bool isOpen = m_session.pipeline() && m_session.phase() == Session::Phase::Open;
    const FramePort *port = isOpen ? m_session.pipeline()->framePort() : nullptr;
    const std::vector<OpenCamera> open = port ? port->cameras() : std::vector<OpenCamera>();
    QStringList names;
    for (const OpenCamera &camera : open)
        names.append(tr("%1 · %2").arg(names.size() + 1).arg(toQString(camera.log->address())));
    fillSources(names);
    const auto place = static_cast<std::size_t>(std::max(0, m_source->currentIndex()));
    if (place >= open.size() || open[place].log->count() == 0)
        return showReport(nullptr);
    StampReport report = stampReportOf(open[place].log->address(), open[place].log->contents(kExaminedFrames));
    report.trouble = open[place].trouble;
    showReport(&report);
}

void StampsPage::show(const StampReport &report)
{
    m_timer.stop(); // It would be replaced by what is measured now.
    showReport(&report);
}

void StampsPage::showReport(const StampReport *report)
{
    const QList<StampRow> rows = report ? stampRows(report->finding) : QList<StampRow>();
    m_table->setVisible(report != nullptr);
    m_table->setRowCount(static_cast<int>(rows.size()));
    for (int row = 0; row < m_table->rowCount(); ++row) {
        const QString cells[] = {rows[row].what, rows[row].found, rows[row].about, stampStateText(rows[row].state)};
        for (int each = 0; each < m_table->columnCount(); ++each) {
            if (!m_table->item(row, each))
                m_table->setItem(row, each, new QTableWidgetItem);
            m_table->item(row, each)->setText(cells[each]);
        }
        m_table->item(row, m_table->columnCount() - 1)->setForeground(stateColor(rows[row].state));
    }
    QStringList notes;
    QString result;
    if (report) {
        const StampFinding &finding = report->finding;
        m_head->setTitle(tr("Camera stamps"),
                         tr("%1 · %L2 frames in %3 s")
                             .arg(toQString(report->source))
                             .arg(finding.frames)
                             .arg(finding.seconds, 0, 'f', 1));
        m_head->setWarning(toQString(finding.verdict), !finding.conflicts.empty());
        for (const std::string &conflict : finding.conflicts)
            notes.append(toQString(conflict));
        if (!report->trouble.empty())
            notes.append(toQString(report->trouble));
        if (finding.frames >= kFewestStamps) {
            notes.append(stampUse(finding));
            result = !finding.conflicts.empty()
                ? countText(finding.conflicts.size(), tr("1 conflict"), tr("%L1 conflicts"))
                : finding.system ? toQString(rowOf(*finding.system).key)
                                 : toQString(nameOf(finding.clock));
        }
    } else {
        m_head->setTitle(tr("Camera stamps"), tr("which clock and which moment they are of"));
        m_head->setWarning(whyNothing(), false);
    }
    m_notes->setText(notes.join(u'\n'));
    if (result != m_result) {
        m_result = result;
        emit resultChanged();
    }
}

} // namespace jetscope
