// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "inject.h"

#include <string.h>

enum { kMaxSent = 4096 };         // A power of two.
static uint64_t s_sent[kMaxSent]; // Numbers of names that are in the ring, hashed.
static uint32_t s_sent_count;
static uint64_t s_tail; // The collector's last known place.

static struct jsa_gpu_record *free_record(void)
{
    const uint64_t head = jsi_ring->head;
    if (head - s_tail >= JSA_RING_RECORDS) {
        s_tail = __atomic_load_n(&jsi_ring->tail, __ATOMIC_ACQUIRE);
        if (head - s_tail >= JSA_RING_RECORDS)
            return NULL;
    }
    char *const records = (char *)jsi_ring + JSA_RING_HEADER_BYTES;
    return (struct jsa_gpu_record *)records + (head & (JSA_RING_RECORDS - 1));
}

struct jsa_gpu_record *jsi_next_record(void)
{
    struct jsa_gpu_record *const record = free_record();
    if (!record)
        __atomic_store_n(&jsi_ring->lost, jsi_ring->lost + 1, __ATOMIC_RELAXED);
    return record;
}

void jsi_publish(void)
{
    __atomic_store_n(&jsi_ring->head, jsi_ring->head + 1, __ATOMIC_RELEASE);
}

// FNV-1a; a module that is unloaded may leave its address to another name, so the text itself is the number.
static uint64_t number_of(const char *text, size_t *length)
{
    uint64_t number = UINT64_C(0xcbf29ce484222325);
    size_t i = 0;
    for (; i < JSA_GPU_NAME_BYTES && text[i]; ++i)
        number = (number ^ (uint8_t)text[i]) * UINT64_C(0x100000001b3);
    *length = i;
    return number ? number : 1;
}

static int write_name(uint64_t number, const char *text, size_t length)
{
    for (size_t at = 0; at < length; at += JSA_GPU_TEXT_BYTES) {
        struct jsa_gpu_record *const record = free_record();
        if (!record)
            return 0;
        memset(record, 0, sizeof *record);
        record->kind = JSA_GPU_TEXT;
        const size_t part = length - at < JSA_GPU_TEXT_BYTES ? length - at : JSA_GPU_TEXT_BYTES;
        memcpy((char *)record + JSA_GPU_TEXT_OFFSET, text + at, part);
        jsi_publish();
    }
    struct jsa_gpu_record *const end = free_record();
    if (!end)
        return 0;
    memset(end, 0, sizeof *end);
    end->kind = JSA_GPU_NAME;
    end->name = number;
    jsi_publish();
    return 1;
}

uint64_t jsi_name(const char *text)
{
    if (!text)
        return 0;
    size_t length = 0;
    const uint64_t number = number_of(text, &length);
    uint32_t place = (uint32_t)number & (kMaxSent - 1);
    for (; s_sent[place] != 0; place = (place + 1) & (kMaxSent - 1))
        if (s_sent[place] == number)
            return number;
    // Of more names than that, each is written again and again: slower, but right.
    if (write_name(number, text, length) && s_sent_count < kMaxSent / 2) {
        s_sent[place] = number;
        ++s_sent_count;
    }
    return number;
}
