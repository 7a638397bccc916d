/* Records what a process does to the files below one folder, in order, so that a power cut can be replayed.

   Loaded with LD_PRELOAD. RECORDED_FOLDER names the folder, free of links, RECORD the file to write to: for each
   call a header (struct record), then the path or both paths, then the data. Writes to standard output are
   recorded as marks. RECORDED_CALLS ends the process right after so many calls, as kill -9 would. Locks (.lock,
   .build) and shared memory (-shm) hold nothing that survives a cut, so they are left out. */

#define _GNU_SOURCE
#define _LARGEFILE64_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define FILES 1024
#define LONGEST 4096
#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

struct record {
    int32_t call, fd;
    int64_t offset;
    uint32_t path, data;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static const char *folder;
static int record = -1;
static long left = -1;
static char watched[FILES];

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("RECORD"), *calls = getenv("RECORDED_CALLS");
    folder = getenv("RECORDED_FOLDER");
    if (path && folder)
        record = fcntl(NEXT(open)(path, O_WRONLY | O_CREAT | O_APPEND, 0600), F_DUPFD_CLOEXEC, FILES / 2);
    if (calls)
        left = atol(calls);
}

static int ends_with(const char *path, const char *end) {
    size_t length = strlen(path), wanted = strlen(end);
    return length >= wanted && !strcmp(path + length - wanted, end);
}

static int is_watched(const char *path) {
    size_t length = folder ? strlen(folder) : 0;
    return record >= 0 && !strncmp(path, folder, length) && (!path[length] || path[length] == '/') &&
           !ends_with(path, "-shm") && !ends_with(path, ".lock") && !ends_with(path, ".build");
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
    if (left > 0 && --left == 0)
        _exit(137);
}

/* The real path behind a descriptor. */
static const char *path_of(int fd, char *path) {
    char link[64];
    int code = errno;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, LONGEST - 1);
    path[length < 0 ? 0 : length] = 0;
    errno = code;
    return path;
}

/* The path of a name that is relative to a descriptor. */
static const char *path_at(int fd, const char *name, char *path) {
    if (name[0] == '/' || fd == AT_FDCWD) {
        snprintf(path, LONGEST, "%s", name);
    } else {
        path_of(fd, path);
        size_t length = strlen(path);
        snprintf(path + length, LONGEST - length, "/%s", name);
    }
    return path;
}

static int opened(int fd, int flags) {
    char path[LONGEST];
    struct stat found;
    if (record >= 0 && fd >= 0 && fd < FILES && (watched[fd] = is_watched(path_of(fd, path)))) {
        int is_folder = !fstat(fd, &found) && S_ISDIR(found.st_mode);
        note(is_folder ? 'd' : 'o', fd, flags & O_TRUNC ? 1 : 0, path, "", 0);
    }
    return fd;
}

#define MODE(flags)                                                                                 \
    va_list rest;                                                                                   \
    va_start(rest, flags);                                                                          \
    mode_t mode = (flags) & O_CREAT ? va_arg(rest, mode_t) : 0;                                    \
    va_end(rest);

#define OPEN(name, parameters, ...)                                                                 \
    int name parameters {                                                                           \
        MODE(flags)                                                                                 \
        pthread_mutex_lock(&lock);                                                                  \
        int fd = opened(NEXT(name)(__VA_ARGS__, mode), flags);                                      \
        pthread_mutex_unlock(&lock);                                                                \
        return fd;                                                                                  \
    }
OPEN(open, (const char *path, int flags, ...), path, flags)
OPEN(open64, (const char *path, int flags, ...), path, flags)
OPEN(openat, (int at, const char *path, int flags, ...), at, path, flags)
OPEN(openat64, (int at, const char *path, int flags, ...), at, path, flags)

/* openat2 has no function of its own; it is called by its number. */
long syscall(long number, ...) {
    long given[6];
    va_list rest;
    va_start(rest, number);
    for (int place = 0; place < 6; place++)
        given[place] = va_arg(rest, long);
    va_end(rest);
    long (*next)(long, ...) = NEXT(syscall);
    if (number != SYS_openat2)
        return next(number, given[0], given[1], given[2], given[3], given[4], given[5]);
    pthread_mutex_lock(&lock);
    long fd = next(number, given[0], given[1], given[2], given[3]);
    opened(fd, ((struct open_how *)given[2])->flags);
    pthread_mutex_unlock(&lock);
    return fd;
}

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

/* A call that changes one name, relative to a descriptor. */
#define CHANGE(name, parameters, arguments, at, path, call)                                         \
    int name parameters {                                                                           \
        char full[LONGEST];                                                                         \
        pthread_mutex_lock(&lock);                                                                  \
        int result = NEXT(name) arguments;                                                          \
        if (record >= 0 && result == 0 && is_watched(path_at(at, path, full)))                      \
            note(call, -1, 0, full, "", 0);                                                         \
        pthread_mutex_unlock(&lock);                                                                \
        return result;                                                                              \
    }
CHANGE(unlink, (const char *path), (path), AT_FDCWD, path, 'u')
CHANGE(unlinkat, (int at, const char *path, int flags), (at, path, flags), at, path, 'u')
CHANGE(rmdir, (const char *path), (path), AT_FDCWD, path, 'u')
CHANGE(mkdir, (const char *path, mode_t mode), (path, mode), AT_FDCWD, path, 'k')
CHANGE(mkdirat, (int at, const char *path, mode_t mode), (at, path, mode), at, path, 'k')

#define RENAME(name, parameters, arguments, at_from, from, at_to, to)                               \
    int name parameters {                                                                           \
        char old[LONGEST], new[LONGEST];                                                            \
        pthread_mutex_lock(&lock);                                                                  \
        int result = NEXT(name) arguments;                                                          \
        if (record >= 0 && result == 0 && is_watched(path_at(at_to, to, new)))                      \
            note('r', -1, 0, path_at(at_from, from, old), new, strlen(new));                        \
        pthread_mutex_unlock(&lock);                                                                \
        return result;                                                                              \
    }
RENAME(rename, (const char *from, const char *to), (from, to), AT_FDCWD, from, AT_FDCWD, to)
RENAME(renameat, (int at, const char *from, int at_to, const char *to), (at, from, at_to, to), at, from, at_to, to)
