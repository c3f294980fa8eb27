// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
// A module of another version, which the program must refuse.
#include "core/system/module.h"

extern "C" const jetscope::ModuleHead jetscopeModule{"0.0.1"};
