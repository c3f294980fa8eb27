// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/remote/sessionrequest.h"
#include "tests/support/fakepipeline.h"
#include "tests/support/testprogram.h"

#include <QTest>

using namespace jetscope;

class TestSessionRequest : public QObject {
    Q_OBJECT
private slots:
    void takesTheNearestOfWhatWasLeftOpen();
    void takesFixedSettingsExactlyOrNotAtAll();
    void whatWasLeftOpenGivesWay();
    void whatWasAskedForNeedsNoDevice();
    void settingsMakeUpTheConfiguration();
};

void TestSessionRequest::takesTheNearestOfWhatWasLeftOpen()
{
    DeviceFacts facts = orinFacts();
    facts.eglSync = Capability::no("no EGL_NV_cuda_event");
    SessionRequest request;
    request.config.sync = SyncMode::EglSync;
    request.config.filters = {Filter::Invert};
    const auto config = resolveConfig(request, facts);
    QVERIFY(config.ok());
    QVERIFY(config.value().sync != SyncMode::EglSync);
    QVERIFY(availability(config.value(), facts).legal());
    QCOMPARE(config.value().filters, request.config.filters);
}

void TestSessionRequest::takesFixedSettingsExactlyOrNotAtAll()
{
    SessionRequest request;
    request.config.sync = SyncMode::Finish;
    request.fixed = {{"sync", "event"}, {"memory", "zero-copy"}, {"sync", "poll"}};
    const auto config = resolveConfig(request, orinFacts());
    QVERIFY(config.ok());
    QVERIFY(config.value().sync == SyncMode::Poll); // The last value counts.
    QVERIFY(config.value().memory == MemoryKind::ZeroCopy);

    request.fixed = {{"output", "eglstream"}};
    const auto refused = resolveConfig(request, orinFacts());
    QVERIFY(!refused.ok());
    QVERIFY(isImpossibleRequest(refused.error()));
    QVERIFY(!refused.error().text.empty());

    request.fixed = {{"sync", "none"}}; // Unsafe settings are allowed if requested.
    const auto unsafe = resolveConfig(request, orinFacts());
    QVERIFY(unsafe.ok());
    QVERIFY(unsafe.value().sync == SyncMode::None);

    request.fixed = {{"sync", "nonsense"}};
    QVERIFY(!resolveConfig(request, orinFacts()).ok());
}

void TestSessionRequest::whatWasLeftOpenGivesWay()
{
    DeviceFacts facts = orinFacts();
    facts.glInterop = Capability::yes();
    SessionRequest request;
    request.config.output = OutputKind::GlInterop;
    request.config.sync = SyncMode::Implicit; // Requires GL interop.
    QVERIFY(availability(request.config, facts).legal());
    request.fixed = {{"output", "eglimage"}};
    const auto config = resolveConfig(request, facts);
    QVERIFY(config.ok());
    QVERIFY(config.value().output == OutputKind::EglImage);
    QVERIFY(config.value().sync != SyncMode::Implicit);
}

void TestSessionRequest::whatWasAskedForNeedsNoDevice()
{
    SessionRequest request;
    request.config.output = OutputKind::GlInterop;
    request.fixed = {{"sync", "implicit"}, {"sync", "nonsense"}, {"nonsense", "sync"}, {"streams", "4"}};
    const PipelineConfig asked = askedConfig(request);
    QVERIFY(asked.output == OutputKind::GlInterop);
    QVERIFY(asked.sync == SyncMode::Implicit); // Invalid values are ignored.
    QCOMPARE(asked.streams, 4);
}

void TestSessionRequest::settingsMakeUpTheConfiguration()
{
    PipelineConfig config;
    config.memory = MemoryKind::UnifiedAttach;
    config.output = OutputKind::CopyBack;
    config.sync = SyncMode::Callback;
    config.wait = WaitPolicy::Yield;
    config.cpuStage = CpuStagePlacement::Serial;
    config.cpuWork = CpuWork::Histogram;
    config.filters = {};
    config.framesInFlight = 4;
    config.streams = 3;
    PipelineConfig copy;
    for (const auto &[key, value] : settingsOf(config))
        QVERIFY2(applySetting(copy, key, value).ok(), key.c_str());
    QVERIFY(copy == config);
}

JETSCOPE_TEST(TestSessionRequest)
#include "tst_sessionrequest.moc"
