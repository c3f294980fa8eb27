// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

// What tests ask of the made-up cuDLA (fakecudla.cpp), beside cuDLA's own functions. Any thread.
extern "C" {

/// Devices, modules and registered memory that exist.
int fakeCudlaLive();
/// What was done against the contract where cuDLA gives no status, one line each; forgets it. Valid until the next
/// call.
const char *fakeCudlaViolations();
/// This function fails from now on with cudlaErrorUmd; "": none.
void fakeCudlaFail(const char *function);
/// What cudlaGetLastError says from now on.
void fakeCudlaError(int status);
/// The bytes of the input tensor of the newest task; returns their number.
std::size_t fakeCudlaInput(unsigned char *bytes, std::size_t room);
}
