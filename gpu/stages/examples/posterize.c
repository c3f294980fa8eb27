// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// A stage in host memory: leaves only a few levels of each colour.
#include "jetscope_stage.h"

#include <stdlib.h>

struct state {
    uint8_t level[256]; // What a byte becomes.
};

static const char *plan(const jetscope_setup *setup, jetscope_image *output)
{
    *output = setup->input; // The same format and size.
    return 0;
}

static const char *set_up(const jetscope_setup *setup, void **state)
{
    struct state *const made = malloc(sizeof *made);
    if (!made)
        return "there is no memory for its table";
    const int levels = (int)setup->options[0];
    for (int value = 0; value < 256; ++value)
        made->level[value] = (uint8_t)(value * levels / 256 * 255 / (levels - 1));
    *state = made;
    return 0;
}

static const char *run(void *state, const jetscope_frame *frame)
{
    const struct state *const table = state;
    for (int y = 0; y < frame->input.height; ++y) {
        const uint8_t *const in = (const uint8_t *)frame->input.pixels + (size_t)y * frame->input.pitch;
        uint8_t *const out = (uint8_t *)frame->output.pixels + (size_t)y * frame->output.pitch;
        for (int x = 0; x < 4 * frame->input.width; x += 4) {
            out[x] = table->level[in[x]];
            out[x + 1] = table->level[in[x + 1]];
            out[x + 2] = table->level[in[x + 2]];
            out[x + 3] = in[x + 3];
        }
    }
    return 0;
}

static void tear_down(void *state)
{
    free(state);
}

static const jetscope_option options[] = {
    {"levels", "How many levels each colour keeps.", 2, 64, 4, 1},
};

static const jetscope_stage stage = {
    .version = JETSCOPE_STAGE_VERSION,
    .memory = JETSCOPE_HOST,
    .reads = JETSCOPE_RGBA8,
    .name = "posterize",
    .help = "Leaves a few levels of each colour: one look into a table for each byte.",
    .options = options,
    .option_count = 1,
    .plan = plan,
    .set_up = set_up,
    .run = run,
    .tear_down = tear_down,
};

const jetscope_stage *jetscope_stage_get(uint32_t version)
{
    return version == JETSCOPE_STAGE_VERSION ? &stage : 0;
}
