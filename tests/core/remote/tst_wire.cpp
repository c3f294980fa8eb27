// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/remote/wire/contents.h"
#include "core/remote/wire/corefields.h"
#include "core/settings/filters.h"
#include "tests/support/testprogram.h"

#include <QTest>

#include <limits>

using namespace jetscope;

namespace {

TraceUpdate someUpdate()
{
    TraceUpdate update;
    update.firstName = 3;
    update.names = {{"gaussian5", Category::Kernel, Certainty::Bounded, Purpose::Work}, {"wait", Category::WaitSync}};
    update.lanes = {{0, LaneRole::Pipeline, "Pipeline", "", false, std::nullopt},
                    {1, LaneRole::DeviceStream, "CUDA stream 0", "GPU · events", true, 1U}};
    update.counters = {{7, "GPU load", "%", LaneId{1}}, {8, "Clock", "Hz", std::nullopt}};
    update.facts = {{"gpu_time", "events"}};
    update.spans = {{-5, std::numeric_limits<std::int64_t>::max(), 9, 10, 4, 1, 2}};
    FrameFigures frame;
    frame.frame = 12;
    frame.startNs = 100;
    frame.overlap.periodNs = 50;
    frame.bytesCopied = 460'800;
    frame.traced = false;
    update.figures = {frame};
    update.numbers = {{12, 14}};
    update.path = {{1, 2, 3, 4, 5, 1, PathCause::WakeUp, true}};
    update.pathGains = {{1, 2, {PathCause::Kernel, 4}, 5, 6}};
    update.samples = {{11, 0.5, 7}};
    TraceMark mark;
    mark.kind = TraceMark::Kind::Hazard;
    mark.text = "sync: finish → eglsync";
    mark.second = HazardAccess{"kernels", "CUDA stream 1", Access::Write, 5, 6};
    update.marks = {mark};
    update.spansLost = 1;
    update.missedSpans = 2;
    return update;
}

PlatformFacts somePlatform()
{
    PlatformFacts platform;
    platform.board.l4t = L4tRelease{36, 4, 7};
    platform.board.model.reason = "there is no device tree";
    platform.nodes = {
        {"/dev/video*", "cameras", true, NodeAccess::State::Denied, 2, {"/dev/video1"}, "why", "command"}};
    platform.groups = {{"video", false, "", "sudo usermod"}};
    platform.libraries = {{"VPI 3", "vision", LibraryFact::State::Broken, "/usr/lib", "3", "cut"}};
    platform.dlas = {2, "device tree"};
    platform.allocatable = AllocatableMemory{1, 2, 3, 4};
    return platform;
}

/// What is read of the first `size` bytes.
template <class T>
std::optional<T> readOf(const std::vector<std::byte> &bytes, std::size_t size)
{
    return fromBytes<T>(std::span(bytes).first(size));
}

} // namespace

class TestWire : public QObject {
    Q_OBJECT

    /// There and back gives the same bytes, and no part of them is a whole value.
    template <class T>
    void crosses(const T &value)
    {
        const std::vector<std::byte> bytes = toBytes(value);
        const std::optional<T> there = fromBytes<T>(bytes);
        QVERIFY(there.has_value());
        QVERIFY(toBytes(*there) == bytes);
        for (std::size_t size = 0; size < bytes.size(); ++size)
            QVERIFY2(!readOf<T>(bytes, size), qPrintable(QString::number(size)));
        std::vector<std::byte> more = bytes;
        more.push_back(std::byte{0});
        QVERIFY(!fromBytes<T>(more).has_value());
    }

private slots:
    void whatCrossesComesBack()
    {
        crosses(someUpdate());
        crosses(somePlatform());
        crosses(Error{"cudaMalloc", 2, "no memory"});
        PipelineConfig config;
        config.filters = {Filter::Sobel, Filter::Invert};
        config.memory = MemoryKind::NvBuf;
        config.streams = 3;
        crosses(config);
        const auto there = fromBytes<PipelineConfig>(toBytes(config));
        QVERIFY(there && *there == config);
        DeviceFacts facts;
        facts.pciBusId = "0000:01:00.0";
        facts.attributes = {{"canMapHostMemory", 1, ""}, {"unknown", std::nullopt, "why"}};
        facts.nvBuf = Capability::no("no library");
        crosses(facts);
        crosses(makeImageLayout(PixelFormat::Nv12, 1280, 720));
        crosses(RunCommand{1, {"sweep", "--memory", "all"}, "/tmp", {{"A", "b"}}});
        crosses(CommandOutput{1, CommandOutput::Stream::Error, {std::byte{0}, std::byte{255}}});
        crosses(ownHello());
    }

    void numbersAreLittleEndian()
    {
        const std::vector<std::byte> bytes = toBytes(Grant{MessageClass::Spans, 0x01020304});
        const std::array expected{std::byte{3}, std::byte{4}, std::byte{3}, std::byte{2}, std::byte{1}};
        QVERIFY(std::equal(bytes.begin(), bytes.end(), expected.begin(), expected.end()));
    }

    void anEnumIsOneOfItsValues()
    {
        std::vector<std::byte> bytes = toBytes(Grant{MessageClass::Pictures, 1});
        QVERIFY(fromBytes<Grant>(bytes).has_value());
        bytes[0] = static_cast<std::byte>(kMessageClassCount);
        QVERIFY(!fromBytes<Grant>(bytes).has_value());
    }

    /// The number of a filter is that of one process; a stage of another machine has a name here, and no code.
    void filtersCrossByName()
    {
        PipelineConfig config;
        config.filters = {Filter::Sobel, Filter::Invert};
        std::vector<std::byte> bytes = toBytes(config);
        QCOMPARE(fromBytes<PipelineConfig>(bytes)->filters, config.filters);
        const auto renamed = [&](std::string_view name) {
            std::vector<std::byte> other = bytes;
            const auto sobel = std::as_bytes(std::span(std::string_view("sobel")));
            const auto at = std::search(other.begin(), other.end(), sobel.begin(), sobel.end());
            std::copy_n(std::as_bytes(std::span(name)).begin(), name.size(), at);
            return fromBytes<PipelineConfig>(other);
        };
        QVERIFY(!renamed("sobex"));
        const std::string separator = filterNames(config.filters).substr(5, 1) == "," ? "+" : ",";
        QVERIFY(!renamed("sobel" + separator)); // An option's value may be joined by either; here there is one way.
        const std::size_t known = choices<Filter>().size();
        const std::optional<PipelineConfig> foreign = renamed("cu:/x");
        QVERIFY(foreign && choices<Filter>().size() == known + 1);
        QCOMPARE(std::string(nameOf(foreign->filters.front())), std::string("cu:/x"));
        QVERIFY(!filterRow(foreign->filters.front())->onCpu.available);
    }

    void aBoolIsZeroOrOne()
    {
        std::vector<std::byte> bytes = toBytes(Capability{true, ""});
        QVERIFY(fromBytes<Capability>(bytes)->available);
        bytes[0] = std::byte{2};
        QVERIFY(!fromBytes<Capability>(bytes).has_value());
    }

    void aCountAloneAllocatesNothing()
    {
        // The names' count comes first.
        std::vector<std::byte> bytes = toBytes(TraceUpdate{});
        for (std::size_t i = 0; i < 4; ++i)
            bytes[i] = std::byte{0xff};
        QVERIFY(!fromBytes<TraceUpdate>(bytes).has_value());
        Wire wire(bytes);
        std::vector<Span> spans;
        wire(spans);
        QVERIFY(!wire.isAtEnd());
        QCOMPARE(spans.capacity(), std::size_t{0});
    }

    void afterAViolationAllIsEmpty()
    {
        const std::vector<std::byte> bytes = toBytes(std::string("text"));
        Wire wire{std::span(bytes).first(6)};
        std::string text = "before";
        std::int64_t number = 5;
        bool flag = true;
        std::vector<std::string> list{"a"};
        std::optional<int> perhaps = 1;
        wire(text, number, flag, list, perhaps);
        QVERIFY(text.empty() && number == 0 && !flag && list.empty() && !perhaps);
        QVERIFY(!wire.isAtEnd());
    }

    void anImageHasAPossibleSize()
    {
        ImageLayout layout = makeImageLayout(PixelFormat::Rgba8, 8, 8);
        layout.width = kMaxImageSide + 1;
        QVERIFY(!fromBytes<ImageLayout>(toBytes(layout)).has_value());
        layout.width = 8;
        layout.planeCount = 4;
        QVERIFY(!fromBytes<ImageLayout>(toBytes(layout)).has_value());
    }
};

JETSCOPE_TEST(TestWire)
#include "tst_wire.moc"
