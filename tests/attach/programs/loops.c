// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
//
// loops KIND ROUNDS : a program that neither swaps nor marks its frames. KIND is the kind of its loop.
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef int result;

result cuInit(unsigned flags);
result cuModuleGetFunction(void **function, void *module, const char *name);
result cuStreamCreate(void **stream, unsigned flags);
result cuMemAlloc_v2(uint64_t *address, size_t bytes);
result cuMemHostAlloc(void **address, size_t bytes, unsigned flags);
result cuMemFree_v2(uint64_t address);
result cuMemcpyHtoDAsync_v2(uint64_t to, const void *from, size_t bytes, void *stream);
result cuMemcpyDtoHAsync_v2(void *to, uint64_t from, size_t bytes, void *stream);
result cuMemcpyDtoH_v2(void *to, uint64_t from, size_t bytes);
result cuLaunchKernel(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                      unsigned shared, void *stream, void **parameters, void **extra);
result cuGraphLaunch(void *graph, void *stream);
result cuStreamSynchronize(void *stream);
result cuStreamQuery(void *stream);
result cuLaunchHostFunc(void *stream, void (*function)(void *), void *argument);
result cuCtxSynchronize(void);

static void *s_stream, *s_function, *s_host;
static uint64_t s_memory;

static void __attribute__((noinline)) launch(int times)
{
    for (int i = 0; i < times; ++i)
        cuLaunchKernel(s_function, 1, 2, 3, 4, 5, 6, 7, s_stream, (void **)8, (void **)9);
}

static void upload(void)
{
    cuMemcpyHtoDAsync_v2(s_memory, s_host, 4096, s_stream);
}

static void download(void)
{
    cuMemcpyDtoHAsync_v2(s_host, s_memory, 4096, s_stream);
}

// As a runtime does it: all waits return to one place.
static void __attribute__((noinline)) wait_for_stream(void)
{
    cuStreamSynchronize(s_stream); // One place.
    __asm__ volatile("");          // No tail call.
}

static void eager(int rounds)
{
    for (int i = 0; i < rounds; ++i) {
        upload();
        launch(60);
        download();
        wait_for_stream();
        usleep(2000);
    }
}

// Two results in each round, waited for at the same place.
static void two_results(int rounds)
{
    for (int i = 0; i < rounds; ++i) {
        upload();
        launch(20);
        wait_for_stream();
        launch(5);
        download();
        wait_for_stream();
        usleep(2000);
    }
}

static void graph(int rounds)
{
    for (int i = 0; i < rounds; ++i) {
        upload();
        cuGraphLaunch((void *)1, s_stream);
        cuStreamSynchronize(s_stream);
        usleep(3000);
    }
}

// Batches come when the workers have them, and some rounds save what they have reached.
static void loader(int rounds)
{
    srand(1);
    for (int i = 0; i < rounds; ++i) {
        usleep((useconds_t)(rand() % 10 == 0 ? 20000 : 500 + rand() % 3000));
        upload();
        launch(30 + rand() % 3);
        download();
        wait_for_stream();
        if (i % 50 == 49)
            cuMemcpyDtoH_v2(s_host, s_memory, 4096);
    }
}

// What is fastest is tried out before, for longer than a second, with the same waits.
static void tuned(int rounds)
{
    for (int algorithm = 0; algorithm < 12; ++algorithm)
        for (int i = 0; i < 100; ++i) {
            launch(1);
            wait_for_stream();
            usleep(1000);
        }
    eager(rounds);
}

// A model's parameters are uploaded with the same waits, it is compiled for seconds when it is first called, and each
// round uploads its input in the way of a parameter.
static void compiled(int rounds)
{
    for (int parameter = 0; parameter < 122; ++parameter) {
        upload();
        wait_for_stream();
    }
    for (int call = 0; call < 4; ++call) {
        usleep(call < 3 ? 1200000 : 0);
        upload();
        wait_for_stream();
        launch(20 + call);
    }
    for (int i = 0; i < rounds; ++i) {
        upload();
        wait_for_stream();
        launch(50);
        download();
        wait_for_stream();
        usleep(2000);
    }
}

static atomic_bool s_ends;

static void *other_loop(void *nothing)
{
    while (!atomic_load(&s_ends)) {
        cuMemcpyHtoDAsync_v2(s_memory + 4096, s_host, 4096, s_stream);
        cuCtxSynchronize();
        usleep(900);
    }
    return nothing;
}

// Two loops that take the same time: the frames are those of the first thread.
static void threads(int rounds)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, other_loop, NULL))
        exit(5);
    eager(rounds);
    atomic_store(&s_ends, 1);
    pthread_join(thread, NULL);
}

// Several streams are waited for, one right after the other, in a number that changes.
static void burst(int rounds)
{
    for (int i = 0; i < rounds; ++i) {
        upload();
        launch(4);
        for (int k = 0; k <= i % 5; ++k)
            cuStreamSynchronize(s_stream);
        usleep(4000);
    }
}

// Only waits, in bursts, with nothing else between. Only time tells these bursts apart, so the pauses are long beside
// what a scheduler takes a thread off a busy processor for.
static void only_waits(int rounds)
{
    for (int i = 0; i < rounds; ++i) {
        for (int k = 0; k <= 3; ++k)
            cuStreamSynchronize(s_stream);
        usleep(50000);
    }
}

// A picture is worked on in tiles.
static void nested(int rounds)
{
    for (int i = 0; i < rounds; ++i) {
        for (int tile = 0; tile < 12; ++tile) {
            upload();
            launch(2);
            wait_for_stream();
            usleep(200);
        }
        launch(1);
        cuMemcpyDtoH_v2(s_host, s_memory, 4096);
        usleep(1000);
    }
}

struct copy {
    size_t from_x, from_y;
    int from_kind;
    const void *from_host;
    uint64_t from;
    void *from_array;
    size_t from_pitch, to_x, to_y;
    int to_kind;
    void *to_host;
    uint64_t to;
    void *to_array;
    size_t to_pitch, bytes, rows;
};
result cuMemcpy2DAsync_v2(const struct copy *copy, void *stream);
result cuEventCreate(void **event, unsigned flags);
result cuEventRecord(void *event, void *stream);
result cuStreamWaitEvent(void *stream, void *event, unsigned flags);

// A decoder writes a picture in two parts in one stream, another one fetches it.
static void pictures(int rounds, int ordered)
{
    void *other, *event;
    cuStreamCreate(&other, 1);
    cuEventCreate(&event, 2);
    for (int i = 0; i < rounds; ++i) {
        const struct copy luma = {0, 0, 2, NULL, s_memory, NULL, 64, 0, 0, 2, NULL, s_memory + 4096, NULL, 64, 60, 16};
        struct copy chroma = luma;
        chroma.from_y = chroma.to_y = 16;
        chroma.rows = 8;
        cuMemcpy2DAsync_v2(&luma, s_stream);
        cuMemcpy2DAsync_v2(&chroma, s_stream);
        if (ordered) {
            cuEventRecord(event, s_stream);
            cuStreamWaitEvent(other, event, 0);
        }
        const struct copy down = {0, 0, 2, NULL, s_memory + 4096, NULL, 64, 0, 0, 1, s_host, 0, NULL, 60, 60, 24};
        cuMemcpy2DAsync_v2(&down, other);
        cuStreamSynchronize(other);
        cuStreamSynchronize(s_stream);
        usleep(5000);
    }
}

static void ordered_pictures(int rounds)
{
    pictures(rounds, 1);
}

static void unordered_pictures(int rounds)
{
    pictures(rounds, 0);
}

// What an allocator does when it likes: it asks whether memory is free. The last rounds ask each time.
static void asks(int rounds)
{
    srand(3);
    for (int i = 0; i < rounds; ++i) {
        upload();
        launch(12);
        if (rand() % 8 == 0 || i > rounds - rounds / 10)
            cuStreamQuery(s_stream);
        download();
        wait_for_stream();
        usleep(1500);
    }
}

// The first rounds make what the others use.
static void warms_up(int rounds)
{
    for (int i = 0; i < rounds; ++i) {
        uint64_t memory = 0;
        upload();
        if (i < rounds / 10)
            cuMemAlloc_v2(&memory, 4096);
        launch(12);
        download();
        wait_for_stream();
        usleep(1500);
    }
}

// Two streams are waited for at one place, and the second wait is long, too.
static void two_waits(int rounds)
{
    srand(5);
    for (int i = 0; i < rounds; ++i) {
        upload();
        launch(2);
        download();
        wait_for_stream();
        usleep((useconds_t)(rand() % 9 == 0 ? 900 : 10));
        wait_for_stream();
        usleep(600);
    }
}

// A compiler tries out for a second what is fastest. Then no call of the loop waits: another thread is told.
static void asynchronous(int rounds)
{
    for (int i = 0; i < 5; ++i) {
        launch(20);
        cuCtxSynchronize();
        usleep(700);
    }
    usleep(1000000);
    for (int i = 0; i < rounds; ++i) {
        upload();
        launch(3);
        usleep(300);
    }
}

static void told(void *nothing)
{
    (void)nothing;
}

// The same, but a function of the host is told.
static void tells(int rounds)
{
    asynchronous(0);
    for (int i = 0; i < rounds; ++i) {
        launch(3);
        cuLaunchHostFunc(s_stream, told, NULL);
        usleep(300);
    }
}

// The same, but the threads of a pool take the rounds by turns, in any order.
enum { kWorkers = 3 };
static sem_t s_begins[kWorkers], s_done;

static void *work_in_turn(void *begins)
{
    for (;;) {
        while (sem_wait(begins) != 0) {}
        if (atomic_load(&s_ends))
            return NULL;
        upload();
        launch(3);
        usleep(300);
        sem_post(&s_done);
    }
}

static void pool(int rounds)
{
    pthread_t threads[kWorkers];
    srand(9);
    sem_init(&s_done, 0, 0);
    for (int i = 0; i < kWorkers; ++i) {
        sem_init(&s_begins[i], 0, 0);
        if (pthread_create(&threads[i], NULL, work_in_turn, &s_begins[i]))
            exit(5);
    }
    for (int i = 0; i < rounds; ++i) {
        sem_post(&s_begins[rand() % kWorkers]);
        while (sem_wait(&s_done) != 0) {}
    }
    atomic_store(&s_ends, 1);
    for (int i = 0; i < kWorkers; ++i) {
        sem_post(&s_begins[i]);
        pthread_join(threads[i], NULL);
    }
}

// One run of a network: its layers repeat, but they are no frames.
static void once(int rounds)
{
    upload();
    for (int layer = 0; layer < rounds; ++layer) {
        launch(3);
        usleep(500);
    }
    download();
    wait_for_stream();
}

// Nothing repeats.
static void none(int rounds)
{
    srand(7);
    for (int i = 0; i < rounds; ++i) {
        switch (rand() % 5) {
        case 0:
            upload();
            break;
        case 1:
            launch(1 + rand() % 30);
            break;
        case 2:
            download();
            break;
        case 3:
            wait_for_stream();
            break;
        default:
            cuCtxSynchronize();
            break;
        }
        usleep((useconds_t)(rand() % 3000));
    }
}

static void set_up(void)
{
    cuInit(0);
    usleep(300000); // Reading the model.
    cuModuleGetFunction(&s_function, (void *)1, "kernel");
    cuStreamCreate(&s_stream, 1);
    cuMemHostAlloc(&s_host, 4096, 0);
    for (int i = 0; i < 40; ++i) {
        cuMemAlloc_v2(&s_memory, 8192);
        upload();
        usleep(1000);
    }
    cuStreamSynchronize(s_stream);
    usleep(100000);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(int rounds);
    } kinds[] = {{"eager", eager},
                 {"two results", two_results},
                 {"graph", graph},
                 {"loader", loader},
                 {"tuned", tuned},
                 {"compiled", compiled},
                 {"threads", threads},
                 {"burst", burst},
                 {"only waits", only_waits},
                 {"nested", nested},
                 {"ordered pictures", ordered_pictures},
                 {"unordered pictures", unordered_pictures},
                 {"asks", asks},
                 {"warms up", warms_up},
                 {"two waits", two_waits},
                 {"asynchronous", asynchronous},
                 {"tells", tells},
                 {"pool", pool},
                 {"once", once},
                 {"none", none}};
    if (argc < 3)
        return 2;
    set_up();
    for (unsigned i = 0; i < sizeof kinds / sizeof kinds[0]; ++i)
        if (strcmp(kinds[i].name, argv[1]) == 0)
            kinds[i].run(atoi(argv[2]));
    wait_for_stream(); // The end.
    usleep(50000);
    cuCtxSynchronize();
    cuMemFree_v2(s_memory);
    puts("done");
    return 0;
}
