// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/pipeline/cpustagethread.h"

#include "core/recording/tracer.h"
#include "gpu/filters/filterchain.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace jetscope {

namespace {

/// More unfetched answers are dropped, so that a closed window costs no memory.
constexpr std::size_t kAnswersKept = 8;

ImageLayout halfSize(const ImageLayout &layout)
{
    return makeImageLayout(PixelFormat::Grey8, (layout.width + 1) / 2, (layout.height + 1) / 2);
}

/// In pixels of the half-size picture.
Result<std::vector<Point>> keypointsOf(const CpuJob &job)
{
    std::vector<Point> keypoints;
    if (!job.points)
        return keypoints;
    static const NameId kRead = internName("read keypoints", Category::CpuStage);
    const SpanScope span(kRead, job.frame);
    JETSCOPE_TRY_ASSIGN(const std::vector<StagePoint> points, job.points->read(job.frame));
    const auto half = [](float pixels, int most) {
        return static_cast<std::int16_t>(std::clamp(pixels / 2, 0.0F, static_cast<float>(most - 1)));
    };
    for (const StagePoint &point : points)
        if (!std::isnan(point.x) && !std::isnan(point.y))
            keypoints.push_back({half(point.x, job.layout.width), half(point.y, job.layout.height)});
    return keypoints;
}

} // namespace

CpuStageThread::CpuStageThread(std::unique_ptr<CpuAnalysis> analysis, Tracer &tracer)
    : m_analysis(std::move(analysis)), m_tracer(tracer), m_thread([this] { work(); })
{
}

CpuStageThread::~CpuStageThread()
{
    {
        const std::lock_guard lock(m_mutex);
        m_stopping = true;
    }
    m_condition.notify_all();
    m_thread.join();
}

void CpuStageThread::work()
{
    const ThreadRecorder recorder(m_tracer, LaneRole::CpuStage, "CPU stage", "thread · OpenCV");
    for (;;) {
        CpuJob job;
        {
            std::unique_lock lock(m_mutex);
            m_condition.wait(lock, [this] { return m_stopping || !m_jobs.empty(); });
            if (m_jobs.empty())
                return;
            job = std::move(m_jobs.front());
            m_jobs.pop_front();
        }
        const Status status = run(job);
        job.done();
        {
            const std::lock_guard lock(m_mutex);
            --m_pending;
            const bool isForgotten = m_pendingForgotten > 0;
            if (isForgotten)
                --m_pendingForgotten;
            else if (!status.ok() && !m_error)
                m_error = status.error();
        }
        m_condition.notify_all();
    }
}

Status CpuStageThread::run(CpuJob &job)
{
    const FrameScope frame(job.frame);
    JETSCOPE_TRY(job.handOver());
    JETSCOPE_TRY_ASSIGN(std::vector<Point> keypoints, keypointsOf(job));
    static const NameId kHalf = internName("half size", Category::CpuStage);
    static const NameId kNames[] = {internName("Canny", Category::CpuStage), internName("contours", Category::CpuStage),
                                    internName("histogram", Category::CpuStage)};
    CpuRead access = job.picture();
    const std::byte *picture = access.data();
    ImageLayout layout = job.layout;
    std::vector<std::byte> half;
    if (job.halve) {
        // Uses the same input as the device and reduces it here to the image that the device would deliver.
        const SpanScope span(kHalf, job.frame);
        layout = halfSize(job.layout);
        half.resize(layout.bytes);
        ChainExecutor executor;
        ChainWork work;
        work.inputLayout = job.layout;
        work.input = picture;
        work.result = half.data();
        work.resultPitch = layout.planes[0].pitch;
        executor.run(work);
        access.end();
        picture = half.data();
    }
    CpuAnswer answer;
    {
        const SpanScope span(kNames[static_cast<std::size_t>(job.work)], job.frame);
        answer = m_analysis->run(job.work, picture, layout.planes[0].pitch, layout.width, layout.height);
    }
    access.end();
    answer.frame = job.frame;
    answer.keypoints = std::move(keypoints);
    const std::lock_guard lock(m_mutex);
    m_answers.push_back(std::move(answer));
    if (m_answers.size() > kAnswersKept)
        m_answers.erase(m_answers.begin());
    return {};
}

void CpuStageThread::post(CpuJob job)
{
    {
        const std::lock_guard lock(m_mutex);
        m_jobs.push_back(std::move(job));
        ++m_pending;
    }
    m_condition.notify_all();
}

std::size_t CpuStageThread::pending() const
{
    const std::lock_guard lock(m_mutex);
    return m_pending;
}

void CpuStageThread::waitIdle() const
{
    std::unique_lock lock(m_mutex);
    m_condition.wait(lock, [this] { return m_pending == 0; });
}

std::vector<CpuAnswer> CpuStageThread::takeAnswers()
{
    const std::lock_guard lock(m_mutex);
    return std::exchange(m_answers, {});
}

std::optional<Error> CpuStageThread::takeError()
{
    const std::lock_guard lock(m_mutex);
    return std::exchange(m_error, std::nullopt);
}

void CpuStageThread::forgetErrors()
{
    const std::lock_guard lock(m_mutex);
    m_pendingForgotten = m_pending;
    m_error.reset();
}

} // namespace jetscope
