// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Where the kernel's trace is, for jetscope-sched (C) and for what Jetscope (C++) says of it before.

// In this order; the second one is that of kernels and systems that mount it within debugfs only
// (Documentation/trace/ftrace.rst of Linux).
#define JSA_TRACEFS_FOLDERS "/sys/kernel/tracing", "/sys/kernel/debug/tracing"
#define JSA_TRACEFS_MAGIC 0x74726163 // Of statfs(2): TRACEFS_MAGIC in linux/magic.h.
#define JSA_TRACEFS_MISSING "tracefs is not mounted: sudo mount -t tracefs nodev /sys/kernel/tracing"
