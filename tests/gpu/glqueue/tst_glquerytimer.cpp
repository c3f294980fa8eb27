// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// GL commands timed on the GPU: spans are within the time that the host saw, in order, once each. By pairs of timer
// queries, and by bounds, which need no support by the driver.
#include "tests/support/gpufixture.h"
#include "tests/support/stubdevice.h"

#include "core/recording/tracer.h"
#include "core/time/clock.h"
#include "gpu/gl/api.h"
#include "gpu/glqueue/glqueue.h"
#include "gpu/glqueue/gltimer.h"
#include "tests/support/testprogram.h"

#include <array>

using namespace jetscope;

namespace {

class NoDevice final : public testing::StubDevice {
public:
    NoDevice() : StubDevice("NoDevice", "this device has nothing to do") {}
};

} // namespace

class TestGlQueryTimer : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void spansLieWhereTheWorkWasDone();
    void unfinishedWorkIsLeftForLater();
    void untimedCommandsLeaveNoSpan();
    void boundsReachFromSubmissionToCompletion();

private:
    Status clearLargeTexture();
    std::vector<Span> gpuSpans();
    void useQueries();

    bool m_canQuery = false;
    std::shared_ptr<EglDisplay> m_display;
    NoDevice m_device;
    const GlUses m_uses{m_device, {0, nullptr, Access::Write}};
    Tracer m_tracer;
    std::unique_ptr<ThreadRecorder> m_recorder;
    std::unique_ptr<GlQueue> m_queue;
};

void TestGlQueryTimer::initTestCase()
{
    QString why;
    m_display = testing::headlessDisplay(&why);
    if (!m_display)
        QSKIP(qPrintable(why));
    m_recorder = std::make_unique<ThreadRecorder>(m_tracer, LaneRole::Pipeline, "test");
    Result<std::unique_ptr<GlQueue>> queue = GlQueue::create(m_display, GlQueue::Execution::Inline, nullptr, m_tracer);
    JETSCOPE_VERIFY(queue);
    m_queue = std::move(queue).value();
    m_canQuery = GlQueryTimer::create(m_tracer) != nullptr;
}

void TestGlQueryTimer::useQueries()
{
    m_queue->timeBy(GpuTime::Events);
    if (!m_canQuery)
        QSKIP("this driver cannot time GL commands (no GL_EXT_disjoint_timer_query)");
}

Status TestGlQueryTimer::clearLargeTexture()
{
    GLuint texture = 0;
    GLuint framebuffer = 0;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA8, 2048, 2048);
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
    glClearColor(0.25F, 0.5F, 0.75F, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    std::array<std::byte, 4> pixel{};
    glReadPixels(7, 7, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE,
                 pixel.data()); // A driver may defer a clear until the pixels are read.
    glDeleteFramebuffers(1, &framebuffer);
    glDeleteTextures(1, &texture);
    return glStatus("glClear");
}

std::vector<Span> TestGlQueryTimer::gpuSpans()
{
    m_queue->collect();
    std::vector<Span> all;
    m_tracer.collect(all);
    const std::vector<LaneInfo> lanes = m_tracer.lanes();
    std::vector<Span> found;
    for (const Span &span : all)
        if (lanes[span.lane].role == LaneRole::GlQueue)
            found.push_back(span);
    return found;
}

void TestGlQueryTimer::spansLieWhereTheWorkWasDone()
{
    useQueries();
    const NameId name = internName("clear", Category::Draw);
    constexpr std::int64_t slackNs = 1'000'000; // Error of the anchor.
    const std::int64_t before = nowNs();
    for (std::uint32_t frame = 0; frame < 5; ++frame)
        m_queue->submitTimed(name, frame, m_uses, [this] { return clearLargeTexture(); });
    JETSCOPE_VERIFY(m_queue->finish(m_device));
    const std::int64_t after = nowNs();
    const std::vector<Span> spans = gpuSpans();
    QVERIFY(!m_queue->takeError());
    QCOMPARE(spans.size(), std::size_t(5));
    for (std::size_t i = 0; i < spans.size(); ++i) {
        QCOMPARE(spans[i].frame, std::uint32_t(i));
        QCOMPARE(spanName(spans[i].name), spanName(name));
        // Work of another context between the two queries is included.
        QCOMPARE(spanCertainty(spans[i].name), Certainty::Bounded);
        QVERIFY(spans[i].durationNs > 0);
        QVERIFY(spans[i].startNs >= before - slackNs);
        QVERIFY(spans[i].endNs() <= after + slackNs);
        if (i > 0)
            QVERIFY(spans[i].startNs >= spans[i - 1].endNs());
    }
    QVERIFY(gpuSpans().empty());
}

void TestGlQueryTimer::unfinishedWorkIsLeftForLater()
{
    useQueries();
    const NameId name = internName("clear", Category::Draw);
    std::size_t inside = 0;
    m_queue->submitTimed(name, 7, m_uses, [&] {
        inside = gpuSpans().size(); // The pair is open.
        return clearLargeTexture();
    });
    QCOMPARE(inside, std::size_t(0));
    JETSCOPE_VERIFY(m_queue->finish(m_device));
    QCOMPARE(gpuSpans().size(), std::size_t(1));
}

void TestGlQueryTimer::untimedCommandsLeaveNoSpan()
{
    useQueries();
    m_queue->submit([this] { return clearLargeTexture(); });
    JETSCOPE_VERIFY(m_queue->finish(m_device));
    QVERIFY(gpuSpans().empty());
}

void TestGlQueryTimer::boundsReachFromSubmissionToCompletion()
{
    m_queue->timeBy(GpuTime::Bounds);
    const NameId name = internName("clear", Category::Draw);
    const std::int64_t before = nowNs();
    for (std::uint32_t frame = 0; frame < 3; ++frame)
        m_queue->submitTimed(name, frame, m_uses, [this] { return clearLargeTexture(); });
    const std::int64_t submitted = nowNs();
    QVERIFY(gpuSpans().empty()); // Nobody has seen them complete.
    JETSCOPE_VERIFY(m_queue->finish(m_device));
    const std::int64_t after = nowNs();
    m_queue->completed(1, after);
    QCOMPARE(gpuSpans().size(), std::size_t{2});
    m_queue->completed(2, after + 5);
    const std::vector<Span> last = gpuSpans();
    QCOMPARE(last.size(), std::size_t{1});
    QCOMPARE(last[0].frame, std::uint32_t{2});
    QCOMPARE(last[0].endNs(), after + 5);
    QVERIFY(last[0].startNs >= before && last[0].startNs <= submitted);
    QCOMPARE(spanCertainty(last[0].name), Certainty::Bounded);
}

JETSCOPE_TEST(TestGlQueryTimer)
#include "tst_glquerytimer.moc"
