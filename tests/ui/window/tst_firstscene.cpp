// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/cpustage/cpuanalysis.h"
#include "tests/support/fakewindow.h"
#include "tests/support/testprogram.h"
#include "ui/style/messagebar.h"
#include "ui/window/firstscene.h"
#include "ui/window/windowmenus.h"

#include <QAbstractButton>
#include <QTemporaryDir>
#include <QTest>

using namespace jetscope;

namespace {

constexpr std::int64_t kPeriodNs = 16'666'667;

} // namespace

class TestFirstScene : public QObject {
    Q_OBJECT
private slots:
    void init();
    void cleanup();
    void theSizeFillsThePeriod_data();
    void theSizeFillsThePeriod();
    void filtersFillTheRest_data();
    void filtersFillTheRest();
    void aMachineIsGivenWorkUntilItIsBusy();
    void aSlowMachineIsGivenLess();
    void theUsersChoiceEndsIt_data();
    void theUsersChoiceEndsIt();
    void onlyTheFirstStartIsOne();
    void theMessageIsOfLiveAlone();

private:
    Session &session() { return m_fake->window().session(); }
    QString message() { return m_fake->window().messages()->text(); }
    /// Half a second of frames with this work per frame.
    void run(std::int64_t cpuNs, std::int64_t gpuNs);
    /// Applies the requested change and adds frames with the new setting.
    void takeOver();

    std::unique_ptr<FakeWindow> m_fake;
    std::unique_ptr<FirstScene> m_scene;
    std::uint32_t m_next = 0;
};

void TestFirstScene::init()
{
    SessionRequest request;
    request.config = FirstScene::config();
    m_fake = std::make_unique<FakeWindow>(request);
    m_scene = std::make_unique<FirstScene>(session(), *m_fake->window().messages(), m_fake->window().live(), nullptr);
    m_fake->window().show();
    QVERIFY(m_fake->open());
    m_next = 0;
    m_fake->pipeline().state.source.uri = kDefaultSource;
    m_fake->pipeline().state.source.layout.width = 1280;
}

void TestFirstScene::cleanup()
{
    m_scene.reset();
    m_fake.reset();
}

void TestFirstScene::run(std::int64_t cpuNs, std::int64_t gpuNs)
{
    scriptFrames(m_fake->pipeline(), m_next, 30);
    for (FrameFigures &figures : m_fake->pipeline().update.figures)
        figures.overlap = {kPeriodNs, cpuNs, gpuNs, 0, kPeriodNs - cpuNs - gpuNs};
    m_next += 30;
    m_fake->poll();
}

void TestFirstScene::takeOver()
{
    FakePipeline &pipeline = m_fake->pipeline();
    if (!pipeline.changes.empty())
        pipeline.accept();
    if (!pipeline.sourceChanges.empty())
        pipeline.state.source.uri = pipeline.sourceChanges.back();
    pipeline.notice(PipelineNotice::Kind::Switched, "filters", m_next);
    m_fake->poll();
}

void TestFirstScene::theSizeFillsThePeriod_data()
{
    QTest::addColumn<double>("cpuMs");
    QTest::addColumn<double>("gpuMs");
    QTest::addColumn<int>("width");
    QTest::newRow("nothing to do") << 0.0 << 0.0 << 1920;
    QTest::newRow("fast") << 1.0 << 0.5 << 1920;
    QTest::newRow("as it should be") << 7.5 << 2.0 << 1280;
    QTest::newRow("slow GPU") << 2.0 << 30.0 << 640;
    QTest::newRow("slow CPU") << 14.0 << 2.0 << 928;
    QTest::newRow("hopeless") << 1e9 << 1e12 << 640;
}

void TestFirstScene::theSizeFillsThePeriod()
{
    QFETCH(double, cpuMs);
    QFETCH(double, gpuMs);
    const SceneSize size = fillingSize(1280, cpuMs, gpuMs, 1000.0 / 60);
    QTEST(size.width, "width");
    QCOMPARE(size.height * 16, size.width * 9);
    QCOMPARE(size.height % 2, 0);
}

void TestFirstScene::filtersFillTheRest_data()
{
    QTest::addColumn<double>("beforeMs");
    QTest::addColumn<double>("afterMs");
    QTest::addColumn<int>("filters");
    QTest::newRow("room for three") << 1.0 << 2.5 << 3;
    QTest::newRow("no room") << 4.0 << 9.0 << 0;
    QTest::newRow("full before") << 9.0 << 14.0 << 0;
    QTest::newRow("costs nothing") << 1.0 << 1.0 << 6;
    QTest::newRow("costs less than nothing") << 1.5 << 1.0 << 6;
}

void TestFirstScene::filtersFillTheRest()
{
    QFETCH(double, beforeMs);
    QFETCH(double, afterMs);
    QTEST(fillingFilters(beforeMs, afterMs, 1000.0 / 60, 6), "filters");
}

void TestFirstScene::aMachineIsGivenWorkUntilItIsBusy()
{
    if (!cpuStageCapability().available)
        QSKIP("this build has no CPU stage");
    QVERIFY(session().wanted().cpuStage == CpuStagePlacement::Pipelined);
    QVERIFY(message().contains(QStringLiteral("Ctrl+B")));
    run(2'000'000, 1'000'000);
    QTRY_COMPARE(m_fake->pipeline().sourceChanges.size(), std::size_t(1));
    QVERIFY(m_fake->pipeline().sourceChanges[0].find("size=1920x1080") != std::string::npos);
    run(2'000'000, 1'000'000); // These frames still have the previous size.
    QVERIFY(m_fake->pipeline().changes.empty());

    takeOver();
    run(4'500'000, 2'000'000);
    QCOMPARE(m_fake->pipeline().changes.size(), std::size_t(1));
    QVERIFY(m_fake->pipeline().changes[0].filters
            == std::vector<Filter>({Filter::Gaussian15, Filter::Gaussian5, Filter::Sobel}));
    QVERIFY(!m_scene->isSettled());
    takeOver();
    run(4'500'000, 3'500'000);
    QCOMPARE(m_fake->pipeline().changes.size(), std::size_t(2));
    QCOMPARE(m_fake->pipeline().changes[1].filters.size(), std::size_t(5)); // Two more filters of 1.5 ms each.
    QVERIFY(m_scene->isSettled());
    takeOver();
    run(4'500'000, 6'500'000);
    QCOMPARE(m_fake->pipeline().changes.size(), std::size_t(2));
    QVERIFY(message().contains(QStringLiteral("Ctrl+B"))); // Stays until the user acts.
}

void TestFirstScene::aSlowMachineIsGivenLess()
{
    run(5'000'000, 15'000'000);
    QTRY_COMPARE(m_fake->pipeline().sourceChanges.size(), std::size_t(1));
    QVERIFY(m_fake->pipeline().sourceChanges[0].find("size=896x504") != std::string::npos);
    takeOver();
    run(2'500'000, 8'000'000);
    QVERIFY(m_fake->pipeline().changes.empty());
    QVERIFY(m_scene->isSettled());
}

void TestFirstScene::theUsersChoiceEndsIt_data()
{
    QTest::addColumn<QString>("choice");
    for (const char *choice : {"memory", "source", "pause"})
        QTest::newRow(choice) << QString::fromLatin1(choice);
}

void TestFirstScene::theUsersChoiceEndsIt()
{
    QFETCH(QString, choice);
    MainWindow &window = m_fake->window();
    if (choice == QStringLiteral("memory")) {
        QTest::mouseClick(window.findChild<QAbstractButton *>(QStringLiteral("zero-copy")), Qt::LeftButton);
        m_fake->pipeline().accept();
    } else if (choice == QStringLiteral("source")) {
        emit window.findChild<SourceMenu *>()->chosen(QStringLiteral("v4l2:/dev/video7"));
        QTRY_COMPARE(m_fake->pipeline().sourceChanges.size(), std::size_t(1));
    } else {
        m_fake->pipeline().state.state = PipelineState::Paused;
    }
    const std::size_t changes = m_fake->pipeline().changes.size();
    const std::size_t sources = m_fake->pipeline().sourceChanges.size();
    for (int i = 0; i < 3; ++i) {
        run(2'000'000, 1'000'000);
        QTest::qWait(0);
    }
    QCOMPARE(m_fake->pipeline().changes.size(), changes);
    QCOMPARE(m_fake->pipeline().sourceChanges.size(), sources);
    QCOMPARE(message().isEmpty(), choice != QStringLiteral("pause")); // Pausing is not a choice.
    QVERIFY(m_fake->open());
    QCOMPARE(message().isEmpty(), choice != QStringLiteral("pause")); // A finished scene does not restart.
}

void TestFirstScene::onlyTheFirstStartIsOne()
{
    QTemporaryDir home;
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, home.path());
    QVERIFY(!Settings(Settings::Use::Ignore).isFirstStart());
    QVERIFY(Settings(Settings::Use::Normal).isFirstStart());
    Settings(Settings::Use::Normal).saveRequest("synthetic:", "soft:orin", {}, orinFacts());
    QVERIFY(!Settings(Settings::Use::Normal).isFirstStart());
}

/// What it proposes is not there while another workspace is shown.
void TestFirstScene::theMessageIsOfLiveAlone()
{
    MainWindow &window = m_fake->window();
    QVERIFY(message().contains(QStringLiteral("Ctrl+B")));
    window.actions().board->trigger();
    QTRY_VERIFY(message().isEmpty());
    window.actions().live->trigger();
    QTRY_VERIFY(message().contains(QStringLiteral("Ctrl+B")));
    // It does not take the place of another message, and what the user has closed stays closed.
    window.actions().board->trigger();
    window.messages()->show(MessageBar::Kind::Info, QStringLiteral("another one"));
    window.actions().live->trigger();
    QTest::qWait(0);
    QCOMPARE(message(), QStringLiteral("another one"));
    window.messages()->hide();
    window.actions().board->trigger();
    window.actions().live->trigger();
    QTest::qWait(0);
    QVERIFY(message().isEmpty());
}

JETSCOPE_TEST(TestFirstScene)
#include "tst_firstscene.moc"
