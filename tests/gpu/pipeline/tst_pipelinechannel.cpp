// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/pipeline/pipelinechannel.h"
#include "tests/support/testprogram.h"

#include <QTest>

#include <algorithm>
#include <thread>

using namespace jetscope;

/// What a pipeline tells its owner, without a pipeline.
class TestPipelineChannel : public QObject {
    Q_OBJECT
private slots:
    void theEndComesWithItsStatus();
};

/// Whichever of the two the owner looks at first, the other one says the same.
void TestPipelineChannel::theEndComesWithItsStatus()
{
    constexpr int kEnds = 10000; // Of 300 none came between the two when they were told one after the other.
    for (int i = 0; i < kEnds; ++i) {
        PipelineChannel channel;
        PipelineStatus running;
        running.state = PipelineState::Running;
        channel.publish(running);
        std::thread pipeline([&channel] {
            PipelineStatus status;
            status.state = PipelineState::Ended;
            PipelineNotice notice;
            notice.kind = PipelineNotice::Kind::Ended;
            channel.publish(status, notice);
        });
        const auto isEnd = [](const PipelineNotice &notice) { return notice.kind == PipelineNotice::Kind::Ended; };
        while (std::ranges::none_of(channel.drain().notices, isEnd)) {}
        const PipelineState seen = channel.status().state;
        pipeline.join();
        QVERIFY(seen == PipelineState::Ended);
    }
}

JETSCOPE_TEST(TestPipelineChannel)
#include "tst_pipelinechannel.moc"
