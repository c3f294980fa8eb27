// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/settings/filters.h"
#include "core/settings/pipelineconfig.h"
#include "gpu/attach/host/inspection.h"
#include "gpu/pipeline/pipelinecontrol.h"
#include "gpu/remote/remotehost.h"
#include "tests/support/startserve.h"
#include "tests/support/testprogram.h"

#include <QTemporaryDir>
#include <QTest>

using namespace jetscope;

/// Code of the user that runs on a board: what the laptop learns of it.
class tst_BoardPrograms : public QObject {
    Q_OBJECT
    std::unique_ptr<QTemporaryDir> m_home;
    std::shared_ptr<RemoteHost> m_host;

    std::unique_ptr<PipelineControl> inspected(std::vector<std::string> command)
    {
        SessionRequest request;
        request.program.emplace();
        request.program->command = std::move(command);
        auto control = m_host->open(request);
        if (!control.ok())
            qWarning("%s", control.error().message().c_str());
        return control.ok() ? std::move(control).value() : nullptr;
    }

private slots:
    void init()
    {
        m_home = std::make_unique<QTemporaryDir>();
        for (const char *variable : {"HOME", "XDG_RUNTIME_DIR"})
            qputenv(variable, m_home->path().toUtf8());
        for (const char *variable : {"XDG_CACHE_HOME", "XDG_DATA_HOME"})
            qunsetenv(variable);
        m_host = testing::connected([] { return testing::startServe(JETSCOPE_PROGRAM, "5"); });
        QVERIFY(m_host);
    }
    void cleanup() { m_host.reset(); }

    /// The board loads it, whatever this process knows, and its name is what crosses.
    void theBoardDecidesAboutStages()
    {
        const std::string stage = std::string("stage:") + JETSCOPE_EXAMPLE_STAGE;
        const std::size_t known = choices<Filter>().size();
        SessionRequest request;
        request.source = "synthetic:?size=64x48&fps=60";
        request.deviceId = "soft:orin";
        request.fixed = {{"filters", "invert," + stage}};
        auto opened = m_host->open(request);
        QVERIFY2(opened.ok(), opened.ok() ? "" : opened.error().message().c_str());
        PipelineControl &control = *opened.value();
        QCOMPARE(filterNames(control.status().config.filters), "invert," + stage);
        QVERIFY(choices<Filter>().size() <= known + 1);
        QTRY_VERIFY_WITH_TIMEOUT(control.status().frames > 5, 20'000);
        // Another choice keeps it: the laptop says its name, and has no code of it.
        PipelineConfig config = control.status().config;
        config.framesInFlight = config.framesInFlight == 1 ? 2 : 1;
        control.change(config);
        QTRY_COMPARE_WITH_TIMEOUT(control.status().config.framesInFlight, config.framesInFlight, 20'000);
        QCOMPARE(filterNames(control.status().config.filters), "invert," + stage);
    }

    void aStageThatTheBoardLacks()
    {
        SessionRequest request;
        request.source = "synthetic:?size=64x48";
        request.fixed = {{"filters", "stage:/no/such/libmine.so"}};
        const auto opened = m_host->open(request);
        QVERIFY(!opened.ok());
        QVERIFY2(opened.error().text.find("/no/such/libmine.so") != std::string::npos, opened.error().text.c_str());
    }

    void aProgramRunsAndEnds()
    {
        const auto control = inspected({"sh", "-c", "echo hello; sleep 1; exit 3"});
        QVERIFY(control && control->inspection());
        const Inspection &program = *control->inspection();
        QVERIFY(program.state().command.find("echo hello") != std::string::npos);
        QTRY_VERIFY_WITH_TIMEOUT(program.state().output == "hello\n" && !program.state().end, 20'000);
        QTRY_VERIFY_WITH_TIMEOUT(program.state().end, 20'000);
        QCOMPARE(program.state().end->exitCode, 3);
        QCOMPARE(program.state().end->signal, 0);
        QTRY_VERIFY(control->status().state == PipelineState::Ended);
    }

    void aProgramIsAskedToEnd()
    {
        const auto control = inspected({"sleep", "1000"});
        QVERIFY(control && control->inspection());
        Inspection &program = *control->inspection();
        QVERIFY(!program.state().end);
        program.endProgram();
        QTRY_VERIFY_WITH_TIMEOUT(program.state().end, 20'000);
        QCOMPARE(program.state().end->signal, SIGTERM);
    }

    /// Much that it prints costs the link little: the end of it comes.
    void theEndOfMuchOutputComes()
    {
        const auto control = inspected({"sh", "-c", "seq 200000; echo the end"});
        QVERIFY(control && control->inspection());
        const Inspection &program = *control->inspection();
        QTRY_VERIFY_WITH_TIMEOUT(QByteArray::fromStdString(program.state().output).endsWith("\nthe end\n"), 20'000);
        QVERIFY(program.state().outputBytes > 1'000'000 && program.state().output.size() < 64 << 10);
        QVERIFY(m_host->state().bytesRead < 1'000'000);
    }
};

JETSCOPE_TEST(tst_BoardPrograms)
#include "tst_boardprograms.moc"
