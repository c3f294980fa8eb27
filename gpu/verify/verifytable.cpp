// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/verify/verifychecks.h"

#include <algorithm>

namespace jetscope {

namespace {

constexpr std::string_view kTable1 = "CUDA for Tegra Application Note, Table 1";
constexpr std::string_view kTable2 = "CUDA for Tegra Application Note, Table 2";
constexpr std::string_view kCoherency = "CUDA for Tegra Application Note, I/O Coherency";
constexpr std::string_view kPinned = "CUDA for Tegra Application Note, Pinned Memory";
constexpr std::string_view kManaged = "CUDA C++ Programming Guide, Unified Memory, Coherency and Concurrency";
constexpr std::string_view kEglNote = "CUDA for Tegra Application Note, EGL Interoperability";
constexpr std::string_view kCudaEvent = "EGL_NV_cuda_event; CUDA for Tegra Application Note, EGLSync";
constexpr std::string_view kEglStream = "CUDA for Tegra Application Note, EGLStream";
constexpr std::string_view kNvBuf = "Jetson Multimedia API, nvbufsurface.h";
constexpr std::string_view kVpi = "VPI documentation, Algorithms";
constexpr std::string_view kCudla = "cuDLA API";
constexpr std::string_view kTegrastats = "Jetson Linux Developer Guide; jetson_stats";
constexpr std::string_view kTracing = "Linux, Documentation/trace; include/trace/events/host1x.h; NVIDIA's nvgpu";

constexpr std::chrono::seconds kLong{60};

constexpr auto kChecks = std::to_array<VerifyCheck>({
    {"device.works", "the device opens and its first work gives the right picture", "CUDA Runtime API",
     "a copy, a kernel and a copy back give what the CPU computes",
     "no driver, no access to the nodes of the GPU, a wrong kernel", checkDevice, "", kLong},

    // --- attributes
    {"attribute.integrated", "the driver calls the GPU of a Tegra integrated", "CUDA Runtime API, cudaDeviceProp",
     "integrated is 1 for a GPU that shares the memory of the CPU", "another value", checkAttribute, "integrated"},
    {"attribute.capability", "the chip has the documented compute capability", "NVIDIA, CUDA GPUs",
     "5.3 Nano, 6.2 TX2, 7.2 Xavier, 8.7 Orin, 11.0 Thor", "another capability, so that rules are resolved wrongly",
     checkCapability},
    {"attribute.map-host", "host memory can be mapped", kTable1, "canMapHostMemory is 1", "another value",
     checkAttribute, "canMapHostMemory"},
    {"attribute.managed", "there is managed memory where the table says so", kTable1,
     "all but a discrete GPU of a Tegra system have it", "another value", checkAttribute, "managedMemory"},
    {"attribute.host-register", "host memory can be registered where it is coherent", kCoherency,
     "cudaHostRegister needs compute capability 7.2 or greater", "another value", checkAttribute,
     "hostRegisterSupported"},
    {"attribute.concurrent", "CPU and GPU share managed memory at a time only where the note says so", kManaged,
     "concurrentManagedAccess is 0 before Thor, and 1 from it on", "another value", checkAttribute,
     "concurrentManagedAccess"},
    {"attribute.pageable", "the GPU reads pageable memory only where the note says so", kTable1,
     "pageableMemoryAccess is 1 from Thor on", "another value", checkAttribute, "pageableMemoryAccess"},

    // --- memory
    {"memory.pageable", "copies of pageable memory give every byte", "CUDA Runtime API, API synchronization behavior",
     "the bytes are those at the time of the call", "lost or old bytes", checkMemory, "pageable"},
    {"memory.pinned", "copies of pinned memory give every byte", "CUDA Runtime API, API synchronization behavior",
     "a copy is complete when the stream is synchronized", "lost or old bytes", checkMemory, "pinned"},
    {"memory.zero-copy", "pinned memory is coherent without a copy", kPinned,
     "CPU and GPU see each other's writes after a synchronization", "old bytes from a cache that nobody cleaned",
     checkMemory, "zero-copy"},
    {"memory.registered", "registered memory is coherent without a copy", kCoherency,
     "from compute capability 7.2 on the GPU sees the caches of the CPU", "the registration fails, or old bytes",
     checkMemory, "registered"},
    {"memory.registered-large", "a large region can be registered", "numba #7190",
     "drivers of 2021 registered less than 4 MB", "the registration fails", checkLargeRegistration},
    {"memory.unified", "managed memory is coherent when the device is idle", kManaged,
     "the CPU may touch it when no kernel runs", "a bus error, or old bytes", checkMemory, "unified"},
    {"memory.unified-attach", "managed memory is coherent when it is attached by turns", kTable2,
     "an attachment to the host takes effect when the stream is synchronized", "a bus error, or old bytes", checkMemory,
     "unified-attach"},
    {"memory.gl-texture", "the device reads what GL uploaded into an EGLImage", kEglNote,
     "after glFinish the device sees the texture", "no registration, or old pixels", checkMemory, "gl-texture"},

    // --- who caches what
    {"caching.pinned-cpu", "the CPU caches pinned memory as the table says", kTable1,
     "cached from compute capability 7.2 on, uncached before", "another rate of a further read", checkCaching,
     "pinned host memory/cpu", kLong},
    {"caching.pinned-gpu", "the GPU caches pinned memory as the table says", kTable1, "uncached",
     "another rate of a further read", checkCaching, "pinned host memory/gpu", kLong},
    {"caching.registered-cpu", "the CPU caches registered memory as the note says", kCoherency, "cached",
     "another rate of a further read", checkCaching, "registered host memory/cpu", kLong},
    {"caching.registered-gpu", "the GPU caches registered memory as the note says", kCoherency,
     "cached with full system-memory coherency only", "another rate of a further read", checkCaching,
     "registered host memory/gpu", kLong},
    {"caching.unified-cpu", "the CPU caches managed memory as the table says", kTable1, "cached",
     "another rate of a further read", checkCaching, "unified memory/cpu", kLong},
    {"caching.unified-gpu", "the GPU caches managed memory as the table says", kTable1,
     "cached where concurrentManagedAccess is 0", "another rate of a further read", checkCaching, "unified memory/gpu",
     kLong},

    // --- managed memory beside work
    {"managed.host", "the CPU uses memory that is attached to the host while a kernel runs", kManaged,
     "memory attached to the host may be touched while kernels run", "a bus error, or wrong bytes",
     checkManagedWhileBusy, "host"},
    {"managed.single", "the CPU uses memory of an idle stream while a kernel of another stream runs", kManaged,
     "memory attached to one stream may be touched when that stream has no work", "a bus error, or wrong bytes",
     checkManagedWhileBusy, "single"},
    {"managed.concurrent", "the CPU uses global managed memory while a kernel runs", kManaged,
     "with concurrentManagedAccess = 1 it may at any time", "a bus error, or wrong bytes", checkManagedWhileBusy,
     "global"},

    // --- what an attachment moves
    {"attach.global-host", "an attachment from global to host prefetches to the CPU", kTable2,
     "from global to host: prefetches to the CPU", "its time does not grow with the memory", checkAttachment,
     "global/host", kLong},
    {"attach.single-host", "an attachment from single to host prefetches to the CPU", kTable2,
     "from single to host: prefetches to the CPU", "its time does not grow with the memory", checkAttachment,
     "single/host", kLong},
    {"attach.host-global", "an attachment from host to global prefetches to the GPU", kTable2,
     "from host to global: prefetches to the GPU", "its time does not grow with the memory", checkAttachment,
     "host/global", kLong},
    {"attach.host-single", "an attachment from host to single prefetches to the GPU", kTable2,
     "from host to single: prefetches to the GPU", "its time does not grow with the memory", checkAttachment,
     "host/single", kLong},
    {"attach.global-single", "an attachment from global to single prefetches nothing", kTable2,
     "from global to single: no prefetch", "its time grows with the memory", checkAttachment, "global/single", kLong},
    {"attach.single-global", "an attachment from single to global prefetches nothing", kTable2,
     "from single to global: no prefetch", "its time grows with the memory", checkAttachment, "single/global", kLong},

    // --- GL
    {"gl.eglimage", "GL reads what the device wrote into an EGLImage", kEglNote,
     "after a synchronization of the device GL sees the pixels", "no registration, or old pixels", checkOutput,
     "eglimage"},
    {"gl.interop", "GL reads what the device wrote into a registered texture",
     "CUDA Runtime API, OpenGL Interoperability", "map and unmap order GL and the device", "old pixels", checkOutput,
     "gl-interop"},
    {"stream.to-gl", "GL draws the frames that the device presents to an EGLStream", kEglStream,
     "frames arrive in their order, and return when the consumer is through with them",
     "no stream, lost or repeated frames, wrong pixels", checkOutput, "eglstream"},
    {"stream.to-device", "the device acquires the frames of an EGLStream", kEglStream,
     "the consumer reads a frame until it releases it", "no stream, lost or repeated frames, wrong pixels",
     checkStreamInput},
    {"sync.gl-to-device", "the device waits for work of GL that is late", kCudaEvent,
     "a stream that waits for the event of a fence runs after the commands before the fence",
     "the wait is over too early, or never", checkGlToDevice},
    {"sync.device-to-gl", "GL waits for work of the device that is late", kCudaEvent,
     "the EGLSync of an event is signalled when the work before the event's record is complete",
     "the wait is over too early, or never; the event's handle is taken for a pointer", checkDeviceToGl},

    // --- buffers and cameras
    {"nvbuf.to-device", "the device reads what the CPU wrote into an NvBufSurface", kNvBuf,
     "NvBufSurfaceSyncForDevice makes the CPU's writes visible", "other structures, no registration, or old bytes",
     checkSurface, "to-device"},
    {"nvbuf.to-cpu", "the CPU reads what the device wrote into an NvBufSurface", kNvBuf,
     "NvBufSurfaceSyncForCpu makes the device's writes visible", "other structures, no registration, or old bytes",
     checkSurface, "to-cpu"},
    {"csi.buffers", "the device reads frames of a CSI camera in the camera's own buffers", kNvBuf,
     "a buffer is registered once, and its registration shows every later frame",
     "no frames, no registration, the same old frame again", checkCamera, "csi:0", kLong},
    {"csi.stream", "the device acquires the frames that a CSI camera presents to an EGLStream", kEglStream,
     "a producer outside of CUDA presents, and the consumer reads each frame until it releases it",
     "no stream, no frames, the same old frame again", checkCameraStream, "csi:0?via=eglstream", kLong},

    // --- libraries
    {"cupti.records", "CUPTI records kernels and copies with times on the clock of the host", "CUPTI documentation",
     "records of the activity API have the times of the registered clock", "no rights, a crash, times of another clock",
     checkCupti, "", kLong},
    {"vpi.cuda", "VPI works on CUDA", kVpi, "a Gaussian filter gives what it gives on the CPU",
     "no backend, or another picture", checkVpi, "gaussian/cuda", kLong},
    {"vpi.pva", "VPI works on the PVA", kVpi, "a Gaussian filter gives what it gives on the CPU",
     "no backend, or another picture", checkVpi, "gaussian/pva", kLong},
    {"vpi.vic", "VPI works on the VIC", kVpi, "a rescale gives what it gives on the CPU",
     "no backend, or another picture", checkVpi, "rescale/vic", kLong},
    {"dla.engines", "cuDLA finds the DLAs of the device tree", kCudla, "cudlaDeviceGetCount counts the engines",
     "another count", checkDlaCount},
    {"dla.hybrid", "a loadable runs on the DLA in a CUDA stream", kCudla,
     "a task of the hybrid mode is in the order of its stream", "no device, an error of a task, wrong memory",
     checkDlaTask, "hybrid", kLong},
    {"dla.standalone", "a loadable runs on the DLA between fences of NvSciSync", kCudla,
     "a task of the standalone mode waits for a fence and signals one", "no NvSci, an error of a task, wrong memory",
     checkDlaTask, "standalone", kLong},
    {"dla.modes", "a loadable makes the same of a frame in both modes", kCudla,
     "the modes differ in how tasks are ordered, and not in what they compute", "other values, or other memory",
     checkDlaModes, "", kLong},
    {"nviva.sample", "NVIDIA's sample for nvivafilter runs on frames of Jetscope",
     "NVIDIA, nvivafilter, customer_functions.h", "the library registers the EGLImage of each frame",
     "a crash, a hang, no registration", checkNviva, "", kLong},

    // --- the board
    {"board.identity", "model, module and releases of the board are known", kTegrastats,
     "the device tree and /etc/nv_tegra_release name them", "another text, or a release that the table lacks",
     checkIdentity},
    {"board.gpu-load", "the load of the GPU is read", kTegrastats, "load of the devfreq device, 0 to 1000",
     "another path", checkBoardValues, "GPU load"},
    {"board.gpu-clock", "the clock of the GPU is read", kTegrastats, "cur_freq of the devfreq device, in Hz",
     "another path", checkBoardValues, "GPU clock"},
    {"board.cpu-clock", "the clock of the CPU is read", kTegrastats, "scaling_cur_freq of cpufreq, in kHz",
     "another path", checkBoardValues, "CPU clock"},
    {"board.memory", "the used memory is read", kTegrastats, "/proc/meminfo", "another format", checkBoardValues,
     "memory used"},
    {"board.power-mode", "the power mode is read", kTegrastats, "/var/lib/nvpmodel/status", "another path",
     checkBoardValues, "power mode"},
    {"board.temperatures", "every thermal zone is read", kTegrastats, "temp in thousandths of a degree",
     "another unit, a sensor that is off", checkBoardValues, "temperatures"},
    {"board.rails", "the rails are those of a known board, and their total makes sense", kTegrastats,
     "INA3221: in*_input in mV, curr*_input in mA", "other names, another unit, a rail that is missing", checkRails},

    // --- the kernel
    {"scheduler.threads", "the kernel's trace tells when threads run", kTracing,
     "sched_switch and sched_wakeup have the published form", "other lines", checkScheduler, "threads"},
    {"scheduler.contexts", "nvgpu tells which context has the GPU", kTracing,
     "the driver's ring of context switches has the published form", "no lines while the GPU works", checkScheduler,
     "contexts"},
    {"scheduler.engines", "the kernel's trace tells of work of engines", kTracing,
     "events of host1x and nvhost have the published form", "other lines", checkScheduler, "engines"},

    // --- work
    {"filters.bytes", "every filter gives the bytes of the CPU's filter", "Jetscope, gpu/filters/arithmetic.h",
     "all devices give the same bytes", "a wrong byte", checkFilters, "", kLong},
    {"formats.bytes", "every pixel format is converted to the bytes of the CPU's conversion",
     "Jetscope, gpu/filters/arithmetic.h", "all devices give the same bytes", "a wrong byte", checkFormats, "", kLong},
    {"waits.policy", "the wait policy of a device in use can be changed", "CUDA Runtime API, cudaSetDeviceFlags",
     "the call overwrites the flags of a device that is in use", "an error, or other flags when read back",
     checkWaitPolicy},
    {"events.time", "events measure time", "CUDA Runtime API, cudaEventElapsedTime",
     "the time between two events, with a resolution of about half a microsecond", "another unit or clock",
     checkEventTimes},
});

} // namespace

std::span<const VerifyCheck> verifyChecks()
{
    return kChecks;
}

const VerifyCheck *verifyCheck(std::string_view id)
{
    const auto *const found =
        std::find_if(kChecks.begin(), kChecks.end(), [id](const VerifyCheck &check) { return check.id == id; });
    return found == kChecks.end() ? nullptr : found;
}

VerifyResult runCheck(const VerifyCheck &check, VerifyWorld &world)
{
    Result<VerifyResult> result = check.run(world, check.key);
    return result.ok() ? std::move(result).value() : failed(result.error().message());
}

} // namespace jetscope
