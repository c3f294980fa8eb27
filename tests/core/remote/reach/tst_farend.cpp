// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/remote/reach/farend.h"
#include "tests/support/testprogram.h"

#include <QTest>

#include <cerrno>
#include <csignal>
#include <poll.h>
#include <unistd.h>

using namespace jetscope;
using std::chrono::milliseconds;

namespace {

std::unique_ptr<FarEnd> shell(const char *script, const std::vector<std::string> &environment = {})
{
    Result<std::unique_ptr<FarEnd>> end = FarEnd::start({"sh", "-c", script}, environment);
    return end.ok() ? std::move(end).value() : nullptr;
}

/// What came until the end of its output.
std::string allFrom(const FarEnd &end)
{
    std::string all;
    for (;;) {
        pollfd source{end.output(), POLLIN, 0};
        char byte = 0;
        if (poll(&source, 1, 10'000) <= 0 || read(end.output(), &byte, 1) != 1)
            return all;
        all += byte;
    }
}

} // namespace

class tst_FarEnd : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { std::signal(SIGPIPE, SIG_IGN); }

    void carriesBothWays()
    {
        const auto end = shell("cat; echo $EXTRA; echo problem >&2; exit 7", {"EXTRA=more"});
        QVERIFY(end);
        QVERIFY(!end->exitCode());
        QCOMPARE(write(end->input(), "hello\n", 6), ssize_t{6});
        end->closeInput();
        QCOMPARE(allFrom(*end), std::string("hello\nmore\n"));
        QCOMPARE(end->waitForEnd(milliseconds(5000)), std::optional<int>(7));
        QCOMPARE(end->said(), std::string("problem\n"));
    }

    void saysWhatIsMissing()
    {
        const auto end = FarEnd::start({"/no/such/program"});
        QVERIFY(!end.ok());
        QCOMPARE(end.error().code, long{ENOENT});
        QVERIFY(end.error().text.find("/no/such/program") != std::string::npos);
    }

    /// Neither end of a pipe blocks the one who uses it.
    void doesNotBlock()
    {
        const auto end = shell("sleep 60");
        char byte = 0;
        QVERIFY(read(end->output(), &byte, 1) < 0 && errno == EAGAIN);
        const std::string many(1 << 20, 'x');
        QVERIFY(write(end->input(), many.data(), many.size()) < ssize_t(many.size()));
        QVERIFY(write(end->input(), many.data(), many.size()) < 0 && errno == EAGAIN);
    }

    /// Long text keeps its beginning and its end, and the writer is never held up.
    void keepsTheEndsOfLongText()
    {
        const auto end = shell("echo first >&2; head -c 3000000 /dev/zero | tr '\\0' x >&2; echo last >&2");
        QVERIFY(end->waitForEnd(milliseconds(20'000)));
        QVERIFY(end->said().starts_with("first\n") && end->said().ends_with("last\n"));
        QVERIFY(end->said().size() <= 16 * 1024);
    }

    /// Ctrl-C goes to the whole group of the terminal; the connection is needed to pass it on.
    void ctrlCDoesNotEndIt()
    {
        const auto end = shell("kill -INT $$; kill -HUP $$; echo alive");
        QCOMPARE(allFrom(*end), std::string("alive\n"));
    }

    void saysWhichSignalEndedIt()
    {
        const auto end = shell("kill -KILL $$");
        QCOMPARE(end->waitForEnd(milliseconds(5000)), std::optional<int>(128 + SIGKILL));
    }

    /// One that ignores the end of its input and being asked to end is killed; a program that it left behind and that
    /// holds standard error is not waited for.
    void endsWhatIsStuck()
    {
        auto end = shell("trap '' TERM; sleep 1000 & echo $$; while :; do sleep 1; done");
        const std::string pid = [&] {
            std::string line;
            char byte = 0;
            pollfd source{end->output(), POLLIN, 0};
            while (poll(&source, 1, 10'000) > 0 && read(end->output(), &byte, 1) == 1 && byte != '\n')
                line += byte;
            return line;
        }();
        const pid_t group = static_cast<pid_t>(std::stol(pid));
        QCOMPARE(kill(group, 0), 0);
        end.reset();
        QVERIFY(kill(group, 0) != 0);
    }
};

JETSCOPE_TEST(tst_FarEnd)
#include "tst_farend.moc"
