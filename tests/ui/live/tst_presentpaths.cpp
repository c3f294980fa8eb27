// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/files/thumbnailer.h"
#include "ui/session/settings.h"
#include "ui/style/theme.h"
#include "ui/timeline/frametip.h"
#include "ui/window/liveworkspace.h"
#include "ui/window/mainwindow.h"
#include "ui/window/openwindow.h"

#include <QApplication>
#include <QScreen>
#include <QSignalSpy>
#include <QTest>

using namespace jetscope;

namespace {

constexpr int kSkipped = 77; ///< SKIP_RETURN_CODE in CMakeLists.txt.

} // namespace

/// Uses a real pipeline on the software iGPU, real GL and a real X server.
class TestPresentPaths : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void everyPathShowsThePicture_data();
    void everyPathShowsThePicture();
    void pathsSwitchWhileFramesFlow();
    void theSelfTestSeesItsColour();
    void theSelfTestSeesWhenNothingComes();

private:
    std::unique_ptr<MainWindow> makeWindow();
    bool open(MainWindow &window);
    bool showsFrames(MainWindow &window, quint64 count);

    std::shared_ptr<PipelineDisplay> m_display;
    Settings m_settings{Settings::Use::Ignore};
};

void TestPresentPaths::initTestCase()
{
    m_display = std::make_shared<PipelineDisplay>(findGlShare());
    QVERIFY2(m_display->share().available(), m_display->share().reason.c_str());
}

std::unique_ptr<MainWindow> TestPresentPaths::makeWindow()
{
    WindowParts parts;
    parts.host = localHost(m_display);
    parts.openSource = sourceOpener();
    parts.display = [this] { return m_display->opened(); };
    parts.video.share = m_display->share();
    parts.video.openReadback = readbackOpener(m_display);
    SessionRequest request;
    request.source = "synthetic:?size=320x240&fps=60";
    request.deviceId = "soft:orin";
    request.fixed = {{"filters", "identity"}};
    auto window = std::make_unique<MainWindow>(std::move(parts), request, m_settings);
    window->resize(1200, 900);
    return window;
}

bool TestPresentPaths::open(MainWindow &window)
{
    window.show();
    window.session().open();
    return QTest::qWaitForWindowExposed(&window)
        && QTest::qWaitFor([&] { return window.session().phase() == Session::Phase::Open; }, 20'000);
}

bool TestPresentPaths::showsFrames(MainWindow &window, quint64 count)
{
    const quint64 before = window.live().video()->framesShown();
    return QTest::qWaitFor([&] { return window.live().video()->framesShown() >= before + count; }, 20'000);
}

void TestPresentPaths::everyPathShowsThePicture_data()
{
    QTest::addColumn<PresentPath>("path");
    for (const PresentPath path : {PresentPath::Readback, PresentPath::GlWidget, PresentPath::GlWindow})
        QTest::newRow(qPrintable(presentPathName(path))) << path;
}

void TestPresentPaths::everyPathShowsThePicture()
{
    QFETCH(PresentPath, path);
    auto window = makeWindow();
    window->live().video()->setPresentPath(path);
    QVERIFY(open(*window));
    QTRY_VERIFY_WITH_TIMEOUT(!window->live().video()->isTesting(), 10'000);
    QCOMPARE(window->live().video()->presentPath(), path); // No fallback to another path.
    QVERIFY(showsFrames(*window, 10));
    window->actions().showBefore->setChecked(true);
    QVERIFY(showsFrames(*window, 10));

    // With the identity filter, input and output form one picture side by side: the sky is blue on both sides.
    const QPoint corner = window->live().video()->mapTo(window.get(), QPoint());
    const QSize size = window->live().video()->size();
    const auto sky = [&](double x) {
        const QPixmap screen =
            window->screen()->grabWindow(window->winId(), corner.x(), corner.y(), size.width(), size.height());
        // Between the split handle and the edge of the picture, below the labels. The picture is 4:3 and as high as the
        // view.
        const double left = (size.width() - size.height() * 4 / 3.0) / 2;
        return screen.toImage().pixelColor(qRound(left + x * size.height() * 4 / 3), qRound(0.13 * size.height()));
    };
    const auto isBlue = [](const QColor &color) { return color.blue() > color.red() + 20 && color.blue() > 90; };
    QTRY_VERIFY_WITH_TIMEOUT(isBlue(sky(0.27)), 30'000);
    QTRY_VERIFY_WITH_TIMEOUT(isBlue(sky(0.71)), 30'000);

    // Every path makes upright thumbnails of frames.
    const ThumbnailList &kept = window->session().trace().thumbnails();
    QTRY_VERIFY_WITH_TIMEOUT(kept.all().size() > 3, 10'000);
    const QImage small = decodeThumbnail(kept.all().back());
    QCOMPARE(small.width(), Thumbnailer::kWidth);
    QVERIFY(isBlue(small.pixelColor(small.width() / 2, small.height() / 4)));
}

void TestPresentPaths::pathsSwitchWhileFramesFlow()
{
    auto window = makeWindow();
    QVERIFY(open(*window));
    QVERIFY(showsFrames(*window, 5));
    for (int i = 0; i < 6; ++i) {
        const PresentPath before = window->live().video()->presentPath();
        window->actions().videoIsBlack->trigger();
        QCOMPARE(window->live().video()->presentPath(), nextPath(before));
        QVERIFY2(showsFrames(*window, 5), qPrintable(presentPathName(window->live().video()->presentPath())));
        PipelineConfig config = window->session().wanted();
        config.memory = i % 2 ? MemoryKind::Pinned : MemoryKind::ZeroCopy;
        window->session().change(config);
        QTRY_VERIFY(window->session().status().config == config);
        QVERIFY(showsFrames(*window, 5));
    }
    QVERIFY(window->session().phase() == Session::Phase::Open);
}

void TestPresentPaths::theSelfTestSeesItsColour()
{
    auto window = makeWindow();
    QVERIFY(open(*window));
    window->live().video()->setPresentPath(PresentPath::GlWidget);
    QTRY_VERIFY_WITH_TIMEOUT(!window->live().video()->isTesting(), 10'000);
    QVERIFY2(window->live().video()->presentNote().contains(QStringLiteral("reached the screen")),
             qPrintable(window->live().video()->presentNote()));
}

/// A surface whose GL never reaches the screen.
class BlackPictureView : public QWidget, public PictureView {
public:
    explicit BlackPictureView(const VideoScene &scene) : PictureView(scene) {}
    QWidget *widget() override { return this; }
    QObject *inputTarget() override { return this; }
    Status attach(FramePort &) override { return {}; }
    void detach() override {}
    std::optional<Fetched> fetch() override { return std::nullopt; }
    void show() override { QWidget::show(); }
    void repaint() override {}
    std::optional<QColor> pixel(QPoint) override { return std::nullopt; }
    std::optional<FramePicture> copy(int) override { return std::nullopt; }
    void setTestColor(std::optional<QColor>) override {}
};

void TestPresentPaths::theSelfTestSeesWhenNothingComes()
{
    VideoScene scene;
    BlackPictureView surface(scene);
    surface.resize(200, 150);
    surface.QWidget::show();
    QVERIFY(QTest::qWaitForWindowExposed(&surface));
    PresentTest test(surface);
    QSignalSpy finished(&test, &PresentTest::finished);
    test.start();
    QVERIFY(finished.wait(10'000));
    QCOMPARE(finished.front().front().value<PresentTest::Outcome>(), PresentTest::Outcome::Failed);
}

int main(int argc, char **argv)
{
    if (const Status prepared = prepareForWindow(); !prepared.ok()) {
        std::fprintf(stderr, "%s\n", prepared.error().message().c_str());
        return kSkipped;
    }
    QApplication application(argc, argv);
    applyTheme(application, darkTheme());
    TestPresentPaths test;
    return QTest::qExec(&test, argc, argv);
}
#include "tst_presentpaths.moc"
