// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

/// Replaces dlclose in programs with leak detection: after unloading, memory that a library's globals refer to would be
/// reported as leaked, without a symbolised stack. Mesa's software renderer is an example.
extern "C" int dlclose(void *)
{
    return 0;
}
