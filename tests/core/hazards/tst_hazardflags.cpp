// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// What the hazard ledger says of flags that streams write for the CPU, with the mended program beside each mistake.
#include "tests/core/hazards/handprogram.h"
#include "tests/support/testprogram.h"

#include <QTest>

using namespace jetscope;
using test::Program;

class TestHazardFlags : public QObject {
    Q_OBJECT

private slots:
    void aFlagIsAnOrder();
    void aFlagWithoutABarrierIsNone();
    void aFlagGivesNoUnifiedMemoryBack();
    void semaphoresOrderBothSides();
    void theValuesOfASemaphoreGrow();
};

void TestHazardFlags::aFlagIsAnOrder()
{
    Program p;
    p.kernel(p.stream, p.memory, Access::Write);
    p.ledger.writeFlag(&p.event, 1, true, &p.stream);
    p.touch(Access::Read); // Nobody has looked at the flag.
    QCOMPARE(p.broken(), QString("O1"));
    p.kernel(p.stream, p.memory, Access::Write);
    p.ledger.writeFlag(&p.event, 2, true, &p.stream);
    p.ledger.flagSeen(&p.event, 1, Program::at(3)); // That is the frame before.
    p.touch(Access::Read);
    QCOMPARE(p.broken(), QString("O1"));

    Program mended;
    for (std::uint32_t value : {0xffffffffU, 0U, 1U}) { // Values that wrap around.
        mended.kernel(mended.stream, mended.memory, Access::Write);
        mended.ledger.writeFlag(&mended.event, value, true, &mended.stream);
        mended.ledger.flagSeen(&mended.event, value, Program::at(3));
        mended.touch(Access::Read);
    }
    QCOMPARE(mended.broken(), QString());
}

void TestHazardFlags::aFlagWithoutABarrierIsNone()
{
    Program p;
    p.kernel(p.stream, p.memory, Access::Write);
    p.ledger.writeFlag(&p.event, 1, false, &p.stream);
    QCOMPARE(p.broken(), QString());
    p.ledger.flagSeen(&p.event, 1, Program::at(3));
    QCOMPARE(p.broken(), QString("B6"));
    p.touch(Access::Read);
    QCOMPARE(p.broken(), QString("O1"));

    Program mended;
    mended.kernel(mended.stream, mended.memory, Access::Write);
    mended.ledger.writeFlag(&mended.event, 1, false, &mended.stream);
    mended.ledger.writeFlag(&mended.event, 2, true, &mended.stream);
    mended.ledger.flagSeen(&mended.event, 2, Program::at(3));
    mended.touch(Access::Read);
    QCOMPARE(mended.broken(), QString());
}

/// As a fence of GL: no call of CUDA has shown the driver that the work is complete.
void TestHazardFlags::aFlagGivesNoUnifiedMemoryBack()
{
    Program p(Allocation::Managed);
    p.kernel(p.stream, p.memory, Access::Write);
    p.ledger.writeFlag(&p.event, 1, true, &p.stream);
    p.ledger.flagSeen(&p.event, 1, Program::at(3));
    p.touch(Access::Read);
    QCOMPARE(p.broken(), QString("A1"));

    Program mended(Allocation::Managed);
    mended.kernel(mended.stream, mended.memory, Access::Write);
    mended.ledger.writeFlag(&mended.event, 1, true, &mended.stream);
    mended.ledger.flagSeen(&mended.event, 1, Program::at(3));
    mended.ledger.synchronize(&mended.stream);
    mended.touch(Access::Read);
    QCOMPARE(mended.broken(), QString());
}

/// As the sync mode uses two of them.
void TestHazardFlags::semaphoresOrderBothSides()
{
    Program p;
    p.kernel(p.stream, p.image, Access::Write);
    p.ledger.signalSemaphore(&p.event, 1, &p.stream, Program::at(1));
    p.gl(Access::Read); // GL does not wait.
    QCOMPARE(p.broken(), QString("C1"));
    p.ledger.glSignalSemaphore(&p.fence, 1, &p.glQueue, Program::at(1));
    p.kernel(p.stream, p.image, Access::Write); // Nor does the stream.
    QCOMPARE(p.broken(), QString("C1"));

    Program mended;
    for (std::uint64_t value = 1; value <= 100; ++value) {
        mended.kernel(mended.stream, mended.image, Access::Write);
        mended.ledger.signalSemaphore(&mended.event, value, &mended.stream, Program::at(1));
        mended.ledger.syncFromSemaphore(&mended.sync, &mended.event, value);
        mended.ledger.glWaitSync(&mended.glQueue, &mended.sync);
        mended.gl(Access::Read);
        mended.ledger.glSignalSemaphore(&mended.fence, value, &mended.glQueue, Program::at(1));
        mended.ledger.waitSemaphore(&mended.fence, value, &mended.stream);
    }
    QCOMPARE(mended.broken(), QString());
}

void TestHazardFlags::theValuesOfASemaphoreGrow()
{
    Program p;
    p.ledger.signalSemaphore(&p.event, 0, &p.stream, Program::at(1));
    QCOMPARE(p.broken(), QString("D8"));
    p.ledger.signalSemaphore(&p.event, 5, &p.stream, Program::at(1));
    p.ledger.glSignalSemaphore(&p.event, 6, &p.glQueue, Program::at(1));
    QCOMPARE(p.broken(), QString());
    p.ledger.glSignalSemaphore(&p.event, 6, &p.glQueue, Program::at(2));
    p.ledger.signalSemaphore(&p.event, 4, &p.stream, Program::at(3));
    QCOMPARE(p.broken(), QString("D8 D8"));
    p.ledger.removeSemaphore(&p.event);
    p.ledger.signalSemaphore(&p.event, 1, &p.stream, Program::at(4)); // Another one with that address.
    QCOMPARE(p.broken(), QString());
}

JETSCOPE_TEST(TestHazardFlags)
#include "tst_hazardflags.moc"
