// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "preload.h"

#include <string.h>

// One text for all names, because a pointer to each would need a relocation, which is larger than the name.
static const char s_names[] =
#define JSA_NAME(name, ...) #name "\0"
    JSA_CALLS(JSA_NAME);
#undef JSA_NAME

enum ending { kNone, k_ptds, k_ptsz, kEndings };
enum { kEndingBytes = sizeof "_ptsz" };
static const char s_texts[kEndings][kEndingBytes] = {"", "_ptds", "_ptsz"};
static const uint8_t s_endings[JSA_CALL_COUNT] = {
#define JSA_ENDING(name, arguments, ending) [JSA_CALL_##name] = k_##ending,
    JSA_PER_THREAD_CALLS(JSA_ENDING)
#undef JSA_ENDING
};

// Places of names in their text, and a table of hashes: each slot has the number of a call, or 0. A scan asks for each
// function that a library imports, and GStreamer's plug-ins import hundreds whose names begin with g.
enum { kSlots = 1024 };
_Static_assert(JSA_CALL_COUNT <= 256, "a slot is one byte");
static uint16_t s_places[JSA_CALL_COUNT];
static uint8_t s_slots[kSlots];
static uint32_t s_ready;

uint64_t jsa_compared;

static uint32_t slot_of(const char *name, size_t length)
{
    uint32_t hash = 2166136261u; // FNV-1a
    for (size_t i = 0; i < length; ++i)
        hash = (hash ^ (uint8_t)name[i]) * 16777619u;
    return (hash ^ hash >> 15) & (kSlots - 1);
}

// By the first who needs it, which may be before the library's constructor, in several threads and in a signal handler:
// each makes the same by itself.
static void prepare(void)
{
    uint8_t slots[kSlots] = {0};
    const char *name = s_names;
    for (uint32_t call = JSA_CALL_MARK + 1; call < JSA_CALL_COUNT; ++call) {
        const size_t length = strlen(name);
        uint32_t slot = slot_of(name, length);
        while (slots[slot] != 0)
            slot = (slot + 1) & (kSlots - 1);
        slots[slot] = (uint8_t)call;
        __atomic_store_n(&s_places[call], (uint16_t)(name - s_names), __ATOMIC_RELAXED);
        name += length + 1;
    }
    for (uint32_t slot = 0; slot < kSlots; ++slot)
        __atomic_store_n(&s_slots[slot], slots[slot], __ATOMIC_RELAXED);
    __atomic_store_n(&s_ready, 1, __ATOMIC_RELEASE);
}

static const char *name_of(uint32_t call)
{
    if (!__atomic_load_n(&s_ready, __ATOMIC_ACQUIRE))
        prepare();
    return s_names + __atomic_load_n(&s_places[call], __ATOMIC_RELAXED);
}

const char *jsa_name(uint32_t call, uint32_t flags, char place[JSA_NAME_PLACE])
{
    const char *const name = name_of(call);
    if ((flags & JSA_FLAG_PER_THREAD) == 0 || s_endings[call] == kNone)
        return name;
    const size_t length = strlen(name);
    memcpy(place, name, length);
    memcpy(place + length, s_texts[s_endings[call]], kEndingBytes);
    return place;
}

// --- finding a name

static uint32_t find(const char *name, size_t length)
{
    if (!__atomic_load_n(&s_ready, __ATOMIC_ACQUIRE))
        prepare();
    for (uint32_t slot = slot_of(name, length);; slot = (slot + 1) & (kSlots - 1)) {
        const uint32_t call = __atomic_load_n(&s_slots[slot], __ATOMIC_RELAXED);
        if (call == JSA_CALL_NONE)
            return JSA_CALL_NONE;
        __atomic_store_n(&jsa_compared, jsa_compared + 1, __ATOMIC_RELAXED);
        const char *const other = name_of(call);
        if (strncmp(name, other, length) == 0 && other[length] == 0)
            return call;
    }
}

uint32_t jsa_find(const char *name, uint32_t *flags)
{
    enum { kEnding = kEndingBytes - 1 };
    *flags = 0;
    if (name[0] != 'e' && name[0] != 'g' && name[0] != 'c' && name[0] != 'N')
        return JSA_CALL_NONE;
    const size_t length = strlen(name);
    if (length > kEnding && memcmp(name + length - kEnding, "_pt", 3) == 0) {
        const uint32_t call = find(name, length - kEnding);
        if (call == JSA_CALL_NONE || strcmp(name + length - kEnding, s_texts[s_endings[call]]) != 0)
            return JSA_CALL_NONE;
        *flags = JSA_FLAG_PER_THREAD;
        return call;
    }
    return find(name, length);
}
