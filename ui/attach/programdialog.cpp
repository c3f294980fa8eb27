// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/attach/programdialog.h"

#include "core/attach/model/framewish.h"
#include "core/text/shorttext.h"
#include "gpu/attach/host/schedulerfeed.h"
#include "ui/attach/schedulerfield.h"
#include "ui/session/settings.h"
#include "ui/style/layouts.h"
#include "ui/style/text.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QEvent>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QIcon>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QProcess>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace jetscope {

namespace {

constexpr int kMinDialogWidth = 560;
constexpr int kEnvironmentLines = 3;
constexpr const char *kProgramKey = "inspect/program";
constexpr const char *kArgumentsKey = "inspect/arguments";
constexpr const char *kWorkingFolderKey = "inspect/folder";
constexpr const char *kEnvironmentKey = "inspect/environment";
constexpr const char *kFramesKey = "inspect/frames";
constexpr const char *kSchedulerKey = "inspect/scheduler";

} // namespace

ProgramDialog::ProgramDialog(Settings &settings, Machine machine, QWidget *parent)
    : QDialog(parent),
      m_settings(settings),
      m_machine(std::move(machine)),
      m_program(addLine(kProgramKey, tr("Program"), tr("The path of a program, or its name in PATH"))),
      m_arguments(addLine(kArgumentsKey, tr("Arguments"),
                          tr("Its arguments; put double quotes around one that contains blanks"))),
      m_folder(addLine(kWorkingFolderKey, tr("Working folder"), tr("Empty: the folder in which Jetscope was started"))),
      m_environment(new QPlainTextEdit(settings.text(kEnvironmentKey), this)),
      m_frames(new QComboBox(this)),
      m_scheduler(new SchedulerField(kSchedulerKey, settings.text(kSchedulerKey), m_machine.board, this)),
      m_problem(new QLabel(this))
{
    setWindowTitle(m_machine.board.isEmpty() ? tr("Inspect a program")
                                             : tr("Inspect a program on %1").arg(m_machine.board));
    setObjectName(QStringLiteral("programDialog"));
    setMinimumWidth(kMinDialogWidth);
    auto *about = new QLabel(tr("Starts a program, unchanged, and shows its calls of CUDA, EGL and GL as a timeline "
                                "while it runs. The present pipeline is closed meanwhile. The program ends when "
                                "something else is opened, or when the window is closed."));
    about->setWordWrap(true);
    addFrames();
    addEnvironment();
    auto *form = new QFormLayout;
    const auto addRow = [form](QLineEdit *line) { form->addRow(line->accessibleName(), line->parentWidget()); };
    addPath(m_program, tr("Choose a program"), m_machine.chooseProgram);
    addPath(m_arguments, {}, {});
    addPath(m_folder, tr("Choose a folder"), m_machine.chooseFolder);
    for (QLineEdit *line : {m_program, m_arguments, m_folder})
        addRow(line);
    form->addRow(m_environment->accessibleName(), m_environment);
    form->addRow(m_frames->accessibleName(), m_frames);
    form->addRow(tr("Scheduler (root)"), m_scheduler);
    m_problem->setObjectName(QStringLiteral("programProblem"));
    m_problem->setWordWrap(true);
    m_problem->setTextFormat(Qt::PlainText);
    m_problem->hide();
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    buttons->button(QDialogButtonBox::Cancel)->setIcon(QIcon());
    QPushButton *start = buttons->addButton(tr("Start"), QDialogButtonBox::AcceptRole);
    start->setObjectName(QStringLiteral("startProgram"));
    start->setDefault(true);
    connect(buttons, &QDialogButtonBox::accepted, this, &ProgramDialog::start);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto *column = new QVBoxLayout(this);
    column->addWidget(about);
    column->addLayout(form);
    column->addWidget(m_problem);
    column->addWidget(buttons);
    m_program->setFocus();
}

/// Makes room for texts that have appeared: a dialog does not grow by itself for lines that are wrapped.
bool ProgramDialog::event(QEvent *event)
{
    const bool isDone = QDialog::event(event);
    if (event->type() == QEvent::LayoutRequest)
        resize(width(), std::max(height(), layout()->totalHeightForWidth(width())));
    return isDone;
}

QLineEdit *ProgramDialog::addLine(const char *key, const QString &label, const QString &toolTip)
{
    auto *line = new QLineEdit(m_settings.text(key), this);
    line->setObjectName(QLatin1String(key));
    line->setAccessibleName(label);
    line->setToolTip(toolTip);
    return line;
}

/// Puts the line into a row of its own, with a button to choose a path if there is a way to.
void ProgramDialog::addPath(QLineEdit *line, const QString &toolTip,
                            const std::function<QString(const QString &)> &choose)
{
    auto *place = new QWidget(this);
    auto *row = makeInnerLayout<QHBoxLayout>(place);
    row->addWidget(line);
    if (!choose)
        return;
    auto *button = new QPushButton(tr("Choose…"), place);
    button->setToolTip(toolTip);
    button->setAutoDefault(false);
    row->addWidget(button);
    connect(button, &QPushButton::clicked, this, [line, choose] {
        const QString chosen = choose(line->text());
        if (!chosen.isEmpty())
            line->setText(chosen);
    });
}

void ProgramDialog::addFrames()
{
    m_frames->setObjectName(QLatin1String(kFramesKey));
    m_frames->setAccessibleName(tr("Frames by"));
    m_frames->setEditable(true);
    m_frames->addItems({QStringLiteral("auto"), QStringLiteral("swap"), QStringLiteral("stream"),
                        QStringLiteral("call:glFinish"), QStringLiteral("call:cuStreamSynchronize")});
    m_frames->setEditText(m_settings.text(kFramesKey, QStringLiteral("auto")));
    m_frames->setToolTip(tr("What ends a frame of the program:\n"
                            "auto: what looks most like it\n"
                            "swap: a swap of the window's buffers\n"
                            "stream: a hand-over of an EGLStream or of NvBuf buffers\n"
                            "nvtx:NAME: a range or mark of NVTX (NAME*: all that begin so)\n"
                            "call:NAME: the return of a function\n"
                            "site:FILE:LINE: a call at this place"));
}

void ProgramDialog::addEnvironment()
{
    m_environment->setObjectName(QLatin1String(kEnvironmentKey));
    m_environment->setAccessibleName(tr("Environment"));
    m_environment->setToolTip(tr("Variables beside those of Jetscope, one NAME=value a line"));
    m_environment->setTabChangesFocus(true);
    m_environment->setFixedHeight(m_environment->fontMetrics().lineSpacing() * kEnvironmentLines
                                  + m_environment->frameWidth() * 2 + 8);
}

Result<ProgramWish> ProgramDialog::wish() const
{
    ProgramWish wish;
    const QString program = m_program->text().trimmed();
    if (program.isEmpty())
        return sentence("There is no program: give its path, or its name in PATH.");
    wish.command.push_back(program.toStdString());
    for (const QString &word : QProcess::splitCommand(m_arguments->text()))
        wish.command.push_back(word.toStdString());
    wish.folder = m_folder->text().trimmed().toStdString();
    for (const QString &line : m_environment->toPlainText().split(u'\n', Qt::SkipEmptyParts)) {
        if (line.indexOf(u'=') < 1)
            return sentence("The line " + quotedWords(line.toStdString())
                            + " of the environment is no variable: write NAME=value.");
        wish.environment.push_back(line.toStdString());
    }
    wish.frames = m_frames->currentText().trimmed().toStdString();
    if (const Result<FrameWish> frames = parseFrameWish(wish.frames); !frames.ok())
        return sentence("Frames cannot be found by " + quotedWords(wish.frames) + ": " + frames.error().text + ".");
    wish.scheduler = m_scheduler->path().toStdString();
    const bool isJudgedHere = m_machine.board.isEmpty() && !wish.scheduler.empty();
    if (const Status readable = isJudgedHere ? checkSchedulerFile(wish.scheduler) : Status(); !readable.ok())
        return sentence(readable.error().text
                        + ". Run the command below its field in a terminal first, or leave the field empty.");
    return wish;
}

void ProgramDialog::start()
{
    const Result<ProgramWish> wished = wish();
    m_problem->setVisible(!wished.ok());
    if (!wished.ok()) {
        m_problem->setText(toQString(wished.error().text));
        return;
    }
    m_settings.save(kProgramKey, m_program->text());
    m_settings.save(kArgumentsKey, m_arguments->text());
    m_settings.save(kWorkingFolderKey, m_folder->text());
    m_settings.save(kEnvironmentKey, m_environment->toPlainText());
    m_settings.save(kFramesKey, m_frames->currentText());
    m_settings.save(kSchedulerKey, m_scheduler->path());
    accept();
    emit started(wished.value());
}

} // namespace jetscope
