// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/testprogram.h"
#include "ui/session/backgroundjob.h"
#include "ui/session/worker.h"

#include <QThread>

#include <future>

using namespace jetscope;

namespace {

/// Work that does not return until it is let go.
class Gate {
public:
    ~Gate() { open(); }
    std::function<void()> wait()
    {
        return [opened = m_opened] { opened.wait(); };
    }
    void open()
    {
        if (!std::exchange(m_isOpen, true))
            m_promise.set_value();
    }

private:
    std::promise<void> m_promise;
    std::shared_future<void> m_opened = m_promise.get_future().share();
    bool m_isOpen = false;
};

constexpr std::chrono::milliseconds kShort{10};

} // namespace

/// Threads whose owner goes before their work has ended.
class TestWorker : public QObject {
    Q_OBJECT
private slots:
    void cleanup() { QTRY_VERIFY(Worker::leftBehind().empty()); }
    void repliesComeInOrderOnTheThreadOfTheWindow();
    void waitsForWorkThatReturns();
    void leavesBehindWhatDoesNotReturn();
    void isImpatientOnceSomethingWasLeftBehind();
    void forgetsWhatHasNotBegun();
    void aJobOnAFileThatDoesNotReturnHoldsNoOwner();
};

void TestWorker::repliesComeInOrderOnTheThreadOfTheWindow()
{
    std::vector<int> order;
    std::vector<QThread *> threads;
    Worker worker("work");
    for (int i = 0; i < 20; ++i)
        worker.start([&, i](const Worker::Reply &reply) {
            reply.post([&, i] {
                order.push_back(i);
                threads.push_back(QThread::currentThread());
            });
        });
    QTRY_COMPARE(order.size(), 20u);
    QVERIFY(std::is_sorted(order.begin(), order.end()));
    QVERIFY(std::all_of(threads.begin(), threads.end(), [](QThread *thread) { return thread == qApp->thread(); }));
}

void TestWorker::waitsForWorkThatReturns()
{
    std::atomic<int> done = 0;
    bool replied = false;
    {
        Worker worker("work");
        for (int i = 0; i < 3; ++i)
            worker.start([&](const Worker::Reply &reply) {
                QThread::msleep(1);
                ++done;
                reply.post([&] { replied = true; });
            });
    }
    QCOMPARE(done.load(), 3); // Those that had not begun, too.
    QCoreApplication::processEvents();
    QVERIFY(!replied);
    QVERIFY(Worker::leftBehind().empty());
}

void TestWorker::leavesBehindWhatDoesNotReturn()
{
    Gate gate;
    auto replied = std::make_shared<std::atomic<bool>>(false);
    auto ended = std::make_shared<std::atomic<bool>>(false);
    {
        Worker worker("asking the disk", kShort);
        worker.start([wait = gate.wait(), replied, ended](const Worker::Reply &reply) {
            wait();
            reply.post([replied] { *replied = true; });
            *ended = true;
        });
    }
    QCOMPARE(Worker::leftBehind().size(), 1u);
    QCOMPARE(QByteArray(Worker::leftBehind().front()), QByteArray("asking the disk"));
    gate.open();
    QTRY_VERIFY(*ended);
    QCoreApplication::processEvents();
    QVERIFY(!*replied); // Nobody is there.
}

void TestWorker::isImpatientOnceSomethingWasLeftBehind()
{
    Gate gate;
    const auto leave = [&](std::chrono::milliseconds patience) {
        Worker worker("work", patience);
        worker.start(gate.wait());
    };
    leave(kShort);
    leave(std::chrono::hours(1)); // Would be the end of this test.
    QCOMPARE(Worker::leftBehind().size(), 2u);
}

void TestWorker::forgetsWhatHasNotBegun()
{
    Gate gate;
    std::atomic<bool> ran = false;
    Worker worker("work");
    worker.start(gate.wait());
    worker.start([&] { ran = true; });
    QVERIFY(!worker.waitForDone(kShort));
    worker.clear();
    gate.open();
    QVERIFY(worker.waitForDone(std::chrono::minutes(1)));
    QVERIFY(!ran);
}

void TestWorker::aJobOnAFileThatDoesNotReturnHoldsNoOwner()
{
    Gate gate;
    auto goesOn = std::make_shared<std::atomic<int>>(-1);
    bool finished = false;
    {
        BackgroundJob job;
        job.start("a query", [wait = gate.wait(), goesOn, &finished](OpenProgress &progress) {
            wait();
            *goesOn = progress.advance(1) ? 1 : 0; // Still safe to call.
            return [&finished] { finished = true; };
        });
    }
    QCOMPARE(Worker::leftBehind().size(), 1u);
    gate.open();
    QTRY_COMPARE(goesOn->load(), 0); // It was cancelled.
    QTRY_VERIFY(Worker::leftBehind().empty());
    QCoreApplication::processEvents();
    QVERIFY(!finished);
}

JETSCOPE_TEST(TestWorker)
#include "tst_worker.moc"
