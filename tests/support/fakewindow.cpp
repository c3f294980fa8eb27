// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/fakewindow.h"

#include "tests/support/wirecontrol.h"

#include "ui/live/videoview.h"

#include <QTest>

#include <cstring>

namespace jetscope {

namespace {

class FakeReadback : public ReadbackView {
public:
    explicit FakeReadback(ReadbackView::Sink &sink) : m_sink(sink) {}
    ~FakeReadback() override { m_sink = {}; }

private:
    ReadbackView::Sink &m_sink;
};

ReadbackView::Picture pictureOf(std::uint32_t frame, std::uint64_t number, const QImage &image)
{
    const QImage rgba = image.convertToFormat(QImage::Format_RGBA8888);
    ReadbackView::Picture picture;
    picture.frame = frame;
    picture.number = number;
    picture.width = rgba.width();
    picture.height = rgba.height();
    const auto bytes = static_cast<std::size_t>(rgba.sizeInBytes());
    picture.rgba.resize(bytes);
    std::memcpy(picture.rgba.data(), rgba.constBits(), bytes);
    return picture;
}

} // namespace

FakeWindow::FakeWindow(SessionRequest request, Settings::Use use, std::vector<CameraInfo> cameras,
                       const QString &program)
    : m_settings(use),
      m_cameras(std::move(cameras)),
      m_program(program),
      m_window(std::make_unique<MainWindow>(parts(), std::move(request), m_settings))
{
    m_window->live().session().setPolling(false);
    m_window->trace().session().setPolling(false);
}

FakeWindow::~FakeWindow() = default;

/// A board with something of everything: allowed, denied, absent, broken and unknown.
PlatformFacts FakeWindow::platform()
{
    PlatformFacts facts;
    facts.board.model = Reading<std::string>(std::string("NVIDIA Jetson Orin Nano Developer Kit (made up)"));
    facts.board.chip = Reading<std::string>(std::string("tegra234"));
    facts.board.l4t = Reading<L4tRelease>(L4tRelease{36, 4, 7});
    facts.board.jetpack = Reading<std::string>(std::string("6.2.1"));
    facts.board.module = Reading<std::string>(Error{"", 0, "/proc/device-tree/nvidia,boardids does not exist"});
    facts.board.kernel = Reading<std::string>(std::string("5.15.148-tegra"));
    facts.groups = {
        {"video", false, "this user is not in it: join it, then log in again", "sudo usermod -aG video $USER"},
        {"render", true, {}, {}}};
    facts.nodes = {{"/dev/video*",
                    "cameras (V4L2)",
                    false,
                    NodeAccess::State::Denied,
                    2,
                    {"/dev/video0", "/dev/video1"},
                    "/dev/video0 is for the group video: join it, then log in again",
                    "sudo usermod -aG video $USER"},
                   {"/dev/nvmap", "memory of the integrated GPU", false, NodeAccess::State::Allowed, 1, {}, {}, {}},
                   {"/dev/nvidia*",
                    "CUDA on a discrete GPU or on Thor",
                    false,
                    NodeAccess::State::Absent,
                    0,
                    {},
                    "no driver of an NVIDIA GPU is loaded",
                    {}}};
    facts.profiling = {ProfilingAccess::State::Unknown, "there is no file /proc/driver/nvidia/params", {}};
    facts.libraries = {{"VPI 3",
                        "vision algorithms on CPU, GPU, PVA, VIC and OFA (JetPack 6)",
                        LibraryFact::State::Found,
                        "/opt/nvidia/vpi3/lib/aarch64-linux-gnu/libnvvpi.so.3",
                        "3.2.4",
                        {}},
                       {"cuDLA",
                        "runs networks on the deep-learning accelerators",
                        LibraryFact::State::Broken,
                        "/usr/lib/aarch64-linux-gnu/nvidia/libcudla.so",
                        {},
                        "the file is empty"},
                       {"NvSciBuf",
                        "memory that processes and engines share",
                        LibraryFact::State::Absent,
                        {},
                        {},
                        "it comes with L4T"}};
    facts.dlas = {0, "enabled nodes nvdla* of the device tree"};
    facts.allocatableReason = "/proc/meminfo has no NvMapMemUsed";
    return facts;
}

Result<std::unique_ptr<PipelineControl>> FakeWindow::open(const SessionRequest &request)
{
    requests.push_back(request);
    ++asked;
    if (!failWith.empty())
        return Error{"", 0, failWith};
    if (request.program)
        return inspectProgram(*request.program, attachLibrary, {hardwareVariables, "the test has no CUPTI", {}},
                              askedConfig(request));
    JETSCOPE_TRY_ASSIGN(const auto config, resolveConfig(request, orinFacts()));
    auto pipeline = std::make_unique<FakePipeline>();
    pipeline->destroyed = &pipelinesDestroyed;
    pipeline->state.config = config;
    pipeline->failSourceWith = failSourceWith;
    m_pipeline = pipeline.get();
    return std::unique_ptr<PipelineControl>(std::move(pipeline));
}

std::vector<DeviceCandidate> FakeWindow::devices()
{
    return {{"cuda:0", "NVIDIA GPU", Capability::no("no NVIDIA driver is loaded")},
            {"soft:orin", "software iGPU (orin rules)", Capability::yes()}};
}

WindowParts FakeWindow::parts()
{
    WindowParts parts;
    parts.hostFiles.clear();
    PipelineHost &host = *this;
    parts.host = std::make_shared<testing::WireHost>(host);
    parts.openSource = [this](const std::string &uri) -> Result<std::unique_ptr<FrameSource>> {
        if (!failSourceWith.empty())
            return Error{"", 0, failSourceWith};
        return namedSource(uri);
    };
    parts.connectBoard = [this](const std::string &address, ConnectWatch &watch) -> Result<ConnectedBoard> {
        return connectBoard ? connectBoard(address, watch) : Error{"", 0, "the test has no board"};
    };
    parts.relaunch = [this](const SessionRequest &request) {
        relaunched.push_back(request);
        return relaunches;
    };
    parts.dialogs.open = [this](const QString &, const QString &, const QString &) { return chosenPath; };
    parts.dialogs.save = [this](const QString &, const QString &suggested, const QString &) {
        suggestedPath = suggested;
        return chosenPath;
    };
    parts.dialogs.folder = [this](const QString &, const QString &) { return chosenPath; };
    parts.dialogs.choose = [this](const QString &, const QString &, const QStringList &texts) {
        offeredTexts = texts;
        return chosenText;
    };
    parts.dialogs.show = [this](const QString &path) {
        shownFiles.append(path);
        return showsFiles;
    };
    parts.program = m_program;
    parts.display = [] { return std::shared_ptr<EglDisplay>(); };
    parts.video.share.reason = "the test has no GL";
    parts.video.openReadback = [this](FramePort &, ReadbackView::Sink sink) -> Result<std::unique_ptr<ReadbackView>> {
        m_sink = std::move(sink);
        return std::unique_ptr<ReadbackView>(std::make_unique<FakeReadback>(m_sink));
    };
    return parts;
}

bool FakeWindow::open()
{
    m_window->showSpace(MainWindow::Space::Live);
    Session &session = m_window->live().session();
    session.open();
    return QTest::qWaitFor([&session] { return session.phase() != Session::Phase::Opening; });
}

bool FakeWindow::showPicture(std::uint32_t frame, const QImage &picture)
{
    const quint64 before = m_window->live().video()->framesShown();
    return givePicture(frame, picture)
        && QTest::qWaitFor([&] { return m_window->live().video()->framesShown() > before; });
}

bool FakeWindow::givePicture(std::uint32_t frame, const QImage &picture)
{
    if (!m_sink)
        return false;
    m_sink(pictureOf(frame, m_pipeline->numbers.of(frame), picture));
    return true;
}

void FakeWindow::poll()
{
    for (Session *session : {&m_window->live().session(), &m_window->trace().session()}) {
        session->refreshFigures();
        session->poll();
    }
}

} // namespace jetscope
