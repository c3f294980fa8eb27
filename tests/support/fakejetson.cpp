// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/fakejetson.h"

#include "gpu/cupti/cuptitrial.h"
#include "gpu/stages/nviva/nvivaprocess.h"
#include "gpu/stages/vpi/vpistage.h"
#include "gpu/verify/workbench.h"
#include "tests/support/boardtree.h"
#include "tests/support/dlaworld.h"
#include "tests/support/fakeboarddevice.h"
#include "tests/support/fakejetsoncamera.h"
#include "tests/support/fakevpi.h"

#include <QTemporaryDir>

#include <algorithm>
#include <array>
#include <fstream>
#include <map>
#include <optional>
#include <type_traits>

namespace jetscope::testing {

namespace {

constexpr std::size_t kOrinNxExample = 5;
constexpr std::size_t kThorExample = 4;

/// Lines as jetscope-sched writes them.
constexpr const char *kTraceHead = "# threads: 4026531836\n# events: sched 3 3\n# events: host1x 8 8\n";
constexpr const char *kSwitchLine =
    "            name-7      [001] d..2. 0.000100: sched_switch: prev_comm=name prev_pid=7 prev_prio=120 prev_state=S "
    "==> next_comm=other next_pid=9 next_prio=120\n";
constexpr const char *kContextLine = "     gpu-context-5 [000] ..... 0.000150: gpu_context: context=3 tag=5\n";
constexpr const char *kEngineLine =
    "            name-7      [001] d..2. 0.000200: host1x_channel_submit: name=15340000.vic, cmdbufs=1, relocs=0, "
    "syncpt_id=7, syncpt_incrs=1\n";

/// A fault in a file of the kernel: another content, or none.
struct FileFault {
    QString path;
    std::optional<QByteArray> content; ///< None: the file is missing.
};
const std::multimap<std::string, FileFault> &fileFaults()
{
    static const QByteArray kXavier("nvidia,p3768-0000+p3767-0000\0nvidia,p3767-0000\0nvidia,tegra194\0", 63);
    static const std::multimap<std::string, FileFault> faults = {
        {"attribute.capability/chip", {"proc/device-tree/compatible", kXavier}},
        {"board.identity", {"etc/nv_tegra_release", "# R99 (release), REVISION: 9.9, GCID: 1, BOARD: generic\n"}},
        {"board.gpu-load", {"sys/class/devfreq/17000000.gpu/device/load", std::nullopt}},
        {"board.gpu-clock", {"sys/class/devfreq/17000000.gpu/cur_freq", "612\n"}},
        {"board.cpu-clock", {"sys/devices/system/cpu/cpufreq/policy0/scaling_cur_freq", "1\n"}},
        {"board.cpu-clock", {"sys/devices/system/cpu/cpufreq/policy4/scaling_cur_freq", "1\n"}},
        {"board.memory", {"proc/meminfo", "MemTotal: many kB\n"}},
        {"board.power-mode", {"var/lib/nvpmodel/status", "mode=2\n"}},
        {"board.temperatures", {"sys/class/thermal/thermal_zone0/temp", "46\n"}},
        {"board.rails", {"sys/class/hwmon/hwmon1/in1_label", "VDD_UNKNOWN\n"}},
        {"board.rails/parts", {"sys/class/hwmon/hwmon1/curr1_input", "900\n"}},
    };
    return faults;
}

} // namespace

class FakeJetson::Parts {
public:
    Parts(std::string fault, Board board) : m_fault(std::move(fault)), m_isThor(board == Board::Thor)
    {
        makeTree();
        makeLibraries();
        makeWorld();
    }
    ~Parts()
    {
        qunsetenv("JETSCOPE_FAKE_CUPTI");
        clearFailures();
        vpiFunction<void(std::uint64_t)>("fakeVpiForgetBackends")(0);
    }
    Parts(const Parts &) = delete;
    Parts &operator=(const Parts &) = delete;

    VerifyWorld &world() { return m_world; }

private:
    bool is(std::string_view row) const { return m_fault == row; }

    template <class Signature>
    static Signature *vpiFunction(const char *name)
    {
        return callOf<Signature>(vpiTools().library.c_str(), name);
    }

    void makeTree()
    {
        const BoardExample &example = boardExamples()[m_isThor ? kThorExample : kOrinNxExample];
        for (const auto &[path, content] : example.files)
            m_tree.write(path, content);
        m_tree.write("sys/class/video4linux/video0/name", "vi-output, imx219 9-0010\n");
        if (m_isThor) // In place of NVML, which tells of this machine only.
            m_tree.write("sys/class/devfreq/gpu-gpc-0/device/load", "120\n");
        for (const char *engine : {"nvdla0@15880000", "nvdla1@158c0000"})
            m_tree.write(QString("proc/device-tree/bus@0/host1x@13e00000/%1/status").arg(engine), "okay");
        const auto [begin, end] = fileFaults().equal_range(m_fault);
        for (auto fault = begin; fault != end; ++fault)
            if (fault->second.content)
                m_tree.write(fault->second.path, *fault->second.content);
            else
                m_tree.remove(fault->second.path);
    }

    void makeLibraries()
    {
        const std::string cupti = is("cupti.records") ? "times=reversed" : "";
        qputenv("JETSCOPE_FAKE_CUPTI", cupti.c_str());
        vpiTools().library = std::string(JETSCOPE_FAKE_VPI) + "/libjetscope_fakevpi_3.so";
        vpiTools().major = 3;
        vpiTools().driver = vpiTools().library;
        static const std::map<std::string, std::uint64_t> kBackends = {
            {"vpi.cuda", vpi::kCuda}, {"vpi.pva", vpi::kPva}, {"vpi.vic", vpi::kVic}};
        const auto backend = kBackends.find(m_fault);
        vpiFunction<void(std::uint64_t)>("fakeVpiForgetBackends")(backend == kBackends.end() ? 0 : backend->second);
        renewDlaWorld();
        dlaTools() = dlaWorld();
        FAKE_DLA(fakeCudlaCount)(is("dla.engines") ? 1 : 2);
        if (is("dla.hybrid"))
            FAKE_DLA(fakeCudlaFail)("cudlaMemRegister");
        if (is("dla.standalone"))
            FAKE_DLA(fakeCudlaFail)("cudlaImportExternalMemory");
        FAKE_DLA(fakeCudlaSkewStandalone)(is("dla.modes"));
        nvivaTools().driver = JETSCOPE_FAKE_DRIVER;
        nvivaTools().standIns = JETSCOPE_NVIVA_STANDINS;
        nvivaTools().surfaces = JETSCOPE_PITCHED_SURFACES;
        nvivaTools().timeout = std::chrono::seconds(60);
    }

    void makeWorld()
    {
        m_world.deviceId = "cuda:0";
        m_world.root = m_tree.root();
        m_world.openDisplay = [](std::string_view) { return openHeadlessDisplay("soft:orin"); };
        m_world.openDevice = [this](std::string_view, const std::shared_ptr<EglDisplay> &display) {
            return openBoard(display);
        };
        m_world.streams = &fakeBoardStreams();
        m_world.measureCaches = [this](Workbench &, std::string_view memory) { return cachesOf(memory); };
        m_world.measureAttachment = [this](const AttachTransition &transition) { return growthOf(transition); };
        m_world.loadSurfaces = [this]() -> Result<NvivaSurfaceApi> {
            JETSCOPE_TRY_ASSIGN(const NvivaSurfaceApi library, NvivaSurfaceApi::load(JETSCOPE_PITCHED_SURFACES));
            return fakeBoardSurfaces(library, m_fault);
        };
        m_world.openCamera = [this](const std::string &uri) { return m_camera.open(uri, is("csi.stream")); };
        m_world.tryCupti = [](int) {
            CuptiTrial::Plan plan;
            plan.command = {"/proc/self/exe", "--cupti-trial"};
            plan.libraries = {JETSCOPE_FAKE_CUPTI};
            plan.driver = JETSCOPE_FAKE_CUPTI;
            return CuptiTrial(plan).wait();
        };
        m_world.nvivaLibrary = std::string(JETSCOPE_TEST_STAGES) + "/libjetscope_nviva_"
            + (is("nviva.sample") ? "never_registers" : "good") + ".so";
        m_world.loadable = write("net.dla", kHeatLoadable);
        m_world.schedulerRefusal = [] { return std::string(); };
        m_world.schedulerCommand = {"/bin/cat", write("trace", traceLines())};
    }

    Result<std::unique_ptr<Device>> openBoard(const std::shared_ptr<EglDisplay> &display)
    {
        JETSCOPE_TRY_ASSIGN(std::unique_ptr<Device> soft,
                            jetscope::openDevice(m_isThor ? "soft:thor" : "soft:orin", display));
        FakeBoardCamera camera = m_camera.forDevice(*soft);
        return makeFakeBoardDevice(std::move(soft), display, m_fault, std::move(camera));
    }

    /// What a board of this kind would measure.
    Result<CacheShares> cachesOf(std::string_view memory) const
    {
        const auto share = [this](bool isCached, const char *row) { return isCached != is(row) ? 0.95 : 0.1; };
        if (memory == "zero-copy")
            return CacheShares{share(true, "caching.pinned-cpu"), share(false, "caching.pinned-gpu")};
        if (memory == "registered")
            return CacheShares{share(true, "caching.registered-cpu"), share(m_isThor, "caching.registered-gpu")};
        return CacheShares{share(true, "caching.unified-cpu"), share(true, "caching.unified-gpu")};
    }

    /// What a board measures where the table says what is prefetched.
    Result<double> growthOf(const AttachTransition &transition) const
    {
        static constexpr std::array kRows = {"attach.global-host", "attach.single-host",   "attach.host-global",
                                             "attach.host-single", "attach.global-single", "attach.single-global"};
        static_assert(kRows.size() == std::tuple_size_v<std::remove_cvref_t<decltype(attachTransitions())>>);
        const auto isIt = [&](const AttachTransition &each) {
            return each.from == transition.from && each.to == transition.to;
        };
        const auto row = std::ranges::find_if(attachTransitions(), isIt) - attachTransitions().begin();
        return (transition.effect != AttachEffect::None) != is(kRows[static_cast<std::size_t>(row)]) ? 180.0 : 1.1;
    }

    std::string traceLines() const
    {
        std::string lines = kTraceHead;
        lines += is("scheduler.threads") ? "name-7 [001]: sched_switch from 7 to 9\n" : kSwitchLine;
        lines += is("scheduler.contexts") ? "" : kContextLine;
        lines += is("scheduler.engines") ? "            name-7      [001] d..2. 0.000200: host1x_channel_submit: "
                                           "nickname=vic\n"
                                         : kEngineLine;
        return lines;
    }

    std::string write(const char *name, const std::string &content) const
    {
        const std::string path = m_folder.filePath(name).toStdString();
        std::ofstream(path, std::ios::binary) << content;
        return path;
    }

    const std::string m_fault;
    const bool m_isThor;
    BoardTree m_tree;
    QTemporaryDir m_folder;
    FakeJetsonCamera m_camera;
    VerifyWorld m_world;
};

FakeJetson::FakeJetson(std::string fault, Board board) : m_parts(std::make_unique<Parts>(std::move(fault), board)) {}

FakeJetson::~FakeJetson() = default;

VerifyWorld &FakeJetson::world()
{
    return m_parts->world();
}

} // namespace jetscope::testing
