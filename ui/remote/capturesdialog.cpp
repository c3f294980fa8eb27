// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/remote/capturesdialog.h"

#include "ui/remote/capturewords.h"
#include "ui/style/layouts.h"
#include "ui/style/style.h"
#include "ui/style/text.h"

#include <QDateTime>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <utility>

namespace jetscope {

namespace {

constexpr int kRefreshMs = 2000;
constexpr int kCapturesWidth = 760;
constexpr int kCapturesHeight = 360;
constexpr int kGrowsRole = Qt::UserRole;
constexpr int kTroubleRole = Qt::UserRole + 1;

enum Column { Name, Recorded, Length, Size };

QLabel *makeLine()
{
    auto *label = new QLabel;
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

} // namespace

CapturesDialog::CapturesDialog(QString board, std::shared_ptr<CaptureStore> captures, QWidget *parent)
    : QDialog(parent),
      m_board(std::move(board)),
      m_captures(std::move(captures)),
      m_list(new QTreeWidget),
      m_about(makeLine()),
      m_problem(makeLine()),
      m_fetch(new QPushButton(tr("Fetch…"))),
      m_view(new QPushButton(tr("Open there"))),
      m_delete(new QPushButton)
{
    setWindowTitle(tr("Captures on %1").arg(m_board));
    setObjectName(QStringLiteral("capturesDialog"));
    m_list->setObjectName(QStringLiteral("captures"));
    m_list->setAccessibleName(tr("Captures"));
    m_list->setRootIsDecorated(false);
    m_list->setUniformRowHeights(true);
    m_list->setHeaderLabels({tr("Capture"), tr("Recorded"), tr("Length"), tr("Size")});
    m_list->header()->setSectionResizeMode(Name, QHeaderView::Stretch);
    m_list->header()->setStretchLastSection(false);
    for (const Column column : {Recorded, Length, Size})
        m_list->header()->setSectionResizeMode(column, QHeaderView::ResizeToContents);
    m_about->setObjectName(QStringLiteral("capturesAbout"));
    setStyleKind(m_about, "muted", "true");
    m_problem->setObjectName(QStringLiteral("capturesProblem"));
    setStyleKind(m_problem, "trend", "bad");
    m_problem->hide();
    m_fetch->setObjectName(QStringLiteral("fetchCapture"));
    m_view->setObjectName(QStringLiteral("viewCapture"));
    m_delete->setObjectName(QStringLiteral("deleteCapture"));
    auto *close = new QPushButton(tr("Close"));
    auto *row = new QHBoxLayout;
    row->addWidget(m_fetch);
    row->addWidget(m_view);
    row->addWidget(m_delete);
    row->addStretch();
    row->addWidget(close);
    auto *column = new QVBoxLayout(this);
    column->addWidget(m_list, 1);
    column->addWidget(m_about);
    column->addWidget(m_problem);
    column->addLayout(row);
    resize(scaledToFont(*this, kCapturesWidth), scaledToFont(*this, kCapturesHeight));
    m_timer.setInterval(kRefreshMs);
    connect(&m_timer, &QTimer::timeout, this, &CapturesDialog::refresh);
    connect(m_list, &QTreeWidget::currentItemChanged, this, &CapturesDialog::showButtons);
    connect(m_fetch, &QPushButton::clicked, this, [this] { emit fetchWanted(chosen()); });
    connect(m_view, &QPushButton::clicked, this, [this] { emit viewWanted(m_folder + u'/' + chosen()); });
    connect(m_delete, &QPushButton::clicked, this, &CapturesDialog::remove);
    connect(close, &QPushButton::clicked, this, &QDialog::close);
    showButtons();
}

void CapturesDialog::showEvent(QShowEvent *event)
{
    QDialog::showEvent(event);
    m_timer.start();
    refresh();
}

void CapturesDialog::hideEvent(QHideEvent *event)
{
    m_timer.stop();
    QDialog::hideEvent(event);
}

QString CapturesDialog::chosen() const
{
    const QTreeWidgetItem *item = m_list->currentItem();
    return item ? item->text(Name) : QString();
}

void CapturesDialog::refresh()
{
    if (std::exchange(m_isAsking, true)) // A board that does not answer is asked once.
        return;
    m_worker.start([this, captures = m_captures](const Worker::Reply &reply) {
        auto list = std::make_shared<Result<CaptureList>>(captures->captures());
        reply.post([this, list] { took(*list); });
    });
}

void CapturesDialog::took(const Result<CaptureList> &list)
{
    m_isAsking = false;
    m_problem->setVisible(!list.ok());
    if (list.ok())
        fill(list.value());
    else
        m_problem->setText(toQString(list.error().message()));
    showButtons();
}

void CapturesDialog::fill(const CaptureList &list)
{
    const QString before = chosen();
    const QSignalBlocker blocked(m_list); // What was chosen stays so.
    m_list->clear();
    for (const BoardCapture &capture : list.captures) {
        const QDateTime written = QDateTime::fromMSecsSinceEpoch(capture.writtenNs / 1'000'000);
        auto *item = new QTreeWidgetItem(
            {toQString(capture.name), capture.grows ? tr("● now") : QLocale().toString(written, QLocale::ShortFormat),
             capture.lengthNs > 0 ? clockWords(capture.lengthNs) : QString(),
             bytesText(static_cast<double>(capture.bytes))});
        for (const Column right : {Length, Size})
            item->setTextAlignment(right, Qt::AlignRight | Qt::AlignVCenter);
        item->setToolTip(Name, capture.trouble.empty() ? item->text(Name) : toQString(capture.trouble));
        item->setData(Name, kGrowsRole, capture.grows);
        item->setData(Name, kTroubleRole, toQString(capture.trouble));
        m_list->addTopLevelItem(item);
        if (item->text(Name) == before || (before.isEmpty() && m_list->topLevelItemCount() == 1))
            m_list->setCurrentItem(item);
    }
    const QString room = list.freeBytes
        ? tr("%1 free in %2 on %3")
              .arg(bytesText(static_cast<double>(*list.freeBytes)), toQString(list.folder), m_board)
        : tr("In %1 on %2").arg(toQString(list.folder), m_board);
    m_folder = toQString(list.folder);
    m_about->setText(list.captures.empty() ? tr("Nothing was recorded on %1 yet: Record does. ").arg(m_board) + room
                                           : room);
}

void CapturesDialog::showButtons()
{
    const QTreeWidgetItem *item = m_list->currentItem();
    const bool grows = item && item->data(Name, kGrowsRole).toBool();
    const QString trouble = item ? item->data(Name, kTroubleRole).toString() : QString();
    if (chosen() != m_asked)
        m_asked.clear();
    m_delete->setText(m_asked.isEmpty() ? tr("Delete") : tr("Delete for good"));
    m_fetch->setEnabled(item && !grows && trouble.isEmpty());
    m_view->setEnabled(item && !grows);
    m_view->setToolTip(tr("Shows it without fetching it: what is in view is asked for"));
    m_delete->setEnabled(item && !grows);
    const QString growing = tr("It is being recorded: end the recording first.");
    m_fetch->setToolTip(grows ? growing : trouble.isEmpty() ? tr("Brings it to this machine, and opens it") : trouble);
    m_delete->setToolTip(grows ? growing : tr("Removes it from %1").arg(m_board));
}

/// At the second click.
void CapturesDialog::remove()
{
    const QString name = chosen();
    if (std::exchange(m_asked, name) != name)
        return showButtons();
    m_asked.clear();
    m_worker.start([this, captures = m_captures, name](const Worker::Reply &reply) {
        const Status removed = captures->removeCapture(name.toStdString());
        reply.post([this, removed] {
            m_problem->setVisible(!removed.ok());
            if (removed.ok())
                return refresh();
            m_problem->setText(toQString(removed.error().message()));
            showButtons();
        });
    });
}

} // namespace jetscope
