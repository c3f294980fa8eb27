// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/attach/schedulerfield.h"

#include "gpu/attach/host/scheduleraccess.h"
#include "gpu/attach/host/schedulerfeed.h"
#include "ui/style/layouts.h"
#include "ui/style/text.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QStandardPaths>
#include <QVBoxLayout>

namespace jetscope {

namespace {

/// In a folder that other users cannot write, if there is one. On a board none is known.
QString usualPipe(const QString &board)
{
    if (!board.isEmpty())
        return QStringLiteral("/tmp/jetscope-sched");
    const QString folder = QStandardPaths::writableLocation(QStandardPaths::RuntimeLocation);
    return (folder.isEmpty() ? QStandardPaths::writableLocation(QStandardPaths::TempLocation) : folder)
        + QStringLiteral("/jetscope-sched");
}

} // namespace

SchedulerField::SchedulerField(const char *key, const QString &path, const QString &board, QWidget *parent)
    : QWidget(parent),
      m_board(board),
      m_path(new QLineEdit(path, this)),
      m_command(new QLabel(this)),
      m_copy(new QPushButton(this))
{
    m_path->setObjectName(QLatin1String(key));
    m_path->setAccessibleName(tr("Scheduler (root)"));
    m_path->setPlaceholderText(tr("Empty: not shown"));
    m_path->setToolTip(
        tr("The file or named pipe into which jetscope-sched writes: shows when each thread was on a CPU, "
           "ready without one, or blocked, and the work of a Jetson's engines"));
    auto *usual = new QPushButton(tr("Named pipe"), this);
    usual->setObjectName(QStringLiteral("usualPipe"));
    usual->setToolTip(tr("Fills in the path of a named pipe, which the command below it makes"));
    usual->setAutoDefault(false);
    m_command->setObjectName(QStringLiteral("schedulerCommand"));
    m_command->setTextFormat(Qt::PlainText);
    m_command->setWordWrap(true);
    m_command->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_copy->setObjectName(QStringLiteral("copySchedulerCommand"));
    m_copy->setText(tr("Copy"));
    m_copy->setProperty("flat", true);
    m_copy->setAutoDefault(false);
    m_copy->setToolTip(tr("Copies the command; Jetscope does not run it"));
    auto *first = new QHBoxLayout;
    first->addWidget(m_path, 1);
    first->addWidget(usual);
    auto *second = new QHBoxLayout;
    second->addWidget(m_copy, 0, Qt::AlignTop);
    second->addWidget(m_command, 1);
    auto *column = makeInnerLayout<QVBoxLayout>(this);
    column->addLayout(first);
    column->addLayout(second);
    connect(usual, &QPushButton::clicked, this, [this] { m_path->setText(usualPipe(m_board)); });
    connect(m_copy, &QPushButton::clicked, this, [this] { QGuiApplication::clipboard()->setText(m_text); });
    connect(m_path, &QLineEdit::textChanged, this, &SchedulerField::showCommand);
    setFocusProxy(m_path);
    showCommand();
}

QString SchedulerField::path() const
{
    return m_path->text().trimmed();
}

void SchedulerField::showCommand()
{
    m_text.clear();
    QString shown;
    if (!path().isEmpty() && !m_board.isEmpty()) {
        shown = tr("A file or pipe of %1. If nothing is there yet, the start of the program says what to run on %1.")
                    .arg(m_board);
    } else if (!path().isEmpty()) {
        const Result<std::string> command = schedulerCommand(path().toStdString());
        m_text = command.ok() ? toQString(command.value()) : QString();
        shown = command.ok() ? m_text : toQString(command.error().text);
    }
    m_command->setText(shown);
    m_command->setProperty("command", !m_text.isEmpty());
    m_command->setVisible(!shown.isEmpty());
    m_copy->setVisible(!m_text.isEmpty());
    m_copy->setAccessibleName(tr("Copy the command %1").arg(m_text));
}

} // namespace jetscope
