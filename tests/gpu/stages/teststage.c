// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Stages for tests, one library for each TEST_MODE: a good one, and those that break the contract in one way each.
#include "gpu/stages/jetscope_stage.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

enum mode {
    GOOD,
    GREY,
    MEMORY,
    CRASH_LOAD,
    CRASH_RUN,
    HANG_LOAD,
    HANG_RUN,
    WRONG_VERSION,
    REFUSED_VERSION,
    NO_SYMBOL,
    WRONG_SIZE,
    OUTSIDE,
    PADDING,
    UNWRITTEN,
    CHANGES_INPUT,
    FAILS,
    REFUSES,
    CUDA_ONLY,
    BAD_OPTION,
    ENDS_PROCESS,
    WRITES_INPUT,
    WEARS_OUT,
    CROWDED,
    SLOW
};

static void crash(void)
{
    abort();
}

static void hang(void)
{
    for (;;)
        pause();
}

__attribute__((constructor)) static void loaded(void)
{
    if (TEST_MODE == CRASH_LOAD)
        crash();
    if (TEST_MODE == HANG_LOAD)
        hang();
}

// Calls that are on their way; was_crowded: two were.
static atomic_int inside;
static atomic_int was_crowded;

static void enter(void)
{
    if (atomic_fetch_add(&inside, 1) > 0)
        was_crowded = 1;
    if (TEST_MODE == CROWDED)
        usleep(2000);
}

static void leave(void)
{
    atomic_fetch_sub(&inside, 1);
}

static char history[64 * 1024]; // The memory of the stage that MEMORY declares.

static const char *plan(const jetscope_setup *setup, jetscope_image *output)
{
    if (TEST_MODE == REFUSES)
        return "it works at night only";
    enter();
    *output = setup->input;
    leave();
    if (TEST_MODE == WRONG_SIZE)
        output->width /= 2;
    return 0;
}

// How many states there are, and were at a time.
int test_stage_states;
int test_stage_most_states;
int test_stage_states_made; // The first one of WEARS_OUT wears out.

atomic_int test_stage_running; // Runs of SLOW that are on their way.

struct state {
    double mask;
    int number; // Of this state, from 1.
    int runs;
};

static const char *set_up(const jetscope_setup *setup, void **state)
{
    enter();
    struct state *const made = calloc(1, sizeof *made);
    made->mask = setup->options[0];
    made->number = ++test_stage_states_made;
    *state = made;
    leave();
    if (++test_stage_states > test_stage_most_states)
        test_stage_most_states = test_stage_states;
    return 0;
}

// Every byte of a pixel but the alpha is turned around by the mask; grey: every byte.
static const char *run(void *given, const jetscope_frame *frame)
{
    struct state *const state = given;
    enter();
    leave();
    if (was_crowded)
        return "it is called twice at a time";
    if (TEST_MODE == WEARS_OUT && state->number == 1 && ++state->runs > 3)
        return "the lamp is worn out";
    if (TEST_MODE == SLOW) {
        atomic_fetch_add(&test_stage_running, 1);
        usleep(300000);
        atomic_fetch_sub(&test_stage_running, 1);
    }
    if (TEST_MODE == CRASH_RUN)
        crash();
    if (TEST_MODE == HANG_RUN)
        hang();
    if (TEST_MODE == ENDS_PROCESS)
        _exit(0);
    if (TEST_MODE == FAILS)
        return "the lamp is broken";
    const uint8_t mask = (uint8_t)state->mask;
    const int bytes = frame->input.width * (TEST_MODE == GREY ? 1 : 4);
    for (int y = 0; y < frame->input.height; ++y) {
        uint8_t *const in = (uint8_t *)frame->input.pixels + (size_t)y * frame->input.pitch;
        uint8_t *const out = (uint8_t *)frame->output.pixels + (size_t)y * frame->output.pitch;
        for (int i = TEST_MODE == UNWRITTEN && y == 3 ? 4 : 0; i < bytes; ++i)
            out[i] = TEST_MODE == GREY || i % 4 != 3 ? in[i] ^ mask : in[i];
        if (TEST_MODE == CHANGES_INPUT || TEST_MODE == WRITES_INPUT)
            in[0] = (uint8_t)~in[0];
        if (TEST_MODE == PADDING)
            out[bytes] = 1;
    }
    if (TEST_MODE == OUTSIDE)
        ((volatile uint8_t *)frame->output.pixels)[(size_t)frame->output.height * frame->output.pitch] = 1;
    return 0;
}

static size_t touches(void *state, uint64_t number, jetscope_touch *list, size_t room)
{
    (void)state, (void)number;
    if (room == 0 || (TEST_MODE != MEMORY && TEST_MODE != WRITES_INPUT))
        return 0;
    list[0].memory = TEST_MODE == MEMORY ? history : 0;
    list[0].bytes = TEST_MODE == MEMORY ? sizeof history : 0;
    list[0].access = TEST_MODE == MEMORY ? JETSCOPE_READ | JETSCOPE_WRITE : JETSCOPE_WRITE;
    return 1;
}

static void tear_down(void *state)
{
    enter();
    free(state);
    leave();
    --test_stage_states;
}

static const jetscope_option options[] = {
    {"mask", "What is turned around.", TEST_MODE == BAD_OPTION ? 300 : 0, 255, 85, 1},
};

static const jetscope_stage stage = {
    .version = TEST_MODE == WRONG_VERSION ? JETSCOPE_STAGE_VERSION + 1 : JETSCOPE_STAGE_VERSION,
    .memory = TEST_MODE == CUDA_ONLY ? JETSCOPE_CUDA : JETSCOPE_HOST,
    .reads = TEST_MODE == GREY ? JETSCOPE_GREY8 : JETSCOPE_RGBA8,
    .name = "test stage",
    .help = "Turns bits around.",
    .options = options,
    .option_count = 1,
    .plan = plan,
    .set_up = set_up,
    .run = run,
    .touches = touches,
    .tear_down = tear_down,
};

#ifdef TEST_NO_SYMBOL
const jetscope_stage *another_name(void)
{
    return &stage;
}
#else
const jetscope_stage *jetscope_stage_get(uint32_t version)
{
    return TEST_MODE == REFUSED_VERSION || version != JETSCOPE_STAGE_VERSION ? 0 : &stage;
}
#endif
