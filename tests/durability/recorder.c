/* Records what a process does to the files of one folder, in order, so that a power cut can be replayed.

   Loaded with LD_PRELOAD. RECORDED_FOLDER names the folder, RECORD the file to write to: for each call a header
   (struct record), then the path or both paths, then the data. Writes to standard output are recorded as marks.
   Locks (.lock, .build) and shared memory (-shm) hold nothing that survives a cut, so they are left out. */

#define _GNU_SOURCE
#define _LARGEFILE64_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FILES 1024
#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

struct record {
    int32_t call, fd;
    int64_t offset;
    uint32_t path, data;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static const char *folder;
static int record = -1;
static char watched[FILES];

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("RECORD");
    folder = getenv("RECORDED_FOLDER");
    if (path && folder)
        record = fcntl(NEXT(open)(path, O_WRONLY | O_CREAT | O_APPEND, 0600), F_DUPFD_CLOEXEC, FILES / 2);
}

static int ends_with(const char *path, const char *end) {
    size_t length = strlen(path), wanted = strlen(end);
    return length >= wanted && !strcmp(path + length - wanted, end);
}

static int is_watched(const char *path) {
    return record >= 0 && !strncmp(path, folder, strlen(folder)) && !ends_with(path, "-shm") &&
           !ends_with(path, ".lock") && !ends_with(path, ".build");
}

static int is_open(int fd) { return record >= 0 && fd >= 0 && fd < FILES && watched[fd]; }

static void put(const void *bytes, size_t length) {
    if (NEXT(write)(record, bytes, length) != (ssize_t)length)
        abort();
}

static void note(int call, int fd, int64_t offset, const char *path, const void *data, size_t length) {
    struct record header = {call, fd, offset, path ? strlen(path) : 0, length};
    put(&header, sizeof header);
    put(path, header.path);
    put(data, length);
}

static int opened(int fd, const char *path, int flags) {
    if (fd >= 0 && fd < FILES && (watched[fd] = is_watched(path)))
        note('o', fd, flags & O_TRUNC ? 1 : 0, path, "", 0);
    return fd;
}

#define OPEN(name)                                                                                  \
    int name(const char *path, int flags, ...) {                                                    \
        va_list rest;                                                                               \
        va_start(rest, flags);                                                                      \
        mode_t mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0;                                   \
        va_end(rest);                                                                               \
        pthread_mutex_lock(&lock);                                                                  \
        int fd = opened(NEXT(name)(path, flags, mode), path, flags);                                \
        pthread_mutex_unlock(&lock);                                                                \
        return fd;                                                                                  \
    }
OPEN(open)
OPEN(open64)

#define CALL(type, name, parameters, arguments, call, at, data, size)                               \
    type name parameters {                                                                          \
        pthread_mutex_lock(&lock);                                                                  \
        type result = NEXT(name) arguments;                                                         \
        if (result >= 0 && is_open(fd))                                                             \
            note(call, fd, at, NULL, data, size);                                                   \
        pthread_mutex_unlock(&lock);                                                                \
        return result;                                                                              \
    }
CALL(ssize_t, pwrite, (int fd, const void *data, size_t size, off_t at), (fd, data, size, at), 'w', at, data, result)
CALL(ssize_t, pwrite64, (int fd, const void *data, size_t size, off64_t at), (fd, data, size, at), 'w', at, data, result)
CALL(int, ftruncate, (int fd, off_t size), (fd, size), 't', size, "", 0)
CALL(int, ftruncate64, (int fd, off64_t size), (fd, size), 't', size, "", 0)
CALL(int, fsync, (int fd), (fd), 's', 0, "", 0)
CALL(int, fdatasync, (int fd), (fd), 's', 0, "", 0)

ssize_t write(int fd, const void *data, size_t size) {
    pthread_mutex_lock(&lock);
    off64_t at = is_open(fd) ? lseek64(fd, 0, SEEK_CUR) : 0;
    ssize_t result = NEXT(write)(fd, data, size);
    if (result >= 0 && (is_open(fd) || (fd == 1 && record >= 0)))
        note(fd == 1 ? 'm' : 'w', fd, at, NULL, data, result);
    pthread_mutex_unlock(&lock);
    return result;
}

int close(int fd) {
    pthread_mutex_lock(&lock);
    if (fd >= 0 && fd < FILES)
        watched[fd] = 0;
    int result = NEXT(close)(fd);
    pthread_mutex_unlock(&lock);
    return result;
}

int unlink(const char *path) {
    pthread_mutex_lock(&lock);
    int result = NEXT(unlink)(path);
    if (result == 0 && is_watched(path))
        note('u', -1, 0, path, "", 0);
    pthread_mutex_unlock(&lock);
    return result;
}

int rename(const char *from, const char *to) {
    pthread_mutex_lock(&lock);
    int result = NEXT(rename)(from, to);
    if (result == 0 && is_watched(to))
        note('r', -1, 0, from, to, strlen(to));
    pthread_mutex_unlock(&lock);
    return result;
}
