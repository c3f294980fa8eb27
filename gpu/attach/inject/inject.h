// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The library that the CUDA driver loads into an inspected program (CUDA_INJECTION64_PATH). It asks CUPTI for hardware
// times and writes them into a ring of the process. It runs in cuInit, on CUPTI's own thread, on a thread of its own
// and, when CUPTI wants a buffer, on the program's threads, which never wait for it. errno is kept.

#include "core/attach/format/attachformat.h"
#include "gpu/cupti/cuptirecords.h"

#include <stddef.h>
#include <stdint.h>

// The used functions of libcupti, as in gpu/cupti/cuptiabi.h. Results are CUptiResult.
struct jsi_cupti {
    int (*get_version)(uint32_t *version);
    int (*set_thread_ids)(int type); // May be missing.
    int (*register_clock)(uint64_t (*now)(void));
    int (*register_buffers)(void (*requested)(uint8_t **buffer, size_t *size, size_t *most_records),
                            void (*completed)(void *context, uint32_t stream, uint8_t *buffer, size_t size,
                                              size_t valid_size));
    int (*set_attribute)(int attribute, size_t *size, void *value); // May be missing.
    int (*enable)(uint32_t kind);
    int (*disable)(uint32_t kind);
    // Of the driver and of the runtime; may be missing, because CUDA 12.2 has none.
    int (*enable_driver_call)(uint32_t callback_id, uint8_t on);
    int (*enable_runtime_call)(uint32_t callback_id, uint8_t on);
    int (*subscribe)(void **subscriber,
                     void (*callback)(void *user_data, int domain, uint32_t callback_id, const void *data),
                     void *user_data);
    int (*unsubscribe)(void *subscriber);
    int (*enable_callback)(uint32_t on, void *subscriber, int domain, uint32_t callback_id);
    int (*flush)(uint32_t flag);
    int (*next_record)(uint8_t *buffer, size_t valid_size, void **record);
    int (*dropped)(void *context, uint32_t stream, size_t *records);
};
extern struct jsi_cupti jsi_cupti;
extern struct jsa_ring *jsi_ring; // Null: nothing is recorded.
extern uint32_t jsi_owner;

// --- records.c: the callbacks of CUPTI

void jsi_begin_records(void);
// From now on buffers hold zeros when CUPTI gets them.
void jsi_zero_buffers(void);
void jsi_buffer_requested(uint8_t **buffer, size_t *size, size_t *most_records);
void jsi_buffer_completed(void *context, uint32_t stream, uint8_t *buffer, size_t size, size_t valid_size);
uint64_t jsi_now(void); // CLOCK_MONOTONIC
// Whether CUPTI holds a buffer.
int jsi_has_buffers(void);

// --- ring.c: only one thread at a time

// The next free record, or null if the ring is full, which counts as lost.
struct jsa_gpu_record *jsi_next_record(void);
void jsi_publish(void);
// The number of a name, written into the ring when it is new. 0: without a name.
uint64_t jsi_name(const char *text);
