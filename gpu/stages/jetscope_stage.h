// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// A stage is a step of your own in Jetscope's filter chain: a shared library that exports jetscope_stage_get. C and
// C++; nothing has to be linked. `jetscope --filters gaussian5,stage:./libmine.so?strength=3` loads it.
//
// Jetscope first runs the stage in a process of its own, with small pictures. It refuses a stage that crashes, does not
// return within ten seconds, changes its input without saying so, leaves pixels unwritten or writes outside of its
// output. Jetscope calls the functions of a library one at a time, but on any thread. Texts are UTF-8 and stay valid
// until the next call. Functions that return a text return null for success, else the reason in one sentence.

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define JETSCOPE_STAGE_VERSION 1u

enum { JETSCOPE_RGBA8 = 1, JETSCOPE_GREY8 = 2 }; // Formats: R, G, B, A bytes; one byte of luma.
enum { JETSCOPE_HOST = 1, JETSCOPE_CUDA = 2 };   // Memory: addresses of the CPU; addresses of the CUDA device.
enum { JETSCOPE_READ = 1, JETSCOPE_WRITE = 2 };  // Accesses.

typedef struct jetscope_image {
    uint32_t format;
    int32_t width; // Pixels, 1 to 16384.
    int32_t height;
    void *pixels; // The top row; null where only format and size are meant.
    size_t pitch; // Bytes from one row to the next.
} jetscope_image;

// An option of the stage, "name=value" behind the '?'. Lower-case letters, digits and '-'.
typedef struct jetscope_option {
    const char *name;
    const char *help; // One sentence.
    double least;
    double most;
    double value; // The value when the user gives none.
    double step;  // 1 for whole numbers; 0 for any number.
} jetscope_option;

typedef struct jetscope_setup {
    uint32_t memory;       // The kind of memory that frames are in, one of those that the stage takes.
    jetscope_image input;  // Without pixels.
    jetscope_image output; // Without pixels; as `plan` made it.
    const double *options; // One value for each option, in the order of the table and within its range.
} jetscope_setup;

typedef struct jetscope_frame {
    uint64_t number;
    jetscope_image input;
    jetscope_image output;
    void *stream; // CUDA: the CUstream of the frame. Host: null, and the work is done when `run` returns.
} jetscope_frame;

// Memory that a run uses beside reading its input and writing its output.
typedef struct jetscope_touch {
    const void *memory; // Memory of the stage; null for the input (a stage that also writes it).
    size_t bytes;       // Of the memory of the stage.
    uint32_t access;    // JETSCOPE_READ, JETSCOPE_WRITE or both.
} jetscope_touch;

typedef struct jetscope_stage {
    uint32_t version; // JETSCOPE_STAGE_VERSION
    uint32_t memory;  // The kinds of memory that it takes, combined by '|'.
    uint32_t reads;   // The format of its input.
    const char *name; // As the window calls it, such as "posterize".
    const char *help; // One sentence: what it does and what it costs.
    const jetscope_option *options;
    uint32_t option_count;

    // Fills in the format and the size of the output. Version 1 needs the size of the input. Returns the reason when
    // the stage cannot work with this input, memory or machine.
    const char *(*plan)(const jetscope_setup *setup, jetscope_image *output);
    // Allocates what runs need; CUDA: the context of the device is current here and in the functions below.
    const char *(*set_up)(const jetscope_setup *setup, void **state);
    // One frame. Writes every pixel of the output and nothing beside it. CUDA: puts the work into the frame's stream
    // and does not wait for it. Work that it gives to a queue of its own must wait for the stream, and the stream for
    // it (cuStreamWaitEvent).
    const char *(*run)(void *state, const jetscope_frame *frame);
    // What the run of this frame will use. Fills in at most `room` entries and returns their number. May be null:
    // nothing but input and output. Jetscope checks the order of what is declared here.
    size_t (*touches)(void *state, uint64_t number, jetscope_touch *list, size_t room);
    // Frees all; no work of the stage is pending.
    void (*tear_down)(void *state);
} jetscope_stage;

// The only exported function: the stage for the version of this interface that Jetscope has, valid until the process
// ends; null if the library has no such version.
const jetscope_stage *jetscope_stage_get(uint32_t version);

#ifdef __cplusplus
}
#endif
