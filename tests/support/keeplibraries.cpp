// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

/// In place of the C library's, for programs whose leaks are looked for: what a library holds in variables of its own
/// would count as lost once it is unloaded, and nobody could say whose it was. Mesa's software renderer is one such.
extern "C" int dlclose(void *)
{
    return 0;
}
