// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/remote/boardsdialog.h"

#include "core/progress.h"
#include "ui/remote/boarddelegate.h"
#include "ui/remote/connectsteps.h"
#include "ui/style/layouts.h"
#include "ui/style/readablesize.h"
#include "ui/style/style.h"
#include "ui/style/text.h"

#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QLocale>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QShortcut>
#include <QVBoxLayout>

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>
#include <utility>

namespace jetscope {

namespace {

constexpr int kListWidth = 240;
constexpr int kPlanWidth = 430;
constexpr int kMaxHeardLines = 500;

QLabel *makeText(const QString &text = {})
{
    auto *label = new QLabel(text);
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

} // namespace

/// A connection in the making; shared with the thread that makes it.
struct BoardsDialog::Attempt {
    ~Attempt() { ::close(cancelled); }
    void cancel() const { ::eventfd_write(cancelled, 1); }
    bool isCancelled() const
    {
        pollfd source{cancelled, POLLIN, 0};
        return ::poll(&source, 1, 0) > 0;
    }

    const int cancelled = ::eventfd(0, EFD_CLOEXEC);
};

/// Passes news to the dialog.
class BoardsDialog::Watch final : public ConnectWatch {
public:
    Watch(BoardsDialog &dialog, std::shared_ptr<Attempt> attempt, Worker::Reply reply)
        : m_dialog(dialog), m_attempt(std::move(attempt)), m_reply(std::move(reply))
    {
    }

    bool advance(const ConnectNews &news) override
    {
        post([news](BoardsDialog &dialog) { dialog.m_steps->show(news); });
        return !m_attempt->isCancelled();
    }
    int cancelDescriptor() const override { return m_attempt->cancelled; }
    void heard(std::string_view text) override
    {
        post([words = toQString(text)](BoardsDialog &dialog) {
            dialog.m_heard->moveCursor(QTextCursor::End);
            dialog.m_heard->insertPlainText(words);
            dialog.showButtons();
        });
    }

private:
    /// A reply never comes after the end of the worker, which belongs to the dialog.
    template <class What>
    void post(What what)
    {
        m_reply.post([&dialog = m_dialog, attempt = m_attempt, what = std::move(what)] {
            if (dialog.m_attempt == attempt)
                what(dialog);
        });
    }

    BoardsDialog &m_dialog;
    const std::shared_ptr<Attempt> m_attempt;
    const Worker::Reply m_reply;
};

BoardsDialog::BoardsDialog(Parts parts, QWidget *parent)
    : QDialog(parent),
      m_parts(std::move(parts)),
      m_address(new QLineEdit),
      m_connect(new QPushButton(tr("Connect"))),
      m_boards(new QListWidget),
      m_title(makeText()),
      m_runs(makeText()),
      m_steps(new ConnectSteps),
      m_problem(makeText()),
      m_heard(new QPlainTextEdit),
      m_showHeard(new QPushButton(tr("What ssh says"))),
      m_cancel(new QPushButton)
{
    setWindowTitle(tr("Connect to a board"));
    setObjectName(QStringLiteral("boardsDialog"));
    m_address->setObjectName(QStringLiteral("boardAddress"));
    m_address->setAccessibleName(tr("Board"));
    m_address->setPlaceholderText(tr("user@host, or a name of your ~/.ssh/config"));
    m_connect->setObjectName(QStringLiteral("connectBoard"));
    m_connect->setDefault(true);
    auto *top = new QHBoxLayout;
    top->addWidget(m_address, 1);
    top->addWidget(m_connect);
    auto *middle = new QHBoxLayout;
    middle->addWidget(makeBoards());
    middle->addWidget(makePlan(), 1);
    auto *column = new QVBoxLayout(this);
    column->addLayout(top);
    column->addLayout(middle, 1);
    column->addWidget(makeButtons());
    new ReadableSize(*this);
    connect(m_address, &QLineEdit::textChanged, this, &BoardsDialog::describe);
    connect(m_connect, &QPushButton::clicked, this, &BoardsDialog::begin);
    describe();
    m_address->setFocus();
}

BoardsDialog::~BoardsDialog()
{
    if (m_attempt)
        m_attempt->cancel();
}

QWidget *BoardsDialog::makeBoards()
{
    m_boards->setObjectName(QStringLiteral("boards"));
    m_boards->setAccessibleName(tr("Known boards"));
    m_boards->setFixedWidth(scaledToFont(*this, kListWidth));
    m_boards->setItemDelegate(new BoardDelegate(m_boards));
    m_boards->setToolTip(tr("Delete forgets a board that was used"));
    if (!m_parts.known.all().isEmpty())
        addSection(tr("Last used"));
    for (const KnownBoard &board : m_parts.known.all()) {
        const QString used = tr("last used %1").arg(QLocale().toString(board.lastUsed.date(), QLocale::ShortFormat));
        addBoard(board.address, board.about.isEmpty() ? used : board.about + QStringLiteral(" · ") + used);
    }
    QStringList others = m_parts.sshHosts;
    for (const KnownBoard &board : m_parts.known.all())
        others.removeAll(board.address);
    if (!others.isEmpty())
        addSection(tr("From ~/.ssh/config"));
    for (const QString &host : others)
        addBoard(host, {});
    connect(m_boards, &QListWidget::currentItemChanged, this, &BoardsDialog::choose);
    connect(m_boards, &QListWidget::itemActivated, this, &BoardsDialog::begin);
    auto *remove = new QShortcut(QKeySequence::Delete, m_boards, nullptr, nullptr, Qt::WidgetShortcut);
    connect(remove, &QShortcut::activated, this, &BoardsDialog::forgetChosen);
    return m_boards;
}

void BoardsDialog::addSection(const QString &title)
{
    auto *item = new QListWidgetItem(title, m_boards);
    item->setData(BoardDelegate::kIsTitleRole, true);
    item->setFlags(Qt::NoItemFlags);
}

void BoardsDialog::addBoard(const QString &address, const QString &detail)
{
    auto *item = new QListWidgetItem(address, m_boards);
    item->setData(BoardDelegate::kDetailRole, detail);
    item->setToolTip(detail.isEmpty() ? address : address + QStringLiteral(" · ") + detail);
    item->setData(Qt::AccessibleTextRole, item->toolTip());
}

QWidget *BoardsDialog::makePlan()
{
    setStyleKind(m_title, "title", "true");
    auto *plan = new QFormLayout;
    plan->setFormAlignment(Qt::AlignTop);
    plan->setLabelAlignment(Qt::AlignTop);
    const auto add = [plan](const QString &what, QLabel *text) {
        auto *name = new QLabel(what);
        setStyleKind(name, "muted", "true");
        plan->addRow(name, text);
    };
    add(tr("Runs"), m_runs);
    add(tr("Copies"),
        makeText(tr("the headless Jetscope for the board's processor to ~/.cache/jetscope there, unless the "
                    "board has this build. The last two stay.")));
    add(tr("Leaves alone"),
        makeText(tr("nothing is installed, nothing runs as root, nothing is downloaded by the board.")));
    add(tr("Ends"), makeText(tr("10 minutes after the last laptop left, unless it records.")));
    m_problem->setObjectName(QStringLiteral("boardProblem"));
    setStyleKind(m_problem, "trend", "bad");
    m_problem->hide();
    m_heard->setObjectName(QStringLiteral("boardHeard"));
    m_heard->setAccessibleName(tr("What ssh says"));
    m_heard->setReadOnly(true);
    m_heard->setMaximumBlockCount(kMaxHeardLines);
    m_heard->hide();
    auto *page = new QWidget;
    page->setMinimumWidth(scaledToFont(*this, kPlanWidth));
    auto *column = makeInnerLayout<QVBoxLayout>(page, 10);
    column->setContentsMargins(12, 0, 0, 0);
    column->addWidget(m_title);
    column->addLayout(plan);
    column->addWidget(m_steps);
    column->addWidget(m_problem);
    column->addWidget(m_heard, 1);
    column->addStretch();
    return page;
}

QWidget *BoardsDialog::makeButtons()
{
    auto *place = new QWidget;
    auto *row = makeInnerLayout<QHBoxLayout>(place);
    m_showHeard->setCheckable(true);
    m_showHeard->setObjectName(QStringLiteral("showHeard"));
    for (QPushButton *button : {m_showHeard, m_cancel})
        button->setAutoDefault(false);
    row->addStretch();
    row->addWidget(m_showHeard);
    row->addWidget(m_cancel);
    connect(m_showHeard, &QPushButton::toggled, m_heard, &QWidget::setVisible);
    connect(m_cancel, &QPushButton::clicked, this, [this] { m_attempt ? cancel() : reject(); });
    return place;
}

void BoardsDialog::choose(const QListWidgetItem *item)
{
    if (item && !m_attempt && item->text() != m_address->text())
        m_address->setText(item->text());
}

void BoardsDialog::forgetChosen()
{
    const QListWidgetItem *item = m_boards->currentItem();
    if (!item)
        return;
    m_parts.known.forget(item->text());
    delete item;
}

/// What will be done, before it is.
void BoardsDialog::describe()
{
    const QString address = m_address->text().trimmed();
    m_title->setText(address.isEmpty() ? tr("No board is chosen") : address);
    m_runs->setText(tr("ssh -T %1 jetscope serve, with your own keys and jump hosts. No port is opened.")
                        .arg(address.isEmpty() ? tr("BOARD") : address));
    const QList<QListWidgetItem *> same = m_boards->findItems(address, Qt::MatchExactly);
    m_boards->setCurrentItem(same.isEmpty() ? nullptr : same.first());
    showButtons();
}

void BoardsDialog::showButtons()
{
    m_connect->setEnabled(!m_attempt && !m_address->text().trimmed().isEmpty());
    m_address->setEnabled(!m_attempt);
    m_boards->setEnabled(!m_attempt);
    m_cancel->setText(m_attempt ? tr("Cancel") : tr("Close"));
    const bool hasText = !m_heard->document()->isEmpty();
    m_showHeard->setEnabled(hasText);
    m_showHeard->setToolTip(hasText ? tr("What ssh and the board's login wrote") : tr("ssh has written nothing."));
}

void BoardsDialog::connectWith(const QString &address)
{
    m_address->setText(address);
    begin();
}

void BoardsDialog::begin()
{
    const QString address = m_address->text().trimmed();
    if (address.isEmpty() || m_attempt)
        return;
    m_attempt = std::make_shared<Attempt>();
    m_problem->hide();
    m_heard->clear();
    m_steps->begin();
    m_steps->show({ConnectStep::Reach});
    showButtons();
    m_worker.start([this, address, attempt = m_attempt, connectBoard = m_parts.connect](const Worker::Reply &reply) {
        Watch watch(*this, attempt, reply);
        auto result = std::make_shared<Result<ConnectedBoard>>(connectBoard(address.toStdString(), watch));
        reply.post([this, attempt, address, result] { ended(attempt.get(), address, *result); });
    });
}

void BoardsDialog::cancel()
{
    m_attempt->cancel();
    m_attempt.reset();
    m_steps->stop();
    showButtons();
}

void BoardsDialog::ended(const Attempt *attempt, const QString &address, const Result<ConnectedBoard> &result)
{
    if (m_attempt.get() != attempt) // Cancelled: a board that answered after all is left with the result.
        return;
    m_attempt.reset();
    m_steps->stop();
    showButtons();
    if (!result.ok()) {
        m_problem->setText(toQString(result.error().message()));
        m_problem->setVisible(!wasCancelled(result.error()));
        m_address->setFocus();
        return;
    }
    const ConnectedBoard &board = result.value();
    m_parts.known.addUsed({address, toQString(board.about), QDateTime::currentDateTime()});
    accept();
    emit connected(address, board);
}

void BoardsDialog::done(int result)
{
    if (m_attempt)
        cancel();
    QDialog::done(result);
}

} // namespace jetscope
