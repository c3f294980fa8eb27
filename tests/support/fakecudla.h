// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

// What tests ask of the made-up cuDLA (fakecudla.cpp), beside cuDLA's own functions. Any thread.
extern "C" {

/// Devices, modules, and registered memory and semaphores that exist.
int fakeCudlaLive();
/// What was done against the contract where cuDLA gives no status, one line each; forgets it. Valid until the next
/// call.
const char *fakeCudlaViolations();
/// This function fails from now on with cudlaErrorUmd; "": none.
void fakeCudlaFail(const char *function);
/// How many DLAs there are; 2 at the start.
void fakeCudlaCount(int count);
/// Is called when a task is submitted; null: nothing.
void fakeCudlaOnTask(void (*call)());
/// Tasks of the standalone mode read the rows of their input one further down.
void fakeCudlaSkewStandalone(bool skews);
/// Forgets all that exists.
void fakeCudlaForget();
/// What cudlaGetLastError says from now on.
void fakeCudlaError(int status);
/// The bytes of the input tensor of the newest task; returns their number.
std::size_t fakeCudlaInput(unsigned char *bytes, std::size_t room);
}
