// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/hazards/rules.h"

#include "core/enumtable.h"
#include "core/hazards/rulecoverage.h"

#include <algorithm>
#include <array>

namespace jetscope {

namespace ruletable {

namespace {

using enum RuleId;
using enum HazardLevel;

constexpr RuleCoverage kCuDla =
    doesNotApply("Jetscope registers memory of its own once, waits for all tasks before it destroys a cuDLA device, "
                 "asks cuDLA for causes, and limits the time of tasks");

// The texts follow the documents in `source`; numbers such as "mlx #3645" name an issue or pull request of a project.
constexpr auto kRules = std::to_array<Rule>({
    {O1, "O1", Error, "Accesses of two queues to the same memory without an order", "",
     "When two queues (CPU, CUDA stream, GL) access the same memory and one of them writes, one must come after the "
     "other by a synchronization, an event or a fence. Otherwise the reader can see old or partly written data.",
     "let the later queue wait: cudaStreamSynchronize, cudaStreamWaitEvent, or a fence between CUDA and GL",
     "CUDA C++ Programming Guide, Asynchronous Concurrent Execution", kChecked},

    {A1, "A1", Error, "CPU access to managed memory while a kernel runs", "concurrentManagedAccess = 0",
     "The CPU may touch managed memory only while no kernel runs on the device, unless the memory is attached to the "
     "host or to a stream without work. Otherwise the process ends with a bus error or a segmentation fault, even "
     "if the kernel does not use the memory.",
     "synchronize the device first, or attach the memory to the host or to one stream (cudaStreamAttachMemAsync)",
     "CUDA C++ Programming Guide, Unified Memory, Coherency and Concurrency; NVIDIA Developer Forums, Concurrent CPU "
     "and GPU processing; mlx #3645",
     managedMemory},
    {A2, "A2", Error, "CPU read of managed memory that a kernel also reads", "concurrentManagedAccess = 0",
     "CPU and GPU may not read the same managed memory at the same time: the rule is about who owns the memory, not "
     "about data races. Such a read can seem to work and still end the process with a bus error.",
     "let CPU and GPU take turns with a synchronization between, or use pinned memory for what both read",
     "NVIDIA Developer Forums, Concurrent CPU and GPU processing", managedMemory},
    {A3, "A3", Error, "CPU access to new managed memory while other work runs", "concurrentManagedAccess = 0",
     "New managed memory is attached globally, so the CPU may not touch it while work of any stream is in flight. "
     "Otherwise the first write to it can end the process with a bus error.",
     "allocate it with cudaMemAttachHost, or synchronize the device before the first access",
     "CUDA Runtime API, cudaMallocManaged; NVIDIA Developer Forums, Concurrent CPU and GPU processing; mlx #3701",
     managedMemory},
    {A4, "A4", Error, "CPU access before an attachment to the host is complete", "concurrentManagedAccess = 0",
     "An attachment takes effect in stream order, so the stream must be synchronized between the attachment to the "
     "host and the CPU access. Otherwise the GPU can still own the memory, and the process ends with a bus error.",
     "synchronize the stream after cudaStreamAttachMemAsync",
     "CUDA Runtime API, cudaStreamAttachMemAsync; CUDA for Tegra Application Note, Table 2", managedMemory},
    {A5, "A5", Error, "Kernel that uses memory attached elsewhere", "concurrentManagedAccess = 0",
     "A kernel may use managed memory only if it is attached globally or to the kernel's own stream. The result of a "
     "kernel that uses memory of the host or of another stream is undefined.",
     "attach the memory to the kernel's stream, or globally, before the launch",
     "CUDA Runtime API, cudaStreamAttachMemAsync", managedMemory},
    {A6, "A6", Error, "Attachment of a part of an allocation", "",
     "The length given to cudaStreamAttachMemAsync for managed memory must be 0 or that of the whole allocation. Any "
     "other length is an error.",
     "pass 0 as the length", "CUDA Runtime API, cudaStreamAttachMemAsync",
     doesNotApply("Jetscope always attaches whole allocations")},
    {A7, "A7", Luck, "Attachment while a host function is pending", "concurrentManagedAccess = 0",
     "A stream should be synchronized before its memory is attached anew, and not only be followed by a host function. "
     "Otherwise callback threads make the time of the attachment unpredictable.",
     "call cudaStreamSynchronize before cudaStreamAttachMemAsync",
     "CUDA for Tegra Application Note, Effective Usage of Unified Memory on Tegra", managedMemory},
    {A8, "A8", Cost, "Cache maintenance of managed memory", "concurrentManagedAccess = 0",
     "A kernel should have no more managed memory attached than it uses. Launches, synchronizations and attachments "
     "maintain the caches of all of it in series with other GPU work, so that their times grow and vary.",
     "attach only what the next kernel uses, or use pinned memory",
     "CUDA for Tegra Application Note, Effective Usage of Unified Memory on Tegra", managedMemoryLatency},
    {A9, "A9", Note, "Prefetch without concurrent managed access", "concurrentManagedAccess = 0",
     "cudaMemPrefetchAsync is not supported where concurrentManagedAccess is 0, and fails. There an attachment "
     "prefetches: a change between host and global or single does, a change between global and single does not.",
     "use cudaStreamAttachMemAsync in place of cudaMemPrefetchAsync",
     "CUDA for Tegra Application Note, Table 2; CUDA for Tegra Application Note, CUDA Features Not Supported on Tegra",
     managedMemory},
    {A10, "A10", Error, "Managed memory on a discrete GPU of a Tegra system", "integrated = 0",
     "A discrete GPU that is attached to a Tegra processor has no managed memory. Programs that use it there fail.",
     "use device memory, and copies from and to pinned memory", "CUDA for Tegra Application Note, Table 1",
     doesNotApply("Jetscope tries managed memory at start and refuses its memory kinds where that fails")},
    {A11, "A11", Error, "Memory freed while work uses it", "",
     "Memory may be freed, unmapped or unregistered only after the last work that uses it is complete. Otherwise that "
     "work uses memory of others, and the process can end with a bus error.",
     "wait for the last work that uses the memory, then free it",
     "CUDA Runtime API, Memory Management; NVIDIA Developer Forums, Concurrent CPU and GPU processing", kChecked},
    {A12, "A12", Luck, "Managed memory passed on to another thread", "managedMemory = 1",
     "A thread that passes managed memory on must synchronize its own work with it first and then leave it alone. "
     "Otherwise both threads use the memory at the same time.",
     "synchronize the stream in the thread that passes the memory on", "nnstreamer #4854", managedMemoryOwners},
    {A13, "A13", Error, "Registration of host memory without I/O coherency", "hostRegisterSupported = 0",
     "cudaHostRegister needs compute capability 7.2 or newer and Linux. Elsewhere it fails (cudaErrorNotSupported).",
     "allocate the memory with cudaHostAlloc",
     "CUDA for Tegra Application Note, I/O Coherency; open-mpi #9851; pycuda #229",
     doesNotApply("Jetscope tries cudaHostRegister at start and refuses registered memory where it fails")},
    {A14, "A14", Cost, "Registration of large regions with old drivers", "hostRegisterSupported = 1",
     "Jetson drivers of 2021 register only regions of less than 4 MB. The registration of a larger region fails there, "
     "and the memory must be copied.",
     "allocate large buffers with cudaHostAlloc, or update the driver", "numba #7190", largeRegistrations},
    {A15, "A15", Error, "Atomic operations on uncached pinned memory", "integrated = 1, compute capability below 7.2",
     "CPU atomics on pinned memory and system-wide atomics of the GPU need compute capability 7.2 or newer. Below it "
     "the CPU does not cache pinned memory, and such operations are not supported.",
     "exchange values by plain loads and stores with fences, or by events",
     "CUDA for Tegra Application Note, Pinned Memory; CUDA for Tegra Application Note, CUDA Features Not Supported on "
     "Tegra",
     uncachedPinnedMemory},
    {A16, "A16", Cost, "Repeated CPU access to uncached pinned memory", "integrated = 1, compute capability below 7.2",
     "The CPU does not cache pinned memory below compute capability 7.2, so it should touch each byte once at most. "
     "Every further access is as slow as the first one.",
     "copy the data to pageable memory once, or use managed memory", "CUDA for Tegra Application Note, Pinned Memory",
     uncachedPinnedMemory},
    {A17, "A17", Cost, "Asynchronous copy of pageable memory", "",
     "Only copies of pinned memory are asynchronous. With pageable memory cudaMemcpyAsync copies through memory of the "
     "driver and can block the calling thread.",
     "allocate the host memory with cudaHostAlloc, or register it", "CUDA Runtime API, API synchronization behavior",
     kChecked},
    {A18, "A18", Cost, "Asynchronous copy of managed memory", "managedMemory = 1",
     "Managed memory should be used in place and not be copied. A copy from or to it can be synchronous with the host, "
     "so that the calling thread waits for the copy and all earlier work of the stream.",
     "let kernels use the managed memory itself, or copy from and to pinned memory",
     "CUDA Driver API, API synchronization behavior (editions up to CUDA 11.0); pg-strom #301", managedMemoryCopies},
    {A19, "A19", Cost, "Memory pool that keeps nothing", "",
     "A memory pool needs a release threshold if its memory is used in every frame. With the default of 0 each "
     "synchronization gives the memory back to the system, and the next frame allocates it again; so it does with a "
     "threshold below what the driver reserves at once (32 MiB on an H200).",
     "set cudaMemPoolAttrReleaseThreshold to what a frame needs",
     "CUDA Runtime API, cudaMemPoolSetAttribute; kornia #1010", memoryPools},
    {A20, "A20", Note, "Host memory pools and large address ranges", "",
     "Some Jetson drivers have no memory pools on the host, and cannot reserve very large address ranges. A program "
     "must check for these errors and allocate in another way.",
     "fall back to cudaHostAlloc and to smaller ranges", "cuda-python #2486; cuda-python #2487; audio.cpp #12",
     doesNotApply("Jetscope uses no memory pools on the host and reserves no address ranges")},
    {A21, "A21", Note, "Free memory of an integrated GPU", "integrated = 1",
     "cudaMemGetInfo does not count swap space and memory that the system can reclaim. An integrated GPU can often "
     "allocate more than it reports.",
     "estimate the free memory from MemTotal, SwapFree and NvMapMemUsed of /proc/meminfo",
     "CUDA for Tegra Application Note, Estimating Total Allocatable Device Memory on an Integrated GPU Device",
     doesNotApply("Jetscope decides nothing by cudaMemGetInfo")},
    {A22, "A22", Cost, "Kernels compiled at their first launch", "",
     "Kernels should be compiled for the device's own architecture. Kernels that a program has only as PTX are "
     "compiled when they are first used, which takes CPU time and delays that frame.",
     "compile with --generate-code for the compute capability of the device",
     "CUDA for Tegra Application Note, CUDA Features Not Supported on Tegra", firstLaunches},
    {A23, "A23", Error, "Memory of a pool used after it was freed", "memoryPoolsSupported = 1",
     "Memory of cudaMallocAsync may be used only by work that is ordered behind its allocation and before its "
     "cudaFreeAsync. Later work finds memory that the pool has given to others.",
     "free the memory behind the last work that uses it, in the same stream",
     "CUDA C++ Programming Guide, Stream Ordered Memory Allocator", memoryPools},
    {A24, "A24", Error, "Kernel that uses ordinary memory in place", "pageableMemoryAccess = 0",
     "Kernels reach memory of malloc or mmap only where pageableMemoryAccess is 1. Elsewhere the access is illegal, "
     "and "
     "the process loses the device.",
     "copy the memory, register it, or allocate it with cudaHostAlloc",
     "CUDA for Tegra Application Note, Table 1; CUDA C++ Programming Guide, System-Allocated Memory", pageableMemory},
    {A25, "A25", Error, "Read of memory that was discarded", "concurrentManagedAccess = 1",
     "What managed memory holds is undefined once it was discarded, until it is written or prefetched. Accesses that "
     "nothing orders with the discard are undefined, too.",
     "prefetch without discarding what is read afterwards",
     "CUDA Runtime API, cudaMemDiscardBatchAsync and cudaMemDiscardAndPrefetchBatchAsync", prefetches},

    {B1, "B1", Error, "CUDA call in a host function", "",
     "A host function may not call CUDA and may not wait for CUDA work. Otherwise the call fails or the stream never "
     "continues.",
     "wake another thread in the host function, and call CUDA there",
     "CUDA Runtime API, cudaLaunchHostFunc; nixl #2275", kChecked},
    {B2, "B2", Note, "Stream callbacks and errors", "",
     "Stream callbacks (cudaStreamAddCallback) will be removed; host functions take their place. After an error of the "
     "device host functions no longer run, so a program that waits for one must look for errors meanwhile.",
     "use cudaLaunchHostFunc, and query an event while waiting for it",
     "CUDA Runtime API, cudaStreamAddCallback; FBGEMM #5462",
     doesNotApply("Jetscope uses cudaLaunchHostFunc only, and queries an event while it waits for the function")},
    {B3, "B3", Cost, "Wait policy that is not in force", "",
     "The wait policy holds for the whole process, and the meaning of auto depends on the platform and the CUDA "
     "version. A program that needs a policy must set it and read it back, or its threads can wait in another way.",
     "set the policy with cudaSetDeviceFlags and read it back with cudaGetDeviceFlags",
     "CUDA Runtime API, cudaSetDeviceFlags; CUDA for Tegra Application Note, Synchronization Mechanism Selection; "
     "autoware #10523",
     doesNotApply("Jetscope reads the policy back and shows the one in force")},
    {B4, "B4", Cost, "Spinning wait without a free CPU core", "",
     "A thread that spins while it waits for the GPU needs a CPU core of its own. Otherwise it takes time from capture "
     "and other threads.",
     "take the wait policy block or yield", "CUDA Runtime API, cudaSetDeviceFlags", kChecked},
    {B5, "B5", Error, "Wait in another stream than the work", "",
     "The stream that does the work must itself wait for the event or fence. A wait in another stream gives no order, "
     "except by the implicit synchronization of the legacy default stream, which non-blocking streams do not have.",
     "call cudaStreamWaitEvent for the stream of the kernel",
     "CUDA Runtime API, Stream synchronization behavior; CUDA Runtime API, cudaStreamWaitEvent", kChecked},
    {B6, "B6", Error, "Flag written without a memory barrier", "streams can write flags",
     "A flag that a stream writes for the CPU must be written with the memory barrier, which is the default. Without "
     "it "
     "(CU_STREAM_WRITE_VALUE_NO_MEMORY_BARRIER) the flag can come before the results that it announces.",
     "pass CU_STREAM_WRITE_VALUE_DEFAULT, and read the flag with acquire order",
     "CUDA Driver API, cuStreamWriteValue32 and CUstreamWriteValue_flags", streamFlags},
    {B7, "B7", Error, "Graph that holds freed memory", "graphs can be captured",
     "A graph keeps the addresses of the memory that its work used when it was captured, so that memory must live as "
     "long as the graph is launched. Otherwise the graph reads and writes memory of others.",
     "capture anew, or update the graph, before the memory is freed",
     "CUDA C++ Programming Guide, CUDA Graphs, Creating a Graph Using Stream Capture", graphs},
    {B8, "B8", Error, "Wait for a stream that is being captured", "graphs can be captured",
     "While a stream is captured its work does not run, so nothing may wait for the stream, for the device or for an "
     "event of the capture, or ask for their state. Such a call fails and makes the capture invalid.",
     "end the capture and launch the graph before the wait",
     "CUDA C++ Programming Guide, CUDA Graphs, Prohibited and Unhandled Operations", graphs},

    {C1, "C1", Error, "EGLImage handed over without a fence", "EGLImages can be registered",
     "An EGLImage has no implicit synchronization: each hand-over between GL and CUDA needs a fence, an event or a "
     "full wait. Otherwise the other side sees old or partly written pixels.",
     "wait for a fence of GL before the CUDA work, and for an event of CUDA before the GL commands",
     "CUDA for Tegra Application Note, EGLImage; CUDA Runtime API, cudaGraphicsEGLRegisterImage", eglImages},
    {C2, "C2", Error, "EGLImage that CUDA cannot register", "",
     "An EGLImage must come from GL or a camera on the EGL display of the same GPU; it cannot be made from CUDA "
     "memory. Otherwise the "
     "registration with CUDA fails.",
     "make the EGLImage from a texture, and register that with CUDA",
     "CUDA for Tegra Application Note, CUDA interop with EGLImage",
     doesNotApply(
         "Jetscope makes EGLImages from textures and camera buffers only, and tries their registration at start")},
    {C3, "C3", Luck, "Registration flags other than 0", "",
     "An EGLImage must be registered with flags 0, since others are reserved for future use. Some devices refuse them.",
     "pass cudaGraphicsRegisterFlagsNone",
     "CUDA for Tegra Application Note, CUDA interop with EGLImage; jetson-utils #124",
     doesNotApply("Jetscope registers EGLImages with flags 0")},
    {C4, "C4", Note, "Mapping of a registered EGLImage", "",
     "A registered EGLImage is always mapped and needs neither cudaGraphicsMapResources nor "
     "cudaGraphicsUnmapResources. On a Jetson the latter fails (cudaErrorUnknown).",
     "leave out both calls, and use fences for the order", "CUDA Runtime API, cudaGraphicsEGLRegisterImage",
     doesNotApply("Jetscope never maps a registered EGLImage")},
    {C5, "C5", Cost, "Registration in every frame", "EGLImages can be registered",
     "A buffer should be registered once for its whole life, because a registration takes much longer than a "
     "hand-over. In every frame it delays the pipeline.",
     "register at start, and keep the registration as long as the buffer",
     "CUDA C++ Programming Guide, Graphics Interoperability; helix #2594", eglImages},
    {C6, "C6", Error, "Image or texture destroyed while CUDA uses it", "EGLImages can be registered",
     "An image may be unregistered or destroyed, and its texture deleted or given new storage, only after the CUDA "
     "work that uses it is complete. Otherwise the work uses freed memory, or memory that the texture no longer has.",
     "wait for the CUDA work, then unregister, destroy the EGLImage and delete the texture in this order",
     "CUDA Runtime API, cudaGraphicsUnregisterResource; EGL_KHR_image_base", eglImages},
    {C7, "C7", Error, "EGLImage of an unfit texture", "",
     "An EGLImage needs a complete texture that belongs to no other EGLImage; otherwise eglCreateImage fails. Without "
     "EGL_IMAGE_PRESERVED_KHR = EGL_TRUE the pixels of the texture become undefined.",
     "make the EGLImage right after glTexStorage2D, and upload pixels afterwards",
     "EGL_KHR_gl_image; EGL_KHR_image_base",
     doesNotApply("Jetscope makes one EGLImage of each complete texture, and asks to preserve its pixels")},

    {D1, "D1", Error, "EGLSync made too late after the record", "EGL_NV_cuda_event",
     "An EGLSync stands for the record that was the event's latest when the EGLSync was made, so it must be made right "
     "after that record. Otherwise GL waits for other work than was meant.",
     "call eglCreateSync right after cudaEventRecord",
     "EGL_NV_cuda_event; CUDA for Tegra Application Note, Creating EGLSync from a CUDA Event", eglSyncs},
    {D2, "D2", Error, "EGLSync of an event without a record", "EGL_NV_cuda_event",
     "An event must be created and recorded on the GPU of the EGL display before an EGLSync is made from it. An "
     "invalid event can end the process.",
     "call cudaEventRecord before eglCreateSync",
     "EGL_NV_cuda_event; CUDA for Tegra Application Note, Creating EGLSync from a CUDA Event", eglSyncs},
    {D3, "D3", Luck, "Attribute value of an EGLSync", "EGL_NV_cuda_event",
     "The extension asks for a pointer to the event, but NVIDIA's sample and application note pass the event itself. "
     "If the driver expects the other value, GL does not wait for the event or the process crashes.",
     "pass the event itself, and test at start that GL waits for a slow kernel",
     "EGL_NV_cuda_event; cuda-samples, EGLSync_CUDAEvent_Interop", eventHandles},
    {D4, "D4", Error, "Record or time of an event made from an EGLSync", "EGL_NV_cuda_event",
     "An event made from an EGLSync cannot be recorded or timed, and after eglDestroySync it may only be destroyed. "
     "Other calls fail or are undefined.",
     "take another event for records, and make the stream wait before the EGLSync is destroyed",
     "CUDA Runtime API, cudaEventCreateFromEGLSync; CUDA for Tegra Application Note, Creating a CUDA Event from "
     "EGLSync",
     eglSyncs},
    {D5, "D5", Note, "EGLSync exists on Tegra only", "",
     "CUDA events and EGLSyncs can be turned into each other on Tegra only. Elsewhere the calls fail.",
     "wait on the CPU, or use GL interop, which orders by map and unmap",
     "CUDA for Tegra Application Note, CUDA Interop with EGLSync",
     doesNotApply("Jetscope tries EGLSync both ways at start and refuses it where that fails")},
    {D6, "D6", Note, "Context and flush of EGL waits", "",
     "eglWaitSync needs a current context and flags 0, and a wait of the CPU needs the flush bit or an earlier "
     "glFlush. Otherwise the call fails or never returns.",
     "call glFlush after the fence, and eglWaitSync on the thread of the context",
     "EGL_KHR_wait_sync; EGL_KHR_fence_sync; egl-x11 #15",
     doesNotApply(
         "Jetscope flushes after each fence, and calls eglWaitSync with flags 0 on the thread of the context")},
    {D7, "D7", Cost, "EGLSyncs that are never destroyed", "EGL_NV_cuda_event",
     "An EGLSync or event that is made in every frame must be destroyed in every frame. Otherwise memory of the driver "
     "grows without limit.",
     "call eglDestroySync after the wait, or reuse EGLSyncs with eglUnsignalSyncEXT",
     "EGL_KHR_fence_sync; EGL_EXT_sync_reuse",
     doesNotApply("each EGLSync belongs to an object that destroys it after the wait")},

    {D8, "D8", Error, "Timeline semaphore whose value does not grow", "CUDA and GL share semaphores",
     "Each signal of a timeline semaphore must give it a greater value than it has. A signal with the same or a "
     "smaller "
     "value is undefined, and a wait for the value may end early or never.",
     "count the signals of a semaphore, and use each number once",
     "CUDA Runtime API, cudaSignalExternalSemaphoresAsync; Vulkan Specification, Timeline Semaphores", semaphores},

    {E1, "E1", Error, "Producer connected before the consumer", "CUDA can use EGLStreams",
     "The consumer of an EGLStream must connect before the producer. In the other order the producer cannot connect.",
     "connect the consumer first", "CUDA for Tegra Application Note, EGLStream Flow; EGL_KHR_stream", eglStreams},
    {E2, "E2", Error, "More than 64 frames in an EGLStream", "CUDA can use EGLStreams",
     "A CUDA producer may have at most 64 frames in an EGLStream at a time. It cannot present more.",
     "take frames back with cudaEGLStreamProducerReturnFrame first",
     "CUDA for Tegra Application Note, CUDA as Producer", eglStreams},
    {E3, "E3", Error, "Frame of another size than its EGLStream", "CUDA can use EGLStreams",
     "Width and height of each frame must be those given to cudaEGLStreamProducerConnect. Otherwise the behavior is "
     "undefined.",
     "connect again for frames of another size", "CUDA for Tegra Application Note, CUDA as Producer", eglStreams},
    {E4, "E4", Cost, "Old frame after a time-out", "CUDA can use EGLStreams",
     "An acquire that times out can give the last frame once more, so a consumer must compare frame numbers. Otherwise "
     "it does the work of that frame twice.",
     "compare EGL_CONSUMER_FRAME_KHR with that of the last frame, and count repeats",
     "CUDA Runtime API, cudaEGLStreamConsumerAcquireFrame; CUDA for Tegra Application Note, CUDA as Consumer",
     eglStreams},
    {E5, "E5", Cost, "Last frame that the EGLStream keeps", "CUDA can use EGLStreams",
     "An EGLStream keeps the newest frame also after its release, so a producer needs one frame more than it uses at "
     "the same time. Otherwise it waits for a frame until the time-out.",
     "allocate one frame more, or create the EGLStream with EGL_SUPPORT_REUSE_NV = EGL_FALSE",
     "CUDA for Tegra Application Note, CUDA as Producer; EGL_NV_stream_reset",
     doesNotApply("Jetscope allocates one frame more than it uses at the same time")},
    {E6, "E6", Error, "Frame used by the wrong side", "CUDA can use EGLStreams",
     "A consumer may only read a frame, and only until it releases it; a producer may free frames only after it has "
     "disconnected. Otherwise the behavior is undefined.",
     "release a frame behind the work that reads it, and disconnect before frames are freed",
     "CUDA for Tegra Application Note, CUDA as Consumer; CUDA Runtime API, cudaEGLStreamProducerPresentFrame",
     eglStreams},
    {E7, "E7", Note, "Time-out of a frame's return", "CUDA can use EGLStreams",
     "cudaEGLStreamProducerReturnFrame can time out before the consumer releases a frame, and must then be called "
     "again. If a CUDA context is destroyed, its EGLStreams are disconnected.",
     "repeat the call a limited number of times",
     "CUDA Runtime API, cudaEGLStreamProducerReturnFrame; CUDA for Tegra Application Note, CUDA as Consumer",
     doesNotApply("Jetscope repeats and counts calls that time out, and shows the error when there are too many")},
    {E8, "E8", Error, "CUDA arrays between two GPUs", "CUDA can use EGLStreams",
     "If the frames of an EGLStream are CUDA arrays, producer and consumer must be on the same GPU. Such frames cannot "
     "be used on another GPU.",
     "use pitch-linear frames between two GPUs",
     "CUDA for Tegra Application Note, Data Transfer Between Producer and Consumer",
     doesNotApply("Jetscope tries EGLStreams at start, with both ends on the GPU of the EGL display")},

    {F1, "F1", Note, "Memory and life time with cuDLA", "",
     "In hybrid mode cuDLA takes registered memory of the integrated GPU, in standalone mode buffers of NvSciBuf, but "
     "no managed or block-linear memory, no virtual memory management, no CUDA graphs and not the per-thread default "
     "stream. All tasks must be complete before a cuDLA device is destroyed, and all cuDLA devices must be "
     "destroyed before the CUDA context is reset; otherwise the process can crash.",
     "register pitch-linear memory once, and wait for all tasks before cudlaDestroyDevice",
     "CUDA for Tegra Application Note, cuDLA Release Notes", kCuDla},
    {F2, "F2", Note, "Errors of cuDLA", "",
     "In hybrid mode an error of the DLA comes as cudaErrorExternalDevice from a CUDA call, in standalone mode nothing "
     "comes, and cudlaGetLastError has the cause. A DLA that hangs gives no error, so a program needs a time-out.",
     "call cudlaGetLastError after cudaErrorExternalDevice, or behind the fence of each task, and limit the time of "
     "waits",
     "CUDA for Tegra Application Note, Error Reporting Model", kCuDla},

    {G1, "G1", Luck, "Work behind unfinished work of VPI", "",
     "Managed memory must be wrapped for VPI as CUDA memory, and kernels may be put into a CUDA stream that VPI wraps "
     "only when VPI's work in it is complete; otherwise they may run before it ends, or break rule A1. A wrapper for "
     "host memory copies the data.",
     "wrap it as CUDA memory, and call vpiStreamSync before other uses",
     "NVIDIA Developer Forums, VPI CUDA interop with managed memory; VPI API, vpiStreamCreateWrapperCUDA", vpi},
    {G2, "G2", Error, "CPU read of an array of VPI before vpiStreamSync", "",
     "The CPU may lock an array or an image of VPI only when no stream works on it. Without vpiStreamSync behind the "
     "work, VPI refuses the lock (VPI_ERROR_BUFFER_LOCKED), or the CPU reads what is not complete.",
     "call vpiStreamSync before vpiArrayLockData", "VPI API, vpiArrayLockData and vpiStreamSync", vpi},

    {H1, "H1", Note, "CUPTI without access to the profiler's device nodes", "",
     "On Tegra CUPTI needs root up to CUDA 12, and access to the profiler's device nodes from CUDA 13. Without them it "
     "can crash the process, so it must be tried in a process of its own.",
     "run as root, or give the user access to the device nodes", "CUDA.jl #3254",
     doesNotApply("Jetscope tries CUPTI in a process of its own and uses it only where the trial succeeds")},
    {H2, "H2", Note, "Times of CUDA events on the clock of the host", "",
     "CUDA events have no absolute time, so their times need an anchor on the clock of the host. The clocks drift, and "
     "with an old anchor work appears at a wrong time.",
     "take a new anchor every second or two, and show the error that remains",
     "CUDA Runtime API, cudaEventElapsedTime; onnxruntime #14004",
     doesNotApply("Jetscope renews its anchors and shows the remaining uncertainty of each lane")},
    {H3, "H3", Note, "Work of CUDA and GL at the same time", "",
     "Contexts of CUDA and GL share the GPU by time slices. Spans of both that overlap show that one waits for the "
     "GPU, and must not be taken for parallel work.",
     "count the time of such spans once",
     "NVIDIA DRIVE OS Linux SDK Developer Guide, Tegra GPU Scheduling Improvements",
     doesNotApply("the timeline hatches work of CUDA and GL that shares the GPU, and figures count its time once")},
    {H4, "H4", Note, "Timings while clocks change", "",
     "Timings may be compared only if clocks, power mode and temperature were the same. Otherwise a difference can "
     "come from the clocks.",
     "fix the clocks with jetson_clocks, and compare by turns",
     "VPI documentation, Performance Benchmark, Benchmarking Method",
     cannotCheck("a run compares nothing; sweep checks clocks and temperatures of its rounds, and refuses a verdict if "
                 "they moved")},
    {H5, "H5", Note, "Full waits on the thread of the window", "",
     "glFinish, cudaDeviceSynchronize and other full waits must not run on the thread of the window. Otherwise the "
     "window does not react for as long as the GPU works.",
     "submit and wait on a thread of its own", "Qt documentation, Threading Basics",
     doesNotApply(
         "the pipeline has a thread of its own; the window waits for the GPU only where the driver makes no fence")},
});
static_assert(hasEveryRow(kRules, &Rule::id));

} // namespace

} // namespace ruletable

namespace {

using ruletable::kRules;

constexpr std::array<std::string_view, 4> kLevels{"error", "luck", "cost", "note"};
static_assert(kLevels.size() == enumCount<HazardLevel>());

char upper(char letter)
{
    return letter >= 'a' && letter <= 'z' ? static_cast<char>(letter - 'a' + 'A') : letter;
}

} // namespace

std::string_view nameOf(HazardLevel level)
{
    return kLevels[static_cast<std::size_t>(level)];
}

std::span<const Rule> rules()
{
    return kRules;
}

const Rule &ruleOf(RuleId id)
{
    return kRules[static_cast<std::size_t>(id)];
}

std::optional<RuleId> ruleNamed(std::string_view name)
{
    const auto isNamed = [name](const Rule &rule) {
        return std::equal(rule.name.begin(), rule.name.end(), name.begin(), name.end(),
                          [](char own, char given) { return own == upper(given); });
    };
    const auto found = std::find_if(kRules.begin(), kRules.end(), isNamed);
    return found == kRules.end() ? std::nullopt : std::optional(found->id);
}

CoverageCounts coverageOf(const DeviceFacts &facts)
{
    CoverageCounts counts;
    for (const Rule &rule : kRules) {
        switch (rule.coverage(facts).state) {
        case RuleCoverage::State::Checked:
            ++counts.checked;
            break;
        case RuleCoverage::State::CannotCheck:
            ++counts.cannotCheck;
            break;
        case RuleCoverage::State::DoesNotApply:
            ++counts.doesNotApply;
            break;
        }
    }
    return counts;
}

} // namespace jetscope
