// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Spans appear in Nsight under their names. A library of our own takes Nsight's place; no GPU is needed.
#include "core/tracer.h"
#include "gpu/cuda/nvtxspans.h"

#include <QTest>

#include <dlfcn.h>

using namespace jetscope;

class TestNvtxSpans : public QObject {
    Q_OBJECT

private slots:
    void withoutAToolNothingHappens();
    void aToolSeesTheSpansOfAThread();
};

void TestNvtxSpans::withoutAToolNothingHappens()
{
    // In a process of its own, since NVTX looks for tools once.
    if (qEnvironmentVariableIsSet("NVTX_INJECTION64_PATH"))
        QSKIP("a tool is attached");
    Tracer tracer;
    const ThreadRecorder recorder(tracer, LaneRole::Tool, "test");
    showSpansToTools();
    {
        const SpanScope span(internName("alone", Category::Tool), 3);
    }
    std::vector<Span> spans;
    tracer.collect(spans);
    QCOMPARE(spans.size(), std::size_t(1));
}

void TestNvtxSpans::aToolSeesTheSpansOfAThread()
{
    const QByteArray path = qgetenv("NVTX_INJECTION64_PATH");
    if (path.isEmpty())
        QSKIP("runs a second time with NVTX_INJECTION64_PATH set");
    Tracer tracer;
    const ThreadRecorder recorder(tracer, LaneRole::Tool, "test");
    showSpansToTools();
    {
        const SpanScope outer(internName("outer", Category::Submit), 7);
        SpanScope dropped(internName("dropped", Category::Tool));
        dropped.discard();
    }
    void *tool = dlopen(path.constData(), RTLD_NOW | RTLD_NOLOAD);
    QVERIFY2(tool, "NVTX did not load the tool");
    const auto seen = reinterpret_cast<const char *(*)()>(dlsym(tool, "nvtxSeen"));
    QVERIFY(seen);
    QCOMPARE(QByteArray(seen()), QByteArray("domain jetscope\npush outer 7\npush dropped\npop\npop\n"));
}

QTEST_GUILESS_MAIN(TestNvtxSpans)
#include "tst_nvtxspans.moc"
