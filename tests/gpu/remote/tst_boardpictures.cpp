// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/pipeline/framelender.h"
#include "gpu/remote/jpegpicture.h"
#include "gpu/remote/remotehost.h"
#include "gpu/remote/remotepictures.h"
#include "gpu/remote/remoteserver.h"
#include "tests/support/pipelinefixture.h"
#include "tests/support/socketends.h"
#include "tests/support/testprogram.h"

#include <QTemporaryDir>
#include <QTest>

#include <chrono>
#include <cstdlib>
#include <thread>

using namespace jetscope;
using jetscope::testing::RandomSource;

namespace {

constexpr int kWidth = 1280;
constexpr int kHeight = 720;

/// A source that gives as many frames a second as a camera.
class PacedSource final : public FrameSource {
public:
    PacedSource(int width, int height) : m_random(PixelFormat::Bgr8, width, height, UINT64_MAX) {}
    const SourceInfo &info() const override { return m_random.info(); }
    Result<std::optional<CapturedFrame>> read(std::byte *into) override
    {
        std::this_thread::sleep_for(std::chrono::milliseconds(15));
        return m_random.read(into);
    }
    void cancel() override { m_random.cancel(); }

private:
    RandomSource m_random;
};

/// Opens pipelines of random pictures, as a server without a window does.
class RandomHost final : public PipelineHost {
public:
    Result<std::unique_ptr<PipelineControl>> open(const SessionRequest &request) override
    {
        PipelineSetup setup;
        setup.display = testing::displayOf("soft:orin");
        setup.deviceId = "soft:orin";
        setup.config = config();
        const bool isSmall = request.source == "small:";
        setup.source = std::make_unique<PacedSource>(isSmall ? 200 : kWidth, isSmall ? 120 : kHeight);
        setup.openSource = [](const std::string &) -> Result<std::unique_ptr<FrameSource>> {
            return std::unique_ptr<FrameSource>(std::make_unique<PacedSource>(480, 960));
        };
        setup.hostFiles.clear();
        JETSCOPE_TRY_ASSIGN(auto pipeline, Pipeline::create(std::move(setup)));
        return std::unique_ptr<PipelineControl>(std::move(pipeline));
    }
    std::vector<DeviceCandidate> devices() override { return {{"soft:orin", "software iGPU", Capability::yes()}}; }
    std::vector<CameraInfo> cameras() override { return {}; }
    PlatformFacts platform() override { return {}; }

    static PipelineConfig config()
    {
        PipelineConfig config;
        config.filters = {Filter::Invert};
        return config;
    }
};

struct PicturesBoard {
    QTemporaryDir captures;
    std::unique_ptr<RemoteServer> server =
        std::make_unique<RemoteServer>(std::make_shared<RandomHost>(), CaptureFolder(captures.path().toStdString()));
    FileDescriptor toCut;

    Dialer dialer()
    {
        return [this]() -> Result<LinkEnds> {
            JETSCOPE_TRY_ASSIGN(auto ends, testing::socketEnds());
            toCut = FileDescriptor(dup(ends.first.in.get()));
            server->add(std::move(ends.second));
            return std::move(ends.first);
        };
    }
};

/// A laptop that is connected, with an open pipeline.
struct PicturesLaptop {
    std::shared_ptr<RemoteHost> host;
    std::unique_ptr<PipelineControl> control;
    std::shared_ptr<RemotePictures> pictures;

    explicit PicturesLaptop(PicturesBoard &board, const std::string &source = "large:")
    {
        if (auto connected = RemoteHost::connect(board.dialer()); connected.ok())
            host = connected.value();
        SessionRequest request;
        request.source = source;
        if (auto opened = host->open(request); opened.ok())
            control = std::move(opened).value();
        if (control)
            pictures = control->pictures();
    }
    std::optional<BoardPicture> next()
    {
        std::optional<BoardPicture> picture;
        pictures->ask();
        static_cast<void>(QTest::qWaitFor([&] { return (picture = pictures->takeReduced()).has_value(); }, 20'000));
        return picture;
    }
    /// With the pictures that come until this holds.
    template <class Holds>
    std::optional<BoardPicture> until(Holds holds)
    {
        std::optional<BoardPicture> picture;
        for (int i = 0; i < 200; ++i)
            if (picture = next(); !picture || holds(*picture))
                return picture;
        return std::nullopt;
    }
    std::optional<Result<BoardPicture>> whole(const BoardPicture &reduced)
    {
        pictures->fetchWhole(reduced);
        std::optional<Result<BoardPicture>> whole;
        static_cast<void>(QTest::qWaitFor([&] { return (whole = pictures->takeWhole()).has_value(); }, 20'000));
        return whole;
    }
};

double meanColour(const std::vector<std::byte> &bytes)
{
    double sum = 0;
    for (std::size_t i = 0; i < bytes.size(); ++i)
        sum += i % 4 == 3 ? 0 : std::to_integer<int>(bytes[i]);
    return sum / (static_cast<double>(bytes.size()) * 0.75);
}

} // namespace

/// Pictures of a pipeline on the software iGPU, seen by a laptop at the other end of a socket.
class TestBoardPictures : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        QString why;
        if (!testing::displayOf("soft:orin", &why))
            QSKIP(qPrintable(why));
        if (*jpegTrouble())
            QSKIP(jpegTrouble());
    }

    void theyAreReducedAndKeepTheirShape()
    {
        PicturesBoard board;
        PicturesLaptop laptop(board);
        QVERIFY(laptop.pictures);
        const auto picture =
            laptop.until([](const BoardPicture &each) { return each.picture.width == kMaxPreviewSide; });
        QVERIFY(picture);
        QCOMPARE(picture->picture.height, kMaxPreviewSide * kHeight / kWidth);
        QCOMPARE(picture->width, kWidth);
        QCOMPARE(picture->height, kHeight);
        QVERIFY(std::abs(meanColour(picture->picture.rgba) - 127.5) < 8); // Of random pictures.
        QCOMPARE(laptop.pictures->broken(), std::uint64_t{0});
        const auto later = laptop.next();
        QVERIFY(later && later->frame > picture->frame);
    }

    void smallFramesAreNotEnlarged()
    {
        PicturesBoard board;
        PicturesLaptop laptop(board, "small:");
        const auto picture = laptop.next();
        QVERIFY(picture);
        QCOMPARE(picture->picture.width, 200);
        QCOMPARE(picture->picture.height, 120);
    }

    /// Each byte is that of the frame whose number is shown, by the reference filters.
    void aWholeFrameIsThatFrame()
    {
        PicturesBoard board;
        PicturesLaptop laptop(board);
        for (int i = 0; i < 3; ++i) {
            const auto reduced = laptop.next();
            QVERIFY(reduced);
            const auto whole = laptop.whole(*reduced);
            QVERIFY(whole);
            JETSCOPE_VERIFY(*whole);
            QCOMPARE(whole->value().number, reduced->number);
            const RandomSource source(PixelFormat::Bgr8, kWidth, kHeight, UINT64_MAX);
            QVERIFY(whole->value().picture.rgba == source.expected(reduced->number, {Filter::Invert}));
        }
    }

    void aFrameThatIsGoneIsSaid()
    {
        PicturesBoard board;
        PicturesLaptop laptop(board);
        const auto first = laptop.next();
        QVERIFY(first);
        for (int i = 0; i < 30; ++i)
            QVERIFY(laptop.next());
        const auto whole = laptop.whole(*first);
        QVERIFY(whole && !whole->ok());
        QVERIFY(whole->error().text.find("pause") != std::string::npos);
    }

    /// The last frame before the pause comes, then one for each step, and no more.
    void whilePausedOneComesForEachStep()
    {
        PicturesBoard board;
        PicturesLaptop laptop(board, "small:");
        QVERIFY(laptop.next());
        laptop.control->setPaused(true);
        QTRY_VERIFY(laptop.control->status().state == PipelineState::Paused);
        laptop.pictures->ask();
        std::optional<BoardPicture> last;
        const auto takeAll = [&] {
            while (QTest::qWaitFor([&] { return laptop.pictures->takeReduced().has_value(); }, 700))
                laptop.pictures->ask();
        };
        takeAll();
        const std::uint64_t frames = laptop.control->status().frames;
        laptop.control->step();
        QVERIFY(QTest::qWaitFor([&] { return (last = laptop.pictures->takeReduced()).has_value(); }));
        QTRY_COMPARE(laptop.control->status().frames, frames + 1);
        const auto whole = laptop.whole(*last); // It is still there.
        QVERIFY(whole && whole->ok());
    }

    /// Their work is drawn in lanes of their own, and counts nowhere.
    void theirWorkIsJetscopesOwn()
    {
        PicturesBoard board;
        PicturesLaptop laptop(board);
        std::map<LaneId, LaneInfo> lanes;
        std::vector<SpanName> names;
        std::size_t spans = 0;
        const auto take = [&] {
            const PipelineUpdate update = laptop.control->drainUpdates();
            for (const LaneInfo &lane : update.lanes)
                lanes[lane.id] = lane;
            names.insert(names.end(), update.names.begin(), update.names.end());
            for (const Span &span : update.spans)
                if (lanes[span.lane].name == "Preview") {
                    ++spans;
                    QVERIFY(lanes[span.lane].role == LaneRole::Tool);
                    QVERIFY(names[span.name].category == Category::Tool);
                }
        };
        QTRY_VERIFY((take(), laptop.control->status().frames > 30));
        QCOMPARE(spans, std::size_t{0}); // Nobody asked for a picture.
        for (int i = 0; i < 5; ++i)
            QVERIFY(laptop.next());
        QTRY_VERIFY((take(), spans >= 10));
    }

    void atMostTenASecond()
    {
        PicturesBoard board;
        PicturesLaptop laptop(board, "small:");
        QVERIFY(laptop.next());
        const auto start = std::chrono::steady_clock::now();
        for (int i = 0; i < 15; ++i)
            QVERIFY(laptop.next());
        const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        QVERIFY2(15 / seconds <= 10.5, qPrintable(QString::number(15 / seconds)));
    }

    void anotherSizeIsFollowed()
    {
        PicturesBoard board;
        PicturesLaptop laptop(board);
        QVERIFY(laptop.next());
        laptop.control->changeSource("tall:");
        const auto picture = laptop.until([](const BoardPicture &each) { return each.height == 960; });
        QVERIFY(picture);
        QCOMPARE(picture->width, 480);
        QVERIFY(picture->picture.height <= kMaxPreviewSide && picture->picture.width * 2 == picture->picture.height);
    }

    void afterACutTheyGoOn()
    {
        PicturesBoard board;
        PicturesLaptop laptop(board);
        QVERIFY(laptop.next());
        laptop.pictures->ask();
        ::shutdown(board.toCut.get(), SHUT_RDWR);
        QTRY_VERIFY_WITH_TIMEOUT(laptop.host->state().cuts == 1 && laptop.host->state().isConnected, 20'000);
        QVERIFY(QTest::qWaitFor([&] { return laptop.pictures->takeReduced().has_value(); }, 20'000));
        QVERIFY(laptop.next());
    }

    void twoLaptopsSeeTheSame()
    {
        PicturesBoard board;
        PicturesLaptop first(board);
        QVERIFY(first.next());
        auto connected = RemoteHost::connect(board.dialer());
        QVERIFY(connected.ok());
        const auto control = connected.value()->takeRunning();
        QVERIFY(control);
        const auto pictures = control->pictures();
        pictures->ask();
        QVERIFY(first.next());
        QVERIFY(QTest::qWaitFor([&] { return pictures->takeReduced().has_value(); }));
        QVERIFY(first.next());
    }

    /// The borrower keeps all that it gets: the pipeline goes on, and lends no more.
    void thePipelineNeverWaitsForWhoBorrows()
    {
        RandomHost host;
        SessionRequest request;
        request.source = "small:";
        auto opened = host.open(request);
        JETSCOPE_VERIFY(opened);
        PipelineControl &control = *opened.value();
        FrameLender *lender = control.framePort()->lender();
        QVERIFY(lender);
        std::vector<LentFrame> kept;
        for (std::uint64_t frames = control.status().frames; kept.size() < 100;) {
            lender->ask();
            QTRY_VERIFY(control.status().frames > frames + 5);
            frames = control.status().frames;
            if (const auto frame = lender->take())
                kept.push_back(*frame);
            else
                break;
        }
        QVERIFY(kept.size() >= kept.front().mayKeep && kept.size() < 20);
        for (const LentFrame &frame : kept)
            lender->giveBack(frame);
        QVERIFY(QTest::qWaitFor([&] { return lender->take().has_value(); }));
        lender->rest();
        const std::uint64_t frames = control.status().frames;
        QTRY_VERIFY(control.status().frames > frames + 20);
        QVERIFY(!lender->take());
    }
};

JETSCOPE_TEST(TestBoardPictures)
#include "tst_boardpictures.moc"
