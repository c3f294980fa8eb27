// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// The tables of the CUDA for Tegra note resolved for devices, and what files say of permissions, libraries, profiling
// and memory, in made trees.
#include "core/platform/factsections.h"
#include "core/platform/memorytable.h"
#include "core/platform/tegrafeatures.h"
#include "tests/support/boardtree.h"
#include "tests/support/testprogram.h"

#include <QDir>
#include <QFile>
#include <QTest>

#include <map>
#include <unistd.h>

using namespace jetscope;
using jetscope::testing::BoardTree;

namespace {

DeviceFacts integratedGpu(int major, int minor, bool coherent = false)
{
    DeviceFacts facts;
    facts.integrated = true;
    facts.computeMajor = major;
    facts.computeMinor = minor;
    facts.concurrentManagedAccess = facts.pageableMemoryAccess = coherent;
    facts.managedMemory = facts.mapHostMemory = Capability::yes();
    facts.hostRegister = major * 10 + minor >= 72 ? Capability::yes() : Capability::no("hostRegisterSupported = 0");
    return facts;
}

DeviceFacts discreteGpu(bool onTegra)
{
    DeviceFacts facts;
    facts.computeMajor = 6;
    facts.computeMinor = 1;
    facts.concurrentManagedAccess = !onTegra;
    facts.hostRegister = Capability::yes();
    facts.managedMemory = onTegra ? Capability::no("cudaMallocManaged: not supported") : Capability::yes();
    return facts;
}

DeviceFacts deviceNamed(const QString &name)
{
    const std::map<QString, DeviceFacts> devices = {{"5.3", integratedGpu(5, 3)},
                                                    {"6.2", integratedGpu(6, 2)},
                                                    {"7.2", integratedGpu(7, 2)},
                                                    {"8.7", integratedGpu(8, 7)},
                                                    {"11.0", integratedGpu(11, 0, true)},
                                                    {"discrete", discreteGpu(false)},
                                                    {"discrete on Tegra", discreteGpu(true)}};
    return devices.at(name);
}

/// "device memory: not accessible, cached" and so on.
QStringList linesOf(const DeviceFacts &facts)
{
    QStringList lines;
    for (const MemoryTableRow &row : memoryTable(facts))
        lines << QString("%1: %2, %3")
                     .arg(QString::fromStdString(std::string(row.kind)),
                          QString::fromStdString(std::string(nameOf(row.cpu.caching))),
                          QString::fromStdString(std::string(nameOf(row.gpu.caching))));
    return lines;
}

QByteArray elfFile()
{
    return QByteArray("\x7f"
                      "ELF\x02\x01\x01",
                      7)
        + QByteArray(200, '\0');
}

const LibraryFact &libraryNamed(const std::vector<LibraryFact> &libraries, const char *name)
{
    for (const LibraryFact &library : libraries)
        if (library.name == name)
            return library;
    qFatal("no library %s", name);
}

const NodeAccess &nodesOf(const std::vector<NodeAccess> &all, const char *pattern)
{
    for (const NodeAccess &access : all)
        if (access.pattern == pattern)
            return access;
    qFatal("no pattern %s", pattern);
}

} // namespace

class TestPlatform : public QObject {
    Q_OBJECT

private slots:
    void memoryTableFollowsTheNote_data();
    void memoryTableFollowsTheNote();
    void everyCellSaysWhy();
    void attachTableFollowsTheNote();
    void attachmentsDependOnTheDevice();
    void featuresFollowTheNote_data();
    void featuresFollowTheNote();
    void versionsLiftLimits();
    void allocatableFollowsTheNote();
    void allocatableIsUnknownWithoutFields_data();
    void allocatableIsUnknownWithoutFields();
    void permissionsOfAMadeTree();
    void groupsOfAMadeTree();
    void librariesFoundAbsentAndBroken();
    void dlasOfTheDeviceTree();
    void profilingByParameter_data();
    void profilingByParameter();
    void hostileTreesAreUnknown();
    void sectionsSayEverything();
};

void TestPlatform::memoryTableFollowsTheNote_data()
{
    QTest::addColumn<QString>("device");
    QTest::addColumn<QStringList>("rows");
    // Table 1, column iGPU, by compute capability; the last two rows from the text about I/O coherency.
    const QString device = "device memory: not accessible, cached";
    const QString pageable = "pageable host memory: cached, not accessible";
    const QString unified = "unified memory: cached, cached";
    const QStringList without = {device, pageable, "pinned host memory: uncached, uncached",
                                 "registered host memory: not supported, not supported", unified};
    const QStringList with = {device, pageable, "pinned host memory: cached, uncached",
                              "registered host memory: cached, uncached", unified};
    QTest::newRow("5.3") << "5.3" << without;
    QTest::newRow("6.2") << "6.2" << without;
    QTest::newRow("7.2") << "7.2" << with;
    QTest::newRow("8.7") << "8.7" << with;
    QTest::newRow("11.0") << "11.0"
                          << QStringList{device, "pageable host memory: cached, cached",
                                         "pinned host memory: cached, uncached",
                                         "registered host memory: cached, cached",
                                         "unified memory: cached, the driver decides"};
    // Column of the discrete GPU.
    QTest::newRow("discrete on Tegra") << "discrete on Tegra"
                                       << QStringList{device, pageable, "pinned host memory: cached, uncached",
                                                      "registered host memory: cached, uncached",
                                                      "unified memory: not supported, not supported"};
    QTest::newRow("discrete") << "discrete"
                              << QStringList{device, pageable, "pinned host memory: cached, uncached",
                                             "registered host memory: cached, uncached", unified};
}

void TestPlatform::memoryTableFollowsTheNote()
{
    QFETCH(QString, device);
    QFETCH(QStringList, rows);
    QCOMPARE(linesOf(deviceNamed(device)), rows);
    // Names decide nothing.
    DeviceFacts renamed = deviceNamed(device);
    renamed.name = "NVIDIA Jetson Nano";
    renamed.id = "cuda:0";
    QCOMPARE(linesOf(renamed), rows);
}

void TestPlatform::everyCellSaysWhy()
{
    for (const char *device : {"5.3", "6.2", "7.2", "8.7", "11.0", "discrete", "discrete on Tegra"})
        for (const MemoryTableRow &row : memoryTable(deviceNamed(device))) {
            QVERIFY(!row.cpu.why.empty() && !row.gpu.why.empty() && !row.source.empty() && !row.call.empty());
            QVERIFY(!row.cpu.why.ends_with('.') && !row.gpu.why.ends_with('.'));
        }
}

void TestPlatform::attachTableFollowsTheNote()
{
    QStringList rows;
    for (const AttachTransition &transition : attachTransitions())
        rows << QString("%1 %2 %3")
                    .arg(QString::fromStdString(std::string(nameOf(transition.from))),
                         QString::fromStdString(std::string(nameOf(transition.to))))
                    .arg(static_cast<int>(transition.effect));
    rows.sort();
    QCOMPARE(rows,
             (QStringList{"cudaMemAttachGlobal cudaMemAttachHost 0", "cudaMemAttachGlobal cudaMemAttachSingle 2",
                          "cudaMemAttachHost cudaMemAttachGlobal 1", "cudaMemAttachHost cudaMemAttachSingle 1",
                          "cudaMemAttachSingle cudaMemAttachGlobal 2", "cudaMemAttachSingle cudaMemAttachHost 0"}));
}

void TestPlatform::attachmentsDependOnTheDevice()
{
    QVERIFY(attachmentsPrefetch(deviceNamed("8.7")).available);
    QVERIFY(attachmentsPrefetch(deviceNamed("5.3")).available);
    const Capability thor = attachmentsPrefetch(deviceNamed("11.0"));
    QVERIFY(!thor.available && thor.reason.find("cudaMemPrefetchAsync") != std::string::npos);
    QVERIFY(!attachmentsPrefetch(deviceNamed("discrete on Tegra")).available);
}

void TestPlatform::featuresFollowTheNote_data()
{
    QTest::addColumn<QString>("device");
    QTest::addColumn<QStringList>("supported");
    const QString onTegra = "unified memory on a discrete GPU";
    QTest::newRow("5.3") << "5.3" << QStringList{onTegra};
    QTest::newRow("6.2") << "6.2" << QStringList{onTegra};
    QTest::newRow("7.2") << "7.2" << QStringList{"cudaHostRegister", "system-wide atomics", onTegra};
    QTest::newRow("8.7") << "8.7" << QStringList{"cudaHostRegister", "system-wide atomics", onTegra};
    QTest::newRow("11.0") << "11.0"
                          << QStringList{"cudaHostRegister", "system-wide atomics", onTegra, "cudaMemPrefetchAsync",
                                         "NVML"};
    QTest::newRow("discrete") << "discrete"
                              << QStringList{"cudaHostRegister",
                                             "system-wide atomics",
                                             onTegra,
                                             "cudaMemPrefetchAsync",
                                             "NVML",
                                             "CUDA IPC of events",
                                             "CUDA IPC of memory",
                                             "RDMA",
                                             "compilation at run time (PTX, NVRTC)",
                                             "Multi-Process Service (MPS)",
                                             "peer-to-peer access",
                                             "CUB"};
    QTest::newRow("discrete on Tegra") << "discrete on Tegra"
                                       << QStringList{"cudaHostRegister",
                                                      "system-wide atomics",
                                                      "NVML",
                                                      "CUDA IPC of events",
                                                      "CUDA IPC of memory",
                                                      "RDMA",
                                                      "compilation at run time (PTX, NVRTC)",
                                                      "Multi-Process Service (MPS)",
                                                      "peer-to-peer access",
                                                      "CUB"};
}

void TestPlatform::featuresFollowTheNote()
{
    QFETCH(QString, device);
    QFETCH(QStringList, supported);
    QStringList found;
    for (const TegraFeature &feature : tegraFeatures(deviceNamed(device))) {
        if (feature.state == FeatureState::Supported)
            found << QString::fromStdString(std::string(feature.name));
        QVERIFY(!feature.why.empty() && !feature.alternative.empty() && !feature.source.empty());
    }
    QCOMPARE(found, supported);
}

void TestPlatform::versionsLiftLimits()
{
    const auto stateOf = [](DeviceFacts facts, std::optional<int> version, std::string_view name) {
        facts.driverVersion = version;
        for (const TegraFeature &feature : tegraFeatures(facts))
            if (feature.name == name)
                return feature.state;
        return FeatureState::Discouraged;
    };
    const DeviceFacts orin = deviceNamed("8.7");
    QCOMPARE(stateOf(orin, 11040, "CUDA IPC of events"), FeatureState::Unsupported);
    QCOMPARE(stateOf(orin, 11050, "CUDA IPC of events"), FeatureState::Supported);
    QCOMPARE(stateOf(orin, std::nullopt, "CUDA IPC of events"), FeatureState::Unknown);
    QCOMPARE(stateOf(deviceNamed("6.2"), 12060, "CUDA IPC of events"), FeatureState::Unsupported);
    QCOMPARE(stateOf(orin, 13000, "CUDA IPC of memory"), FeatureState::Unsupported);
    QCOMPARE(stateOf(deviceNamed("11.0"), 13000, "CUDA IPC of memory"), FeatureState::Supported);
    QCOMPARE(stateOf(orin, 12040, "Multi-Process Service (MPS)"), FeatureState::Unsupported);
    QCOMPARE(stateOf(orin, 12050, "Multi-Process Service (MPS)"), FeatureState::Supported);
    QCOMPARE(stateOf(orin, 12060, "RDMA"), FeatureState::Unknown); // Editions contradict each other.
}

void TestPlatform::allocatableFollowsTheNote()
{
    constexpr std::uint64_t kKibi = 1024;
    // The CPU has 8000 - 2000 - 1000 = 5000 KiB.
    const QByteArray meminfo = "MemTotal:       8000 kB\nMemFree:  2000 kB\nNvMapMemUsed: 1000 kB\n";
    const auto allocatable = [&](const QByteArray &swap) {
        return allocatableMemory(parseMemoryFields((meminfo + swap).toStdString()));
    };
    const Result<AllocatableMemory> much = allocatable("SwapFree: 6000 kB\n");
    QVERIFY(much.ok());
    QCOMPARE(much.value().hostAllocated, 5000 * kKibi);
    QCOMPARE(much.value().allocatable, 7000 * kKibi);                               // All but what devices have.
    QCOMPARE(allocatable("SwapFree: 1500 kB\n").value().allocatable, 4500 * kKibi); // 8000 - (5000 - 1500)
    QCOMPARE(allocatable("SwapFree: 0 kB\r\n").value().allocatable, 3000 * kKibi);
    BoardTree tree;
    tree.write("proc/meminfo", meminfo + "SwapFree: 0 kB\n");
    QCOMPARE(readPlatform(tree.root()).allocatable->allocatable, 3000 * kKibi);
}

void TestPlatform::allocatableIsUnknownWithoutFields_data()
{
    QTest::addColumn<QByteArray>("meminfo");
    QTest::addColumn<QString>("mentions");
    const QByteArray whole = "MemTotal: 8 kB\nMemFree: 2 kB\nSwapFree: 1 kB\nNvMapMemUsed: 1 kB\n";
    QTest::newRow("a PC") << QByteArray(whole).replace("NvMap", "Other") << "NvMapMemUsed";
    QTest::newRow("no swap line") << QByteArray(whole).replace("SwapFree", "Swap") << "SwapFree";
    QTest::newRow("no number") << QByteArray(whole).replace("8 kB", "x kB") << "MemTotal";
    QTest::newRow("negative") << QByteArray(whole).replace(" 1 kB", " -1 kB") << "NvMapMemUsed";
    QTest::newRow("huge") << QByteArray(whole).replace("8 kB", "99999999999999999999 kB") << "MemTotal";
    QTest::newRow("no unit") << QByteArray(whole).replace("2 kB", "2") << "MemFree";
    QTest::newRow("garbage") << QByteArray("\0\xff:\n:\n\n::::", 11) << "NvMapMemUsed";
    QTest::newRow("empty") << QByteArray() << "NvMapMemUsed";
}

void TestPlatform::allocatableIsUnknownWithoutFields()
{
    QFETCH(QByteArray, meminfo);
    QFETCH(QString, mentions);
    BoardTree tree;
    tree.write("proc/meminfo", meminfo);
    const PlatformFacts facts = readPlatform(tree.root());
    QVERIFY(!facts.allocatable);
    QVERIFY2(facts.allocatableReason.find(mentions.toStdString()) != std::string::npos,
             facts.allocatableReason.c_str());
    // More used than there is.
    const auto odd = allocatableMemory(MemoryFields{8, 9, 0, 10});
    QVERIFY(odd.ok());
    QCOMPARE(odd.value().hostAllocated, std::uint64_t{0});
}

void TestPlatform::permissionsOfAMadeTree()
{
    BoardTree tree;
    const auto node = [&tree](const char *path, QFile::Permissions permissions) {
        tree.write(path, "");
        QVERIFY(QFile::setPermissions(tree.path(path), permissions));
    };
    const QFile::Permissions ofOwner = QFile::ReadOwner | QFile::WriteOwner;
    const QFile::Permissions ofGroup = ofOwner | QFile::ReadGroup | QFile::WriteGroup;
    node("dev/video0", ofGroup);
    node("dev/video1", ofGroup | QFile::ReadOther | QFile::WriteOther);
    node("dev/nvmap", ofOwner);
    node("dev/dri/renderD128", ofGroup | QFile::ReadOther | QFile::WriteOther);
    tree.write("etc/group",
               QByteArray("root:x:0:\n\nbad\n:x:1:\nvideo:x:") + QByteArray::number(getgid()) + ":ubuntu\n");
    const UserIdentity stranger{54321, {54321}};
    const std::vector<NodeAccess> all = nodeAccess(tree.root(), stranger);
    const NodeAccess &cameras = nodesOf(all, "/dev/video*");
    QCOMPARE(cameras.state, NodeAccess::State::Denied);
    QCOMPARE(cameras.found, 2);
    QCOMPARE(cameras.denied, std::vector<std::string>{"/dev/video0"});
    if (getgid() != 0) // A group with the number 0 is root's.
        QCOMPARE(cameras.command, std::string("sudo usermod -aG video $USER"));
    else
        QVERIFY(cameras.command.find("chgrp video /dev/video0") != std::string::npos);
    const NodeAccess &map = nodesOf(all, "/dev/nvmap");
    QCOMPARE(map.state, NodeAccess::State::Denied);
    QVERIFY(map.command.find("sudo chgrp video /dev/nvmap") != std::string::npos);
    QCOMPARE(nodesOf(all, "/dev/dri/render*").state, NodeAccess::State::Allowed);
    QVERIFY(nodesOf(all, "/dev/dri/render*").command.empty());
    const NodeAccess &engines = nodesOf(all, "/dev/nvhost-*");
    QCOMPARE(engines.state, NodeAccess::State::Absent);
    QVERIFY(!engines.reason.empty() && engines.command.empty());
    // The group helps, and so does ownership.
    QCOMPARE(nodesOf(nodeAccess(tree.root(), {54321, {getgid()}}), "/dev/video*").state, NodeAccess::State::Allowed);
    QCOMPARE(nodesOf(nodeAccess(tree.root(), {getuid(), {}}), "/dev/nvmap").state, NodeAccess::State::Allowed);
}

void TestPlatform::groupsOfAMadeTree()
{
    BoardTree tree;
    tree.write("etc/group", "video:x:44:ubuntu\n");
    const std::vector<GroupMembership> inside = groupMembership(tree.root(), {1000, {1000, 44}});
    QVERIFY(inside[0].isMember == true && inside[0].command.empty());
    QVERIFY(!inside[1].isMember && !inside[1].reason.empty()); // There is no group render.
    const std::vector<GroupMembership> outside = groupMembership(tree.root(), {1000, {1000}});
    QVERIFY(outside[0].isMember == false);
    QCOMPARE(outside[0].command, std::string("sudo usermod -aG video $USER"));
    QVERIFY(groupMembership(tree.root(), {0, {0}})[0].command.empty());
    BoardTree none;
    QVERIFY(!groupMembership(none.root(), {1000, {}})[0].isMember);
}

void TestPlatform::librariesFoundAbsentAndBroken()
{
    BoardTree tree;
    const QString vpi = "opt/nvidia/vpi3/lib/aarch64-linux-gnu/";
    tree.write(vpi + "libnvvpi.so.3.2.4", elfFile());
    QVERIFY(QFile::link("libnvvpi.so.3.2.4", tree.path(vpi + "libnvvpi.so.3")));
    tree.write(vpi + "libnvvpi.so.30", elfFile());
    const QString l4t = "usr/lib/aarch64-linux-gnu/nvidia/";
    tree.write(l4t + "libnvbufsurface.so.1.0.0", elfFile());
    tree.write(l4t + "libcuda.so.1", ""); // As in a container without the runtime.
    QVERIFY(QFile::link("libcudla.so.9", tree.path(l4t + "libcudla.so")));
    tree.write(l4t + "libnvscibuf.so",
               "not a library, but as long as the head of one, or even somewhat longer than that");
    tree.write(l4t + "libnvscisync.so", elfFile());
    QDir(tree.path(l4t)).mkdir("libnvargus_socketclient.so");
    const std::vector<LibraryFact> all = findLibraries(tree.root());
    const LibraryFact &found = libraryNamed(all, "VPI 3");
    QCOMPARE(found.state, LibraryFact::State::Found);
    QCOMPARE(found.version, std::string("3.2.4"));
    QCOMPARE(found.path, "/" + (vpi + "libnvvpi.so.3").toStdString());
    QCOMPARE(libraryNamed(all, "NvBufSurface").version, std::string("1.0.0"));
    QVERIFY(libraryNamed(all, "NvSciSync").version.empty() && !libraryNamed(all, "NvSciSync").reason.empty());
    for (const char *absent : {"VPI 2", "VPI 4", "NVML"}) {
        QCOMPARE(libraryNamed(all, absent).state, LibraryFact::State::Absent);
        QVERIFY(libraryNamed(all, absent).path.empty() && !libraryNamed(all, absent).reason.empty());
    }
    const std::map<const char *, const char *> broken = {
        {"CUDA driver", "empty"}, {"cuDLA", "does not exist"}, {"NvSciBuf", "no 64-bit library"}, {"Argus", "no file"}};
    for (const auto &[name, why] : broken) {
        QCOMPARE(libraryNamed(all, name).state, LibraryFact::State::Broken);
        QVERIFY2(libraryNamed(all, name).reason.find(why) != std::string::npos, libraryNamed(all, name).reason.c_str());
    }
    for (const LibraryFact &library : all)
        QVERIFY(!library.purpose.empty());
}

void TestPlatform::dlasOfTheDeviceTree()
{
    BoardTree tree;
    QVERIFY(!countDlas(tree.root()).count);
    tree.write("proc/device-tree/model", "board");
    QCOMPARE(countDlas(tree.root()).count, std::optional(0));
    const QString host = "proc/device-tree/bus@0/host1x@13e00000/";
    tree.write(host + "nvdla0@15880000/status", QByteArray("okay\0", 5));
    tree.write(host + "nvdla1@158c0000/status", QByteArray("disabled\0", 9));
    QCOMPARE(countDlas(tree.root()).count, std::optional(1));
    tree.write(host + "nvdla1@158c0000/status", QByteArray("okay\0", 5));
    QCOMPARE(countDlas(tree.root()).count, std::optional(2));
}

void TestPlatform::profilingByParameter_data()
{
    using State = ProfilingAccess::State;
    QTest::addColumn<QByteArray>("parameters");
    QTest::addColumn<QByteArray>("configuration");
    QTest::addColumn<int>("state");
    const auto row = [](const char *name, const char *parameters, const char *configuration, State state) {
        QTest::newRow(name) << QByteArray(parameters) << QByteArray(configuration) << static_cast<int>(state);
    };
    row("neither", "", "", State::Unknown);
    row("driver: restricted", "A: 1\nRmProfilingAdminOnly: 1\nB: 0\n", "", State::AdminOnly);
    row("driver: open", "RmProfilingAdminOnly: 0\n", "options nvidia NVreg_RestrictProfilingToAdminUsers=1\n",
        State::Open);
    row("driver without it", "Other: 1\n", "", State::Unknown);
    row("configuration: open", "", "options nvidia NVreg_RestrictProfilingToAdminUsers=0 Other=1\n", State::Open);
    row("configuration: restricted", "", "options nvidia NVreg_RestrictProfilingToAdminUsers=1\n", State::AdminOnly);
    row("comment", "", "# options nvidia NVreg_RestrictProfilingToAdminUsers=0\n", State::Unknown);
    row("no value", "RmProfilingAdminOnly", "NVreg_RestrictProfilingToAdminUsers=", State::Unknown);
    row("another value", "RmProfilingAdminOnly: x\n", "", State::Unknown);
}

void TestPlatform::profilingByParameter()
{
    QFETCH(QByteArray, parameters);
    QFETCH(QByteArray, configuration);
    QFETCH(int, state);
    BoardTree tree;
    if (!parameters.isEmpty())
        tree.write("proc/driver/nvidia/params", parameters);
    tree.write("etc/modprobe.d/nvidia.conf", configuration);
    tree.write("etc/modprobe.d/old.conf.bak", "options nvidia NVreg_RestrictProfilingToAdminUsers=0\n");
    const ProfilingAccess access = profilingAccess(tree.root());
    QCOMPARE(static_cast<int>(access.state), state);
    QVERIFY(!access.reason.empty());
    QCOMPARE(!access.command.empty(), access.state == ProfilingAccess::State::AdminOnly);
}

void TestPlatform::hostileTreesAreUnknown()
{
    BoardTree tree;
    for (const char *path : {"proc/meminfo", "proc/driver/nvidia/params", "etc/group", "etc/modprobe.d/a.conf"})
        tree.write(path, QByteArray(1 << 20, '\xff') + QByteArray("\0:\n\0", 4) + QByteArray(1 << 20, ':'));
    for (const char *folder : {"dev/video0", "dev/nvmap", "usr/lib/aarch64-linux-gnu/libcudla.so"})
        QVERIFY(QDir().mkpath(tree.path(folder)));
    QVERIFY(QFile::link("video9", tree.path("dev/video9"))); // A circle.
    tree.write("etc/modprobe.d/b.conf", "NVreg_RestrictProfilingToAdminUsers");
    const PlatformFacts facts = readPlatform(tree.root(), {1000, {1000}});
    QVERIFY(!facts.allocatable && !facts.allocatableReason.empty());
    QCOMPARE(facts.profiling.state, ProfilingAccess::State::Unknown);
    QCOMPARE(nodesOf(facts.nodes, "/dev/video*").state, NodeAccess::State::Absent);
    QCOMPARE(libraryNamed(facts.libraries, "cuDLA").state, LibraryFact::State::Broken);
    QVERIFY(!facts.groups[0].isMember && !facts.groups[1].isMember);
    QVERIFY(!facts.board.model.known());
}

void TestPlatform::sectionsSayEverything()
{
    DeviceFacts orin = deviceNamed("8.7");
    orin.driverVersion = 12060;
    orin.reportedMemory = ReportedMemory{1 << 20, 2 << 20};
    orin.attributes = {{"integrated", 1, {}}, {"asyncEngineCount", std::nullopt, "invalid value (code 1)"}};
    BoardTree tree;
    const PlatformFacts platform = readPlatform(tree.root(), {1000, {1000}});
    const std::vector<FactSection> sections = {identitySection(platform.board), permissionSection(platform),
                                               profilingSection(platform),      librarySection(platform),
                                               sharingSection(platform, ""),    attributeSection(orin),
                                               limitSection(orin, platform),    featureSection(orin)};
    for (const FactSection &section : sections) {
        QVERIFY(!section.rows.empty());
        for (const FactRow &row : section.rows) {
            QVERIFY(!row.name.empty() && !row.value.empty());
            QVERIFY2(row.state != FactRow::State::Unknown || !row.detail.empty(), row.name.c_str());
        }
    }
    QCOMPARE(sections[5].rows[0].value, std::string("8.7"));
    QCOMPARE(sections[5].rows[1].value, std::string("12.6"));
    QCOMPARE(sections[5].rows[4].state, FactRow::State::Unknown);
    QCOMPARE(sections[6].rows[0].value, std::string("1 MiB free of 2 MiB"));
    QCOMPARE(sharingSection(platform, "EGL_A EGL_KHR_stream_cross_process_fd").rows[0].state, FactRow::State::Good);
    QCOMPARE(sharingSection(platform, "EGL_KHR_stream_cross_process_fd2").rows[0].state, FactRow::State::Bad);
}

JETSCOPE_TEST(TestPlatform)
#include "tst_platform.moc"
