// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Spans appear in Nsight under their names. A test library replaces Nsight; no GPU is needed.
#include "core/recording/tracer.h"
#include "gpu/cuda/nvtxspans.h"

#include <QTest>

#include <dlfcn.h>

using namespace jetscope;

class TestNvtxSpans : public QObject {
    Q_OBJECT

    /// The calls that the tool received, one per line.
    static QByteArray seen(const QByteArray &path);

private slots:
    void withoutAToolNothingHappens();
    void aToolSeesTheSpansOfAThread();
    void aToolSeesFramesAroundTheirSpans();
};

QByteArray TestNvtxSpans::seen(const QByteArray &path)
{
    void *tool = dlopen(path.constData(), RTLD_NOW | RTLD_NOLOAD);
    const auto said = tool ? reinterpret_cast<const char *(*)()>(dlsym(tool, "nvtxSeen")) : nullptr;
    return said ? QByteArray(said()) : QByteArray("NVTX did not load the tool");
}

void TestNvtxSpans::withoutAToolNothingHappens()
{
    // In a separate process, because NVTX looks for tools only once.
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
    QCOMPARE(seen(path), QByteArray("domain jetscope\npush outer 7\npush dropped\npop\npop\n"));
}

void TestNvtxSpans::aToolSeesFramesAroundTheirSpans()
{
    const QByteArray path = qgetenv("NVTX_INJECTION64_PATH");
    if (path.isEmpty())
        QSKIP("runs a second time with NVTX_INJECTION64_PATH set");
    const qsizetype before = seen(path).size();
    Tracer tracer;
    showSpansToTools();
    observeFrame(5); // This thread does not record yet.
    const ThreadRecorder recorder(tracer, LaneRole::Pipeline, "test");
    const NameId stage = internName("stage", Category::Submit);
    for (const std::uint32_t frame : {6U, 7U}) {
        observeFrame(frame);
        const SpanScope span(stage, frame);
    }
    observeFrame(kNoFrame); // A pause.
    observeFrame(kNoFrame);
    {
        const SpanScope span(stage);
    }
    QCOMPARE(seen(path).mid(before),
             QByteArray(
                 "push frame 6 6\npush stage 6\npop\npop\npush frame 7 7\npush stage 7\npop\npop\npush stage\npop\n"));
}

QTEST_GUILESS_MAIN(TestNvtxSpans)
#include "tst_nvtxspans.moc"
