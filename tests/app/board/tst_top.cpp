// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/board/topscreen.h"
#include "app/commandline/textlayout.h"
#include "tests/app/jsonlines.h"
#include "tests/support/boardtree.h"
#include "tests/support/testprogram.h"

#include <QJsonDocument>
#include <QProcess>
#include <QTest>

#include <csignal>
#include <cstring>

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

using namespace jetscope;
using testing::BoardTree;

namespace {

/// Without the escape sequences.
std::string plain(const std::string &line)
{
    std::string text;
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (line[i] == '\x1b')
            i = line.find('m', i);
        else
            text += line[i];
    }
    return text;
}

/// A program on a terminal of its own.
class TerminalProgram {
public:
    TerminalProgram(const QStringList &arguments, unsigned short columns, unsigned short rows)
        : m_terminal(posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC))
    {
        if (m_terminal < 0 || grantpt(m_terminal) != 0 || unlockpt(m_terminal) != 0)
            qFatal("no pseudo terminal");
        m_programSide = open(ptsname(m_terminal), O_RDWR | O_NOCTTY | O_CLOEXEC);
        resize(columns, rows);
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("TERM", "xterm-256color");
        m_program.setProcessEnvironment(environment);
        m_program.setChildProcessModifier([side = m_programSide] {
            setsid();
            ioctl(side, TIOCSCTTY, 0);
            dup2(side, STDIN_FILENO);
            dup2(side, STDOUT_FILENO);
        });
        m_program.start(JETSCOPE_PROGRAM, arguments);
    }
    ~TerminalProgram()
    {
        m_program.kill();
        m_program.waitForFinished();
        close(m_programSide);
        close(m_terminal);
    }

    void resize(unsigned short columns, unsigned short rows) const
    {
        const winsize size{rows, columns, 0, 0};
        ioctl(m_terminal, TIOCSWINSZ, &size); // The program gets SIGWINCH.
    }
    void type(const char *keys) const
    {
        if (write(m_terminal, keys, std::strlen(keys)) < 0)
            qFatal("cannot write to the terminal");
    }
    /// Whether keys are echoed and delivered by lines.
    bool isCooked() const
    {
        termios mode{};
        tcgetattr(m_programSide, &mode);
        return (mode.c_lflag & ICANON) && (mode.c_lflag & ECHO);
    }
    /// What the program wrote, until `done` accepts it or ten seconds have passed.
    template <typename Done>
    std::string readUntil(Done done) const
    {
        std::string text;
        for (int tries = 0; tries < 1000 && !done(text); ++tries) {
            pollfd wait{m_terminal, POLLIN, 0};
            char piece[4096];
            if (poll(&wait, 1, 10) > 0)
                if (const ssize_t size = read(m_terminal, piece, sizeof piece); size > 0)
                    text.append(piece, static_cast<std::size_t>(size));
        }
        return text;
    }
    bool hasEnded() { return m_program.state() == QProcess::NotRunning || m_program.waitForFinished(1); }
    int exitCode() const { return m_program.exitStatus() == QProcess::NormalExit ? m_program.exitCode() : -1; }
    void interrupt() { ::kill(static_cast<pid_t>(m_program.processId()), SIGINT); }

private:
    QProcess m_program;
    int m_terminal;
    int m_programSide = -1;
};

} // namespace

class TestTop : public QObject {
    Q_OBJECT
private slots:
    void fitsEveryTerminal();
    void showsTheValues();
    void coloursOnlyIfAsked();
    void printsOneLine();
    void jsonHasValuesAndReasons();
    void theCommandPrintsLines();
    void theScreenFollowsTheTerminal_data();
    void theScreenFollowsTheTerminal();
    void theCommandRefusesNonsense_data();
    void theCommandRefusesNonsense();
};

void TestTop::fitsEveryTerminal()
{
    for (const testing::BoardExample &example : testing::boardExamples()) {
        const BoardTree tree(example);
        BoardSampler sampler(tree.root());
        const BoardState &state = sampler.sample(1);
        for (const std::size_t columns : {1U, 20U, 39U, 40U, 80U, 120U, 300U})
            for (const std::size_t rows : {1U, 5U, 24U, 60U}) {
                const auto lines =
                    topScreen("A machine with a long name", sampler.layout(), state, {columns, rows}, true);
                QVERIFY(!lines.empty() && lines.size() <= rows);
                for (const std::string &line : lines)
                    QVERIFY2(textWidth(plain(line)) <= columns, plain(line).c_str());
            }
    }
}

void TestTop::showsTheValues()
{
    const BoardTree tree(testing::boardExamples()[3]);
    BoardSampler sampler(tree.root());
    const BoardState &state = sampler.sample(1);
    std::string text;
    for (const std::string &line : topScreen("title", sampler.layout(), state, {120, 60}, false))
        text += line + "\n";
    for (const char *part : {"title", "MODE_30W (2)", "GPU load", "73.5 %", "612 MHz", "46.5 °C", "4.03 W", "2140 rpm",
                             "Clocks are limited: VIN_SYS_5V0", "q ends"})
        QVERIFY2(text.find(part) != std::string::npos, text.c_str());
    const auto few = topScreen("title", sampler.layout(), state, {80, 8}, false);
    QCOMPARE(few.size(), std::size_t{8});
    QVERIFY2(few.back().find("more line") != std::string::npos, few.back().c_str());
}

void TestTop::coloursOnlyIfAsked()
{
    const BoardTree tree(testing::boardExamples()[3]);
    BoardSampler sampler(tree.root());
    const BoardState &state = sampler.sample(1);
    const auto coloured = [&](bool colour) {
        const auto lines = topScreen("title", sampler.layout(), state, {80, 60}, colour);
        return std::any_of(lines.begin(), lines.end(),
                           [](const std::string &line) { return line.find('\x1b') != std::string::npos; });
    };
    QVERIFY(coloured(true));
    QVERIFY(!coloured(false));
}

void TestTop::printsOneLine()
{
    const BoardTree tree(testing::boardExamples()[3]);
    BoardSampler sampler(tree.root());
    const std::string line = topLine(sampler.layout(), sampler.sample(1));
    QVERIFY2(line.starts_with("power mode MODE_30W (2), clocks locked no, "), line.c_str());
    QVERIFY2(line.ends_with("; Clocks are limited: VIN_SYS_5V0"), line.c_str());
    QVERIFY(line.find('\n') == std::string::npos);
    const BoardTree empty;
    BoardSampler nothing(empty.root());
    QCOMPARE(topLine(nothing.layout(), nothing.sample(1)), std::string("nothing is known"));
}

void TestTop::jsonHasValuesAndReasons()
{
    const BoardTree tree(testing::boardExamples()[3]);
    BoardSampler sampler(tree.root());
    const QJsonObject object = printed(
        topJson(readBoardIdentity(tree.root()), sampler.layout(), sampler.sample(1), 1'700'000'000'500'000'000));
    QCOMPARE(object["time"].toDouble(), 1'700'000'000.5);
    QCOMPARE(object["jetpack"].toString(), QString("6.2.1"));
    QCOMPARE(object["power_mode"].toString(), QString("MODE_30W (2)"));
    QCOMPARE(object["values"]["GPU clock"]["value"].toDouble(), 612e6);
    QCOMPARE(object["values"]["GPU clock"]["unit"].toString(), QString("Hz"));
    QVERIFY(object["values"]["memory clock"]["value"].isNull());
    QVERIFY(object["values"]["memory clock"]["reason"].toString().contains("only root"));
}

void TestTop::theCommandPrintsLines()
{
    const BoardTree tree(testing::boardExamples()[2]);
    const auto run = [&](const QStringList &more) {
        QProcess program;
        program.start(JETSCOPE_PROGRAM,
                      QStringList{"top", "--sysroot", QString::fromStdString(tree.root()), "--interval", "0.1"} + more);
        if (!program.waitForFinished() || program.exitCode() != 0)
            qFatal("jetscope top failed");
        return program.readAllStandardOutput().trimmed().split('\n');
    };
    const QList<QByteArray> json = run({"--json", "--count", "3"});
    QCOMPARE(json.size(), 3);
    for (const QByteArray &line : json)
        QCOMPARE(QJsonDocument::fromJson(line)["module"].toString(), QString("p3668-0000 (Jetson Xavier NX)"));
    const QList<QByteArray> lines = run({"--count", "2"}); // No terminal: no screen.
    QCOMPARE(lines.size(), 2);
    QVERIFY2(lines[0].startsWith("power mode MODE_15W_6CORE (2), ") && !lines[0].contains('\x1b'), lines[0]);
}

void TestTop::theScreenFollowsTheTerminal_data()
{
    QTest::addColumn<QByteArray>("keys");
    QTest::newRow("q") << QByteArray("q");
    QTest::newRow("Ctrl-C") << QByteArray("\x03");
    QTest::newRow("SIGINT") << QByteArray();
}

void TestTop::theScreenFollowsTheTerminal()
{
    QFETCH(QByteArray, keys);
    const BoardTree tree(testing::boardExamples()[3]);
    TerminalProgram program({"top", "--sysroot", QString::fromStdString(tree.root()), "--interval", "0.1"}, 100, 50);
    const std::string first =
        program.readUntil([](const std::string &text) { return text.find("GPU load") < text.size(); });
    QVERIFY2(first.find("\x1b[?1049h") < first.find("GPU load"), first.c_str()); // A screen of its own.
    QVERIFY(!program.isCooked());

    program.resize(60, 6);
    const std::string small =
        program.readUntil([](const std::string &text) { return text.find("more line") < text.size(); });
    QVERIFY2(small.find("more line") < small.size(), small.c_str());

    if (keys.isEmpty())
        program.interrupt();
    else
        program.type(keys.constData());
    std::string last;
    QTRY_VERIFY_WITH_TIMEOUT((last += program.readUntil([](const std::string &) { return true; }), program.hasEnded()),
                             10'000);
    last += program.readUntil(
        [&](const std::string &text) { return (last + text).find("\x1b[?1049l") < (last + text).size(); });
    QVERIFY2(last.find("\x1b[?25h\x1b[?1049l") < last.size(), last.c_str()); // The cursor and the old screen are back.
    QVERIFY(program.isCooked());
    QCOMPARE(program.exitCode(), 0);
}

void TestTop::theCommandRefusesNonsense_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::newRow("interval") << QStringList{"--interval", "0"};
    QTest::newRow("count") << QStringList{"--count", "0"};
    QTest::newRow("folder") << QStringList{"--sysroot", "/there/is/no/such/folder"};
    QTest::newRow("operand") << QStringList{"word"};
}

void TestTop::theCommandRefusesNonsense()
{
    QFETCH(QStringList, arguments);
    QProcess program;
    program.start(JETSCOPE_PROGRAM, QStringList{"top", "--count", "1"} + arguments);
    QVERIFY(program.waitForFinished());
    QCOMPARE(program.exitCode(), 2);
    QVERIFY(program.readAllStandardOutput().isEmpty());
    QCOMPARE(program.readAllStandardError().count('\n'), 1);
}

JETSCOPE_TEST(TestTop)
#include "tst_top.moc"
