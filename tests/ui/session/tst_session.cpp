// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/fakepipeline.h"
#include "tests/support/testprogram.h"
#include "tests/support/wirecontrol.h"
#include "ui/session/session.h"
#include "ui/session/worker.h"

#include <QSignalSpy>
#include <QTest>

#include <future>

using namespace jetscope;

class TestSession : public QObject {
    Q_OBJECT
private slots:
    void opensAndCloses();
    void showsWhyItCouldNotOpenAndTriesAgain();
    void opensOffTheUiThread();
    void isGoneAlthoughAnOpeningDoesNotReturn_data();
    void isGoneAlthoughAnOpeningDoesNotReturn();
    void postsChangesAndTakesThemBack();
    void figuresBelongToThePresentConfiguration();
    void sourcesAreChangedByTheirAddress();
    void reopensWithTheUsersChoices();
    void pausesAndSteps();
    void figuresAreMadeOnlyWhereSomethingCame();
    void countsAreOfThePresentSetting();
    void overlapHasItsReason();

private:
    std::unique_ptr<Session> makeSession(SessionRequest request = {});
    bool open(Session &session);

    FakePipeline *m_pipeline = nullptr;
    std::atomic<int> m_destroyed{0};
    std::string m_failWith;
    std::vector<SessionRequest> m_requests;
    QThread *m_openedOn = nullptr;
};

std::unique_ptr<Session> TestSession::makeSession(SessionRequest request)
{
    m_requests.clear();
    m_failWith.clear();
    auto session = std::make_unique<Session>(
        [this](const SessionRequest &wanted) -> Result<std::unique_ptr<PipelineControl>> {
            m_openedOn = QThread::currentThread();
            m_requests.push_back(wanted);
            if (!m_failWith.empty())
                return Error{"open", 5, m_failWith};
            auto pipeline = std::make_unique<FakePipeline>();
            pipeline->destroyed = &m_destroyed;
            pipeline->state.config = wanted.config;
            m_pipeline = pipeline.get();
            return std::unique_ptr<PipelineControl>(std::make_unique<testing::WireControl>(std::move(pipeline)));
        },
        std::move(request));
    session->setPolling(false);
    return session;
}

bool TestSession::open(Session &session)
{
    session.open();
    return QTest::qWaitFor([&] { return session.phase() != Session::Phase::Opening; });
}

void TestSession::opensAndCloses()
{
    m_destroyed = 0;
    auto session = makeSession();
    QSignalSpy opened(session.get(), &Session::opened);
    QSignalSpy closing(session.get(), &Session::closing);
    QVERIFY(session->phase() == Session::Phase::Idle);
    QVERIFY(open(*session));
    QVERIFY(session->phase() == Session::Phase::Open);
    QCOMPARE(opened.count(), 1);
    QVERIFY(session->pipeline() != nullptr);
    const auto closedBefore = closing.count();
    session.reset();
    QCOMPARE(closing.count(), closedBefore + 1);
    QCOMPARE(m_destroyed.load(), 1);
}

void TestSession::showsWhyItCouldNotOpenAndTriesAgain()
{
    auto session = makeSession();
    m_failWith = "the file is not there; choose another";
    QSignalSpy failed(session.get(), &Session::failed);
    QVERIFY(open(*session));
    QCOMPARE(failed.count(), 1);
    QVERIFY(session->phase() == Session::Phase::Failed);
    QCOMPARE(session->failure().text, m_failWith);
    session->poll(); // No update is available.
    m_failWith.clear();
    QVERIFY(open(*session));
    QVERIFY(session->phase() == Session::Phase::Open);
}

void TestSession::opensOffTheUiThread()
{
    auto session = makeSession();
    QVERIFY(open(*session));
    QVERIFY(m_openedOn != nullptr);
    QVERIFY(m_openedOn != QThread::currentThread());
}

void TestSession::isGoneAlthoughAnOpeningDoesNotReturn_data()
{
    QTest::addColumn<bool>("opens");
    QTest::newRow("opening does not return") << false;
    QTest::newRow("closing does not return") << true;
}

/// Would never end.
void TestSession::isGoneAlthoughAnOpeningDoesNotReturn()
{
    QFETCH(bool, opens);
    /// Its end waits for a thread.
    struct HangingPipeline : FakePipeline {
        explicit HangingPipeline(std::shared_future<void> wait) : letGo(std::move(wait)) {}
        ~HangingPipeline() override { letGo.wait(); }
        std::shared_future<void> letGo;
    };
    std::promise<void> promise;
    auto session = std::make_unique<Session>(
        [opens,
         letGo = promise.get_future().share()](const SessionRequest &) -> Result<std::unique_ptr<PipelineControl>> {
            if (opens)
                return std::unique_ptr<PipelineControl>(std::make_unique<HangingPipeline>(letGo));
            letGo.wait();
            return Error{"open", 0, "too late"};
        },
        SessionRequest());
    session->open();
    if (opens)
        QTRY_VERIFY(session->phase() == Session::Phase::Open);
    session.reset();
    QCOMPARE(Worker::leftBehind().size(), 1u);
    promise.set_value();
    QTRY_VERIFY(Worker::leftBehind().empty());
}

void TestSession::postsChangesAndTakesThemBack()
{
    auto session = makeSession();
    QVERIFY(open(*session));
    QSignalSpy wanted(session.get(), &Session::wantedChanged);
    PipelineConfig config = session->wanted();
    config.memory = MemoryKind::ZeroCopy;
    session->change(config);
    QCOMPARE(m_pipeline->changes.size(), std::size_t(1));
    QVERIFY(session->wanted() == config);
    // A second change before the first one is in force includes the first.
    config.sync = SyncMode::Finish;
    session->change(config);
    QVERIFY(m_pipeline->changes.back().memory == MemoryKind::ZeroCopy);
    session->change(config); // An equal configuration is no change.
    QCOMPARE(m_pipeline->changes.size(), std::size_t(2));

    m_pipeline->refuse("out of memory");
    const auto before = wanted.count();
    session->poll();
    QCOMPARE(wanted.count(), before + 1);
    QVERIFY(session->wanted() == m_pipeline->state.config);
}

void TestSession::figuresBelongToThePresentConfiguration()
{
    auto session = makeSession();
    QVERIFY(open(*session));
    scriptFrames(*m_pipeline, 0, 60);
    session->refreshFigures();
    session->poll();
    QVERIFY(session->figures().frames > 0);
    QVERIFY(qAbs(session->figures().fps - 60) < 0.1);
    QVERIFY(!session->verdict().sentence.empty());
    QCOMPARE(session->trace().frames().endIndex(), std::uint64_t(60));
    QCOMPARE(session->trace().lateSpans(), std::uint64_t(0));

    scriptFrames(*m_pipeline, 60, 30);
    for (FrameFigures &figures : m_pipeline->update.figures)
        figures.frameNs = 5'000'000;
    m_pipeline->notice(PipelineNotice::Kind::Switched, "sync: finish → eglsync", 60);
    session->poll();
    QVERIFY(qAbs(session->figures().frameMs.p50 - 5) < 0.01); // Without frames of the previous setting.
    QCOMPARE(session->trace().marks().all().size(), std::size_t(1));
    QVERIFY(session->trace().marks().all().front().kind == TraceMark::Kind::Switch);
}

void TestSession::sourcesAreChangedByTheirAddress()
{
    auto session = makeSession();
    QVERIFY(open(*session));
    session->changeSource("file:/clip.avi");
    QCOMPARE(m_pipeline->sourceChanges, std::vector<std::string>{"file:/clip.avi"});
    session->poll();
    QCOMPARE(session->request().source, std::string("file:/clip.avi"));

    m_pipeline->failSourceWith = "no such file";
    QSignalSpy noticed(session.get(), &Session::noticed);
    session->changeSource("file:/missing.avi");
    session->poll();
    QCOMPARE(noticed.count(), 1);
    QVERIFY(noticed.front().front().value<PipelineNotice>().text.find("no such file") != std::string::npos);
    QCOMPARE(session->request().source, std::string("file:/clip.avi")); // The current source stays open.
}

void TestSession::reopensWithTheUsersChoices()
{
    SessionRequest request;
    request.fixed = {{"sync", "finish"}};
    auto session = makeSession(request);
    QVERIFY(open(*session));
    PipelineConfig config = session->wanted();
    config.sync = SyncMode::Poll;
    session->change(config);
    m_destroyed = 0;
    QVERIFY(open(*session));
    QCOMPARE(m_destroyed.load(), 1);
    QVERIFY(m_requests.back().config.sync == SyncMode::Poll);
    QVERIFY(m_requests.back().fixed.empty());

    // After the end of a source, another source opens a new pipeline.
    m_pipeline->state.state = PipelineState::Ended;
    session->poll();
    QSignalSpy opened(session.get(), &Session::opened);
    session->changeSource("synthetic:");
    QTRY_COMPARE(opened.count(), 1);
    QCOMPARE(m_requests.size(), std::size_t(3));
    QCOMPARE(m_requests.back().source, std::string("synthetic:"));
    QVERIFY(session->phase() == Session::Phase::Open);
}

void TestSession::pausesAndSteps()
{
    auto session = makeSession();
    QVERIFY(open(*session));
    session->step(); // While running, a step pauses first.
    QVERIFY(m_pipeline->state.state == PipelineState::Paused);
    QCOMPARE(m_pipeline->steps, 1);
    QSignalSpy status(session.get(), &Session::statusChanged);
    session->poll();
    QCOMPARE(status.count(), 1);
    session->poll();
    QCOMPARE(status.count(), 1); // An unchanged status emits no signal.
    session->setPaused(false);
    QVERIFY(m_pipeline->state.state == PipelineState::Running);
}

void TestSession::figuresAreMadeOnlyWhereSomethingCame()
{
    auto still = makeSession();
    QVERIFY(open(*still));
    FakePipeline &stillPipeline = *m_pipeline;
    scriptFrames(stillPipeline, 0, 30);
    still->refreshFigures();
    still->poll();
    QCOMPARE(still->figures().frames, std::uint64_t{30});
    auto running = makeSession();
    QVERIFY(open(*running));
    QSignalSpy clock(running.get(), &Session::figuresChanged);
    QSignalSpy made(still.get(), &Session::figuresChanged);
    std::uint32_t next = 0;
    const auto look = [&] {
        scriptFrames(*m_pipeline, next, 1);
        ++next;
        running->poll();
        still->poll();
        return clock.count();
    };
    QTRY_VERIFY(look() >= 3); // Number of polls with due figures.
    QCOMPARE(made.count(), 0);
    scriptFrames(stillPipeline, 30, 1);
    QTRY_VERIFY((still->poll(), made.count() == 1));
    QCOMPARE(still->figures().frames, std::uint64_t{31});
}

void TestSession::countsAreOfThePresentSetting()
{
    auto session = makeSession();
    QVERIFY(open(*session));
    scriptFrames(*m_pipeline, 0, 100);
    m_pipeline->state.droppedBySource = 12'690;
    m_pipeline->state.droppedByView = 5;
    m_pipeline->state.emulationBytes = 100 * 3'700'000;
    session->poll();
    QCOMPARE(session->counts().dropped(), std::uint64_t(12'695));
    QCOMPARE(session->counts().emulationBytes / session->counts().frames, std::uint64_t(3'700'000));

    m_pipeline->notice(PipelineNotice::Kind::Switched, "source: file:/clip.avi", 100);
    session->poll();
    QCOMPARE(session->counts().dropped(), std::uint64_t(0));
    QCOMPARE(session->figures().frames, std::size_t(0)); // No figures of the previous setting remain.
    scriptFrames(*m_pipeline, 100, 50);
    m_pipeline->state.emulationBytes += 50 * 16'000'000ULL;
    session->refreshFigures();
    session->poll();
    QCOMPARE(session->counts().dropped(), std::uint64_t(0));
    QCOMPARE(session->counts().frames, std::uint64_t(50));
    QCOMPARE(session->counts().emulationBytes / session->counts().frames, std::uint64_t(16'000'000));
    QCOMPARE(session->figures().frames, std::size_t(50));
}

void TestSession::overlapHasItsReason()
{
    auto session = makeSession();
    QVERIFY(open(*session));
    scriptFrames(*m_pipeline, 0, 60);
    for (FrameFigures &figures : m_pipeline->update.figures)
        figures.overlap = {16'666'667, 16'700, 7'400'000, 16'700, 16'666'667 - 7'400'000};
    m_pipeline->update.figures[30].overlap = {16'666'667, 5'000'000, 7'400'000, 5'000'000, 16'666'667 - 7'400'000};
    session->refreshFigures();
    session->poll();
    QVERIFY(!session->figures().pooled.overlap()); // Too few frames for an overlap.
    QCOMPARE(session->figures().pooled.overlapReason(),
             std::string("the CPU was busy 0.7 % of the time: there is nothing to overlap"));
}

JETSCOPE_TEST(TestSession)
#include "tst_session.moc"
