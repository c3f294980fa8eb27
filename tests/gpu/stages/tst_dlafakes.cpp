// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// The made-up cuDLA, NvSci and CUDA driver find what stages of a DLA must not do.
#include "tests/support/dlaworld.h"
#include "tests/support/testprogram.h"

#include <QTest>

using namespace jetscope;
using namespace jetscope::testing;

class TestDlaFakes : public QObject {
    Q_OBJECT

private slots:
    void init() { renewDlaWorld(); }
    void cleanup() { renewDlaWorld(); }
    void hybridMode();
    void listsAndObjects();
    void attributesOfSyncs();
    void importsAreChecked();
    void tasksAreChecked();
    void teardownIsChecked();
};

void TestDlaFakes::hybridMode()
{
    const CudlaLibrary library = CudlaLibrary::load(JETSCOPE_FAKE_CUDLA).value();
    const cudla::Functions &f = library.functions();
    const std::string loadable = kHeatLoadable;
    const auto *const bytes = reinterpret_cast<const std::uint8_t *>(loadable.data());
    cudla::Device device = nullptr;
    cudla::Module module = nullptr;
    cudla::Module second = nullptr;
    QCOMPARE(f.createDevice(2, &device, 0), 1);
    QCOMPARE(f.createDevice(0, &device, 0), 0);
    QCOMPARE(f.loadModule(device, bytes, 0, &module, 0), 1);
    QCOMPARE(f.loadModule(device, bytes, loadable.size(), &module, 0), 0);
    QCOMPARE(f.loadModule(device, bytes, loadable.size(), &second, 0), 13); // One for each device.
    std::vector<std::uint64_t> memory(1000);
    std::uint64_t *in = nullptr;
    std::uint64_t *out = nullptr;
    QCOMPARE(f.registerMemory(device, memory.data(), 2304, &in, 0), 0);
    QCOMPARE(f.registerMemory(device, memory.data(), 2304, &out, 0), 11); // Registered already.
    QCOMPARE(f.registerMemory(device, memory.data() + 500, 1535, &out, 0), 0);
    cudla::Task task;
    task.module = module;
    task.inputs = &in;
    task.inputCount = 1;
    task.outputs = &out;
    task.outputCount = 1;
    const auto submit = [&] { return f.submitTask(device, &task, 1, streamNumber(3), 0); };
    QCOMPARE(submit(), 4); // Too few bytes are registered.
    QCOMPARE(f.unregisterMemory(device, out), 0);
    QCOMPARE(f.unregisterMemory(device, out), 4);
    QCOMPARE(submit(), 4);
    QCOMPARE(f.registerMemory(device, memory.data() + 500, 1536, &out, 0), 0);
    QCOMPARE(submit(), 0);
    const cudla::WaitEvents waits;
    task.waitEvents = &waits;
    QCOMPARE(submit(), 13); // Not in hybrid mode.
    task.waitEvents = nullptr;
    task.outputCount = 2;
    QCOMPARE(submit(), 1);
    task.outputCount = 1;
    QCOMPARE(f.submitTask(device, &task, 1, nullptr, 0), 0);
    QVERIFY(dlaWorldViolations().contains("default stream"));
    QCOMPARE(f.destroyDevice(device), 0);
    QVERIFY(dlaWorldViolations().contains("destroyed with a module or registered memory"));
    QCOMPARE(f.destroyDevice(device), 8);
    QCOMPARE(submit(), 8);
    QCOMPARE(f.unloadModule(nullptr, 0), 12);
    QCOMPARE(f.createDevice(1, &device, 1), 0);
    QCOMPARE(f.registerMemory(device, memory.data(), 2304, &in, 0), 13); // In standalone mode.
    QVERIFY(dlaWorldViolations().contains("memory of CUDA is registered in standalone mode"));
    QCOMPARE(f.destroyDevice(device), 0);
}

namespace {

nvsci::List listOf(const nvsci::Functions &f, nvsci::Module module)
{
    nvsci::List list = nullptr;
    f.createList(module, &list);
    return list;
}

} // namespace

void TestDlaFakes::listsAndObjects()
{
    const NvSciLibrary library = NvSciLibrary::load(NvSciLibrary::Kind::Buffers, JETSCOPE_FAKE_NVSCIBUF).value();
    const nvsci::Functions &f = library.functions();
    nvsci::Module module = nullptr;
    nvsci::List list = nullptr;
    nvsci::List conflicts = nullptr;
    nvsci::Object object = nullptr;
    QCOMPARE(f.createList(nullptr, &list), 0x100);
    QCOMPARE(f.openModule(&module), 0);
    QCOMPARE(f.createList(module, &list), 0);
    const std::uint64_t bytes = 100;
    const int type = 1;
    const int permission = 3;
    const nvsci::KeyValue size{nvsci::kRawBytes, &bytes, sizeof bytes};
    const nvsci::KeyValue wrongLength{nvsci::kRawAlignment, &bytes, 4};
    const nvsci::KeyValue rest[] = {{nvsci::kTypes, &type, sizeof type},
                                    {nvsci::kRequiredPermission, &permission, sizeof permission}};
    QCOMPARE(f.setAttributes(list, &size, 1), 0);
    QCOMPARE(f.setAttributes(list, &size, 1), 0x100); // Is set already.
    QCOMPARE(f.setAttributes(list, &wrongLength, 1), 0x100);
    QCOMPARE(f.allocate(list, &object), 0x100); // Is not reconciled.
    nvsci::List reconciled = nullptr;
    QCOMPARE(f.reconcile(&list, 1, &reconciled, &conflicts), 0x10100); // Has no type.
    QVERIFY(conflicts && !reconciled);
    QCOMPARE(f.setAttributes(list, rest, 2), 0);
    f.freeList(conflicts);
    QCOMPARE(f.reconcile(&list, 1, &reconciled, &conflicts), 0);
    QCOMPARE(f.setAttributes(reconciled, rest, 2), 0x100);
    QCOMPARE(f.allocate(reconciled, &object), 0);
    f.freeList(list);
    QCOMPARE(f.reconcile(&list, 1, &reconciled, &conflicts), 0x100); // Is freed.
    QCOMPARE(dlaWorldViolations(), QString());
    f.freeList(list);
    QVERIFY(dlaWorldViolations().contains("a list is freed that does not exist"));
    static_cast<FakeSciBuffer *>(object)->imports = 1;
    f.freeObject(object);
    QVERIFY(dlaWorldViolations().contains("freed before what was imported"));
    f.freeObject(object);
    QVERIFY(dlaWorldViolations().contains("an object is freed that does not exist"));
    f.closeModule(module);
    QVERIFY(dlaWorldViolations().contains("closed while lists, objects or fences exist"));
    f.closeModule(module);
    QVERIFY(dlaWorldViolations().contains("not open"));
}

namespace {

/// All that a task in standalone mode needs, by plain calls.
struct StandaloneCalls {
    const CudlaLibrary library = CudlaLibrary::load(JETSCOPE_FAKE_CUDLA).value();
    const cudla::Functions &dla = library.functions();
    const CudaExternal cuda = CudaExternal::load(JETSCOPE_FAKE_DRIVER).value();
    const NvSciLibrary syncs = NvSciLibrary::load(NvSciLibrary::Kind::Syncs, JETSCOPE_FAKE_NVSCISYNC).value();
    const nvsci::Functions &sci = syncs.functions();
    cudla::Device device = nullptr;
    cudla::Device hybrid = nullptr;
    cudla::Module loaded = nullptr;
    nvsci::Module module = nullptr;
    nvsci::Object packed = nullptr;
    nvsci::Object done = nullptr;
    FakeSciBuffer input;
    FakeSciBuffer output;
    std::uint64_t *in = nullptr;
    std::uint64_t *out = nullptr;
    std::uint64_t *packedOfDla = nullptr;
    std::uint64_t *doneOfDla = nullptr;
    void *packedOfCuda = nullptr;
    void *doneOfCuda = nullptr;
    nvsci::Fence packedFence;
    nvsci::Fence doneFence;
    const cudla::Fence before{&packedFence, 1};
    cudla::Fence behind{&doneFence, 1};
    const cudla::WaitEvents waits{&before, 1};
    cudla::SignalEvents ends{&doneOfDla, &behind, 1};
    cudla::Task task;
    driver::SemaphoreUse signalled;
    driver::SemaphoreUse awaited;

    StandaloneCalls()
    {
        const std::string loadable = kHeatLoadable;
        dla.createDevice(0, &device, 1);
        dla.createDevice(1, &hybrid, 0);
        dla.loadModule(device, reinterpret_cast<const std::uint8_t *>(loadable.data()), loadable.size(), &loaded, 0);
        sci.openModule(&module);
        packed = makeSync(1, 1);
        done = makeSync(2, 2);
        input.bytes.resize(2304);
        output.bytes.resize(1536);
        input.alignment = output.alignment = 512;
        input.hasGpu = output.hasGpu = true;
        signalled.fence = &packedFence;
        awaited.fence = &doneFence;
    }
    nvsci::Object makeSync(int ofCuda, std::uint32_t ofDla) const
    {
        nvsci::List lists[] = {listOf(sci, module), listOf(sci, module)};
        cuda.syncAttributes(lists[0], 0, ofCuda);
        dla.syncAttributes(static_cast<std::uint64_t *>(lists[1]), ofDla);
        nvsci::List reconciled = nullptr;
        nvsci::List conflicts = nullptr;
        nvsci::Object sync = nullptr;
        if (sci.reconcile(lists, 2, &reconciled, &conflicts) == 0)
            sci.allocate(reconciled, &sync);
        return sync;
    }
    /// What is left to be done before tasks.
    bool importAll()
    {
        const cudla::ExternalMemory memory[] = {{&input, 2304}, {&output, 1536}};
        const cudla::ExternalSemaphore semaphores[] = {{packed}, {done}};
        driver::ExternalSemaphore forCuda[2];
        forCuda[0].object = packed;
        forCuda[1].object = done;
        task.module = loaded;
        task.inputs = &in;
        task.outputs = &out;
        task.inputCount = task.outputCount = 1;
        task.waitEvents = &waits;
        task.signalEvents = &ends;
        return dla.importMemory(device, &memory[0], &in, 0) == 0 && dla.importMemory(device, &memory[1], &out, 0) == 0
            && dla.importSemaphore(device, &semaphores[0], &packedOfDla, 0) == 0
            && dla.importSemaphore(device, &semaphores[1], &doneOfDla, 0) == 0
            && cuda.importSemaphore(&packedOfCuda, &forCuda[0]) == 0
            && cuda.importSemaphore(&doneOfCuda, &forCuda[1]) == 0;
    }
    int signal() { return cuda.signal(&packedOfCuda, &signalled, 1, streamNumber(3)); }
    int wait() { return cuda.wait(&doneOfCuda, &awaited, 1, streamNumber(3)); }
    int submit(void *stream = nullptr) { return dla.submitTask(device, &task, 1, stream, 0); }
};

} // namespace

void TestDlaFakes::attributesOfSyncs()
{
    const StandaloneCalls calls;
    QVERIFY(calls.packed && calls.done);
    QVERIFY(!calls.makeSync(1, 2)); // Nothing waits.
    nvsci::List const list = listOf(calls.sci, calls.module);
    QCOMPARE(calls.cuda.syncAttributes(list, 0, 0), 1);
    QCOMPARE(calls.cuda.syncAttributes(list, 0, 1), 0);
    QCOMPARE(calls.cuda.syncAttributes(list, 0, 1), 1); // Has a permission already.
    QCOMPARE(calls.dla.syncAttributes(static_cast<std::uint64_t *>(list), 1), 9);
    QCOMPARE(calls.dla.syncAttributes(nullptr, 1), 1);
}

void TestDlaFakes::importsAreChecked()
{
    StandaloneCalls calls;
    const cudla::Functions &dla = calls.dla;
    const CudaExternal &cuda = calls.cuda;
    calls.input.alignment = 64;
    calls.input.hasGpu = false;
    cudla::ExternalMemory memory{&calls.input, 2305};
    QCOMPARE(dla.importMemory(calls.hybrid, &memory, &calls.in, 0), 13);
    QCOMPARE(dla.importMemory(calls.device, &memory, &calls.in, 0), 1); // Is larger than the buffer.
    memory.bytes = 2304;
    QCOMPARE(dla.importMemory(calls.device, &memory, &calls.in, 0), 0);
    QVERIFY(dlaWorldViolations().contains("not aligned"));
    QCOMPARE(dla.importMemory(calls.device, &memory, &calls.in, 0), 11);
    const cudla::ExternalSemaphore semaphore{calls.packed};
    QCOMPARE(dla.importSemaphore(calls.hybrid, &semaphore, &calls.packedOfDla, 0), 13);
    const cudla::ExternalSemaphore none{&calls.input};
    QCOMPARE(dla.importSemaphore(calls.device, &none, &calls.packedOfDla, 0), 14);

    driver::ExternalMemory forCuda;
    void *external = nullptr;
    std::uint64_t mapped = 0;
    forCuda.object = &calls.input;
    forCuda.bytes = 2304;
    QCOMPARE(cuda.importMemory(&external, &forCuda), 1); // Not for this GPU.
    forCuda.object = &calls.output;
    forCuda.bytes = 1536;
    QCOMPARE(cuda.importMemory(&external, &forCuda), 0);
    driver::ExternalBuffer whole;
    whole.bytes = 1537;
    QCOMPARE(cuda.mapMemory(&mapped, external, &whole), 1);
    whole.bytes = 1536;
    QCOMPARE(cuda.mapMemory(&mapped, external, &whole), 0);
    QCOMPARE(cuda.destroyMemory(external), 0);
    QVERIFY(dlaWorldViolations().contains("destroyed while it is mapped"));
}

void TestDlaFakes::tasksAreChecked()
{
    StandaloneCalls calls;
    QVERIFY(calls.importAll());
    QCOMPARE(calls.submit(streamNumber(3)), 1); // No stream in this mode.
    calls.task.waitEvents = nullptr;
    calls.task.signalEvents = nullptr;
    QCOMPARE(calls.submit(), 0);
    const QString unordered = dlaWorldViolations();
    QVERIFY(unordered.contains("waits for nothing") && unordered.contains("signals nothing"));
    calls.task.waitEvents = &calls.waits;
    calls.task.signalEvents = &calls.ends;
    QCOMPARE(calls.submit(), 1);                                                               // A cleared fence.
    QCOMPARE(calls.cuda.signal(&calls.doneOfCuda, &calls.signalled, 1, streamNumber(3)), 801); // That is the DLA's.
    QCOMPARE(calls.signal(), 0);
    calls.behind.type = 2;
    QCOMPARE(calls.submit(), 13);
    calls.behind.type = 1;
    QCOMPARE(dlaWorldViolations(), QString());
    QCOMPARE(calls.signal(), 0);
    QCOMPARE(calls.submit(), 0);
    QCOMPARE(int{calls.output.bytes[1]}, 0); // Is not done before it is waited for.
    QCOMPARE(calls.submit(), 0);
    const QString twice = dlaWorldViolations();
    QVERIFY(twice.contains("a fence is waited for twice") && twice.contains("the task before was not waited for"));
    QCOMPARE(calls.cuda.wait(&calls.packedOfCuda, &calls.awaited, 1, streamNumber(3)), 801);
    calls.awaited.flags = 2;
    QCOMPARE(calls.wait(), 0);
    QVERIFY(dlaWorldViolations().contains("CUDA may see old bytes"));
    calls.awaited.flags = 0;
    QCOMPARE(calls.wait(), 0);
    QVERIFY(dlaWorldViolations().contains("waited for twice"));
    calls.signalled.flags = 1;
    QCOMPARE(calls.signal(), 0);
    QVERIFY(dlaWorldViolations().contains("the DLA may see old bytes"));
}

void TestDlaFakes::teardownIsChecked()
{
    StandaloneCalls calls;
    QVERIFY(calls.importAll() && calls.signal() == 0 && calls.submit() == 0);
    hangCuda(true);
    QCOMPARE(calls.cuda.destroySemaphore(calls.doneOfCuda), 0);
    hangCuda(false);
    QVERIFY(dlaWorldViolations().contains("a semaphore is destroyed while work is pending"));
    QCOMPARE(calls.dla.unregisterMemory(calls.device, calls.doneOfDla), 0);
    QVERIFY(dlaWorldViolations().contains("unregistered while a task has to signal it"));
    calls.sci.freeObject(calls.done);
    const QString early = dlaWorldViolations();
    QVERIFY(early.contains("before its fences are cleared") && early.contains("while a task has to signal it"));
    calls.sci.freeObject(calls.packed);
    QVERIFY(dlaWorldViolations().contains("freed before what was imported"));
    QCOMPARE(calls.dla.destroyDevice(calls.device), 0);
    QVERIFY(dlaWorldViolations().contains("destroyed with a module or registered memory"));
    QCOMPARE(calls.dla.destroyDevice(calls.hybrid), 0);
}

JETSCOPE_TEST(TestDlaFakes)
#include "tst_dlafakes.moc"
