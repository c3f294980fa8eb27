// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// The rules for EGLStreams, each broken by hand, with the mended program beside it.
#include "core/hazards/hazardledger.h"
#include "tests/support/testprogram.h"

#include <QTest>

using namespace jetscope;

namespace {

/// An EGLStream with both ends, and one frame of each end.
class StreamProgram {
public:
    StreamProgram()
    {
        ledger.addStream(&stream);
        ledger.addStream(&other);
        ledger.connectConsumer(&consumer, &eglStream);
        ledger.connectProducer(&producer, {&eglStream, 64, 36}, {});
        ledger.addImage(&frame, 64, 36, {});
    }

    void kernel(const char &queue, const char &used, Access access)
    {
        const HazardLedger::Use use{&used, 0, 1, access};
        ledger.launch(&queue, std::span(&use, 1), {});
    }
    void present() { ledger.present(&producer, &frame, &stream, {}); }
    /// The consumer gets the frame that EGL calls `number`.
    void acquire(std::uint64_t number)
    {
        ledger.acquire(&consumer, &acquired, 64, 36, &stream);
        ledger.frameNumber(&consumer, number);
    }
    void release() { ledger.release(&consumer, &stream, {}); }

    /// "E3 E6", the rules that were broken since the last call.
    QString broken()
    {
        QStringList names;
        last = ledger.takeHazards();
        for (const Hazard &hazard : last)
            names << QString::fromUtf8(ruleOf(hazard.rule).name.data(), qsizetype(ruleOf(hazard.rule).name.size()));
        return names.join(' ');
    }

    HazardLedger ledger{HazardLedger::Conditions{}};
    std::vector<Hazard> last;
    char stream = 0, other = 0, eglStream = 0, otherStream = 0, producer = 0, consumer = 0, frame = 0, acquired = 0;
};

} // namespace

class TestHazardEglStream : public QObject {
    Q_OBJECT

private slots:
    void theConsumerConnectsFirst();
    void framesHaveTheSizeOfTheConnection();
    void presentedFramesAreLeftAlone();
    void noMoreThan64FramesArePresented();
    void framesAreFreedAfterTheProducer();
    void aConsumerOnlyReads();
    void releasedFramesAreLeftAlone();
    void aFrameIsReleasedBehindItsReaders();
    void repeatsAreNotUsed();
    void aGlConsumerDrawsNoRepeats();
    void nonsenseIsIgnored();
};

void TestHazardEglStream::theConsumerConnectsFirst()
{
    StreamProgram p;
    QCOMPARE(p.broken(), QString());
    p.ledger.connectProducer(&p.frame, {&p.otherStream, 64, 36}, {}); // Its own consumer is not there.
    QCOMPARE(p.broken(), QString("E1"));
    p.ledger.connectProducer(nullptr, {&p.otherStream, 64, 36}, {}); // As the driver refuses it.
    QCOMPARE(p.broken(), QString("E1"));
    p.ledger.removeConsumer(&p.consumer); // A new EGLStream at the old address.
    p.ledger.connectProducer(&p.frame, {&p.eglStream, 64, 36}, {});
    QCOMPARE(p.broken(), QString("E1"));
}

void TestHazardEglStream::framesHaveTheSizeOfTheConnection()
{
    for (const auto &[width, height] : {std::pair(65, 36), std::pair(64, 35), std::pair(36, 64)}) {
        StreamProgram p;
        p.ledger.addImage(&p.frame, width, height, {});
        p.present();
        QCOMPARE(p.broken(), QString("E3"));
    }
    StreamProgram mended;
    mended.present();
    QCOMPARE(mended.broken(), QString());
}

void TestHazardEglStream::presentedFramesAreLeftAlone()
{
    StreamProgram p;
    p.kernel(p.stream, p.frame, Access::Write);
    p.present();
    p.kernel(p.stream, p.frame, Access::Write);
    QCOMPARE(p.broken(), QString("E6"));
    p.kernel(p.stream, p.frame, Access::Read);
    QCOMPARE(p.broken(), QString("E6"));
    p.present();
    QCOMPARE(p.broken(), QString("E6"));
    p.ledger.takeBack(&p.frame);
    p.kernel(p.other, p.frame, Access::Write);
    QCOMPARE(p.broken(), QString());
}

void TestHazardEglStream::noMoreThan64FramesArePresented()
{
    StreamProgram p;
    std::array<char, 65> frames{};
    for (char &frame : frames) {
        QCOMPARE(p.broken(), QString());
        p.ledger.addImage(&frame, 64, 36, {});
        p.ledger.present(&p.producer, &frame, &p.stream, {});
    }
    QCOMPARE(p.broken(), QString("E2"));
    p.ledger.takeBack(&frames[0]);
    p.ledger.present(&p.producer, &frames[0], &p.stream, {});
    QCOMPARE(p.broken(), QString("E2"));
    p.ledger.takeBack(&frames[0]);
    p.ledger.takeBack(&frames[1]);
    p.ledger.present(&p.producer, &frames[0], &p.stream, {});
    QCOMPARE(p.broken(), QString());
}

void TestHazardEglStream::framesAreFreedAfterTheProducer()
{
    StreamProgram p;
    p.present();
    p.ledger.removeMemory(&p.frame, {});
    QCOMPARE(p.broken(), QString("E6"));

    StreamProgram mended;
    mended.present();
    mended.ledger.removeProducer(&mended.producer);
    mended.ledger.removeMemory(&mended.frame, {});
    QCOMPARE(mended.broken(), QString());

    StreamProgram returned;
    returned.present();
    returned.ledger.takeBack(&returned.frame);
    returned.ledger.removeMemory(&returned.frame, {});
    QCOMPARE(returned.broken(), QString());
}

void TestHazardEglStream::aConsumerOnlyReads()
{
    StreamProgram p;
    p.acquire(1);
    p.kernel(p.stream, p.acquired, Access::Read);
    QCOMPARE(p.broken(), QString());
    p.kernel(p.stream, p.acquired, Access::Write);
    QCOMPARE(p.broken(), QString("E6"));
    QVERIFY(p.last[0].text.find("a consumer may only read it") != std::string::npos);
}

void TestHazardEglStream::releasedFramesAreLeftAlone()
{
    StreamProgram p;
    for (std::uint64_t number = 1; number < 4; ++number) {
        p.acquire(number);
        p.kernel(p.stream, p.acquired, Access::Read);
        p.release();
    }
    QCOMPARE(p.broken(), QString());
    p.kernel(p.stream, p.acquired, Access::Read);
    QCOMPARE(p.broken(), QString("E6"));
    QVERIFY(p.last[0].text.find("released") != std::string::npos);
}

void TestHazardEglStream::aFrameIsReleasedBehindItsReaders()
{
    StreamProgram p;
    p.acquire(1);
    p.kernel(p.other, p.acquired, Access::Read);
    p.release(); // In the stream of the acquire, which does not wait for the other one.
    QCOMPARE(p.broken(), QString("E6"));

    StreamProgram mended;
    mended.acquire(1);
    mended.kernel(mended.other, mended.acquired, Access::Read);
    mended.ledger.record(&mended.frame, &mended.other, {});
    mended.ledger.wait(&mended.stream, &mended.frame);
    mended.release();
    QCOMPARE(mended.broken(), QString());
}

void TestHazardEglStream::repeatsAreNotUsed()
{
    StreamProgram p;
    p.acquire(1);
    p.kernel(p.stream, p.acquired, Access::Read);
    p.release();
    p.acquire(1); // The time-out gives the old frame again.
    p.release();
    QCOMPARE(p.broken(), QString()); // It is skipped.
    p.acquire(1);
    p.kernel(p.stream, p.acquired, Access::Read);
    QCOMPARE(p.broken(), QString("E4"));
    p.kernel(p.stream, p.acquired, Access::Write);
    QCOMPARE(p.broken(), QString("E6"));
    p.release();
    p.acquire(2);
    p.kernel(p.stream, p.acquired, Access::Read);
    QCOMPARE(p.broken(), QString());
}

void TestHazardEglStream::aGlConsumerDrawsNoRepeats()
{
    StreamProgram p;
    for (const std::uint64_t number : {1, 2, 5}) {
        p.ledger.frameNumber(&p.consumer, number);
        p.ledger.glDrawsFrame(&p.consumer, {});
    }
    QCOMPARE(p.broken(), QString());
    p.ledger.frameNumber(&p.consumer, 5);
    p.ledger.glDrawsFrame(&p.consumer, {});
    QCOMPARE(p.broken(), QString("E4"));
}

void TestHazardEglStream::nonsenseIsIgnored()
{
    StreamProgram p;
    const char &unknown = p.otherStream;
    p.ledger.present(&unknown, &p.frame, &p.stream, {});
    p.ledger.present(&p.producer, &unknown, &p.stream, {});
    p.ledger.takeBack(&unknown);
    p.ledger.frameNumber(&unknown, 0);
    p.ledger.glDrawsFrame(&unknown, {});
    p.release(); // Nothing is acquired.
    p.ledger.removeProducer(&unknown);
    p.ledger.removeConsumer(&unknown);
    p.kernel(p.stream, p.frame, Access::Write);
    QCOMPARE(p.broken(), QString());
}

JETSCOPE_TEST(TestHazardEglStream)
#include "tst_hazardeglstream.moc"
