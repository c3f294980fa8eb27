// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Results. Also checks that tests run with assertions: accessing an error as a value aborts the program and prints the
// error.
#include "core/result.h"
#include "tests/support/testprogram.h"

#include <QTest>

#include <csignal>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

using namespace jetscope;

namespace {

struct Ending {
    int status = 0;
    std::string err;
};

/// Exit status and stderr of a process that calls this function.
template <class Do>
Ending endingOf(const Do &work)
{
    int ends[2];
    if (::pipe(ends) != 0)
        return {};
    const pid_t child = ::fork();
    if (child == 0) {
        ::dup2(ends[1], STDERR_FILENO);
        std::signal(SIGABRT, SIG_DFL); // Qt Test's own handler would report the test as failed.
        work();
        ::_exit(0);
    }
    ::close(ends[1]);
    Ending ending;
    char text[512];
    for (ssize_t got = 0; (got = ::read(ends[0], text, sizeof text)) > 0;)
        ending.err.append(text, static_cast<std::size_t>(got));
    ::close(ends[0]);
    ::waitpid(child, &ending.status, 0);
    return ending;
}

} // namespace

class TestResult : public QObject {
    Q_OBJECT

private slots:
    void oneOrTheOther()
    {
        const Result<int> value(3);
        QVERIFY(value.ok());
        QCOMPARE(value.value(), 3);
        const Result<int> error(Error{"eglCreateSync", 12288, "no fence could be made"});
        QVERIFY(!error.ok());
        QCOMPARE(error.error().message(), std::string("eglCreateSync: no fence could be made (code 12288)"));
    }

    void anErrorTakenForAValueEndsTheProgram()
    {
#ifdef NDEBUG
        QSKIP("this build has no assertions");
#endif
        const Ending good = endingOf([] { static_cast<void>(Result<int>(3).value()); });
        QVERIFY(WIFEXITED(good.status) && WEXITSTATUS(good.status) == 0 && good.err.empty());
        const Ending bad = endingOf([] {
            const Result<int> error(Error{"eglCreateSync", 12288, "no fence could be made"});
            static_cast<void>(error.value());
        });
        QVERIFY(WIFSIGNALED(bad.status) && WTERMSIG(bad.status) == SIGABRT);
        QVERIFY2(bad.err.find("an error was taken for a value: eglCreateSync: no fence could be made (code 12288)")
                     != std::string::npos,
                 bad.err.c_str());
        QVERIFY(WIFSIGNALED(endingOf([] { static_cast<void>(Result<int>(3).error()); }).status));
    }
};

JETSCOPE_TEST(TestResult)
#include "tst_result.moc"
