// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The events of the kernel's trace that jetscope-sched (C) asks for and the collector (C++) reads, with the group of
// tracefs that each is in. What a kernel lacks is not seen.
//
// Sources: include/trace/events/sched.h and host1x.h of Linux; gk20a.h and nvhost.h of NVIDIA's kernels for Jetson
// (4.9 and 5.10, with CONFIG_NVGPU_TRACE). Which of them are emitted: drivers/gpu/host1x of Linux (later versions do
// not emit host1x_channel_submit_complete: their fences follow the values that host1x_syncpt_load_min tells),
// drivers/video/tegra/host and drivers/gpu/nvgpu of NVIDIA. Work of CUDA is submitted without the kernel, so that
// gk20a_channel_submit_gpfifo is not told of it.
//
// Left out on purpose: host1x_cdma_push, _push_wide, _push_gather and gk20a_push_cmdbuf, which hold the commands of
// all programs, a line for each word; host1x_syncpt_wait_check, host1x_channel_open and _release, which no driver of
// Linux emits.

// The PID namespace in which the trace counts threads, which are known to programs in containers by other numbers: the
// inode of its file, PROC_PID_INIT_INO in include/linux/proc_ns.h of Linux.
#define JSA_TRACED_NAMESPACE 0xEFFFFFFCu

// Which context has the GPU is not in the kernel's trace: nvgpu tells it to one reader (gpu/attach/sched/contexts.c),
// and jetscope-sched writes a line of the same form for each moment of a switch, with the process of the context, by
// its number in the initial PID namespace, in place of the thread: "gpu_context: context=17 tag=5", and "gpu_context:
// lost=2" where nvgpu has dropped some. A tag is one of NVGPU_CTXSW_TAG_*.
#define JSA_CONTEXT_EVENT "gpu_context"
// "# contexts: REASON", if there are no such lines.
#define JSA_CONTEXTS_REFUSED "# contexts: "

// Tags, from include/uapi/linux/nvgpu.h of NVIDIA's kernels. FECS, the GPU's own processor for context switches, writes
// them: the host asks for a switch; the context has stopped, in one of these ways, or in one that is not told; it is
// saved; the next one is loaded; it runs.
enum jsa_context_tag {
    JSA_CONTEXT_ASKED = 0x01,
    JSA_CONTEXT_STOPPED = 0x02,
    JSA_CONTEXT_SAVED = 0x03,
    JSA_CONTEXT_LOADS = 0x04,
    JSA_CONTEXT_RUNS = 0x05,
    JSA_CONTEXT_STOPPED_IDLE = 0x0a,   // WFI: all its work was complete.
    JSA_CONTEXT_STOPPED_DRAW = 0x0b,   // GFXP: within graphics work.
    JSA_CONTEXT_STOPPED_BLOCKS = 0x0c, // CTA: between thread blocks.
    JSA_CONTEXT_STOPPED_KERNEL = 0x0d, // CILP: within a kernel.
    JSA_CONTEXT_RESET = 0xfe,          // The engine was reset.
};

// What the reader does with an event.
enum jsa_traced_use {
    JSA_TRACED_SWITCH, // A thread leaves a CPU for another one.
    JSA_TRACED_WAKE,   // A thread may run.
    JSA_TRACED_MOMENT, // The GPU's driver did something; X and X_done are a span.
    JSA_TRACED_SUBMIT, // A thread begins to submit work to an engine.
    JSA_TRACED_SUBMITTED,
    JSA_TRACED_FILL, // It writes commands into the engine's queue.
    JSA_TRACED_FILLED,
    JSA_TRACED_FULL,     // It waits for place in the queue.
    JSA_TRACED_COMPLETE, // The kernel saw that work is complete.
    JSA_TRACED_VALUE,    // The kernel read a syncpoint.
};

// X(group, event, use)
#define JSA_TRACED_EVENTS(X)                                                                                           \
    X(sched, sched_switch, JSA_TRACED_SWITCH)                                                                          \
    X(sched, sched_wakeup, JSA_TRACED_WAKE)                                                                            \
    X(sched, sched_wakeup_new, JSA_TRACED_WAKE)                                                                        \
    X(gk20a, gk20a_mm_l2_flush, JSA_TRACED_MOMENT)                                                                     \
    X(gk20a, gk20a_mm_l2_flush_done, JSA_TRACED_MOMENT)                                                                \
    X(gk20a, gk20a_mm_l2_invalidate, JSA_TRACED_MOMENT)                                                                \
    X(gk20a, gk20a_mm_l2_invalidate_done, JSA_TRACED_MOMENT)                                                           \
    X(gk20a, gk20a_mm_fb_flush, JSA_TRACED_MOMENT)                                                                     \
    X(gk20a, gk20a_mm_fb_flush_done, JSA_TRACED_MOMENT)                                                                \
    X(gk20a, gk20a_pm_unrailgate, JSA_TRACED_MOMENT)                                                                   \
    X(gk20a, gk20a_finalize_poweron, JSA_TRACED_MOMENT)                                                                \
    X(gk20a, gk20a_mmu_fault, JSA_TRACED_MOMENT)                                                                       \
    X(gk20a, gk20a_channel_reset, JSA_TRACED_MOMENT)                                                                   \
    X(gk20a, gk20a_as_ioctl_map_buffer, JSA_TRACED_MOMENT)                                                             \
    X(gk20a, gk20a_channel_submit_gpfifo, JSA_TRACED_SUBMIT)                                                           \
    X(gk20a, gk20a_channel_submitted_gpfifo, JSA_TRACED_SUBMITTED)                                                     \
    X(host1x, host1x_channel_submit, JSA_TRACED_SUBMIT)                                                                \
    X(host1x, host1x_channel_submitted, JSA_TRACED_SUBMITTED)                                                          \
    X(host1x, host1x_channel_submit_complete, JSA_TRACED_COMPLETE)                                                     \
    X(host1x, host1x_cdma_begin, JSA_TRACED_FILL)                                                                      \
    X(host1x, host1x_cdma_end, JSA_TRACED_FILLED)                                                                      \
    X(host1x, host1x_wait_cdma, JSA_TRACED_FULL)                                                                       \
    X(host1x, host1x_syncpt_load_min, JSA_TRACED_VALUE)                                                                \
    X(nvhost, nvhost_channel_submit, JSA_TRACED_SUBMIT)                                                                \
    X(nvhost, nvhost_channel_submitted, JSA_TRACED_SUBMITTED)                                                          \
    X(nvhost, nvhost_channel_submit_complete, JSA_TRACED_COMPLETE)                                                     \
    X(nvhost, nvhost_wait_cdma, JSA_TRACED_FULL)                                                                       \
    X(nvhost, nvhost_syncpt_update_min, JSA_TRACED_VALUE)
