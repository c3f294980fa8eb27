// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/recording/tracer.h"

#include "tests/core/recordingcost.h"
#include "tests/support/testprogram.h"

#include <QTest>

#include <cstdlib>
#include <new>

namespace {

thread_local std::size_t t_allocations = 0;

} // namespace

// Replaced for the whole program, so that all allocations while a span is recorded are counted. All of them: a
// sanitizer's own ones do not go with std::free.
void *operator new(std::size_t size, const std::nothrow_t &) noexcept
{
    ++t_allocations;
    return std::malloc(size ? size : 1);
}
void *operator new(std::size_t size)
{
    if (void *memory = ::operator new(size, std::nothrow))
        return memory;
    throw std::bad_alloc();
}
void operator delete(void *memory) noexcept
{
    std::free(memory);
}
void operator delete(void *memory, std::size_t) noexcept
{
    std::free(memory);
}

using namespace jetscope;

class TestRecordingCost : public QObject {
    Q_OBJECT

private slots:
    void recordingAllocatesNothing()
    {
        Tracer tracer;
        const NameId name = internName("span", Category::Submit);
        const ThreadRecorder recorder(tracer, LaneRole::Pipeline, "Pipeline");
        const std::size_t before = t_allocations;
        for (std::size_t i = 0; i < SpanRing::kCapacity + 100; ++i) { // Includes a full ring.
            SpanScope scope(name, 1);
            scope.setBytes(i);
        }
        QCOMPARE(t_allocations, before);
        ::operator delete(::operator new(8));
        QCOMPARE(t_allocations, before + 1); // Proves that the counter works.
    }

    /// The goal is 1.5; the margin is for machines with other load.
    void recordingCostsLittleMoreThanItsStamps()
    {
#ifdef __SANITIZE_THREAD__
        QSKIP("the sanitizer makes each store cost what several do");
#endif
        const test::RecordingCost cost = test::measureRecordingCost();
        QVERIFY2(cost.ratio() <= 3, qPrintable(QString("%1 ns against %2 ns").arg(cost.spanNs).arg(cost.stampsNs)));
    }
};

JETSCOPE_TEST(TestRecordingCost)
#include "tst_recordingcost.moc"
