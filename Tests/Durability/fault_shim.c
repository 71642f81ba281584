// Goes between a program and the system, and lets the n-th call that changes something below a directory go wrong.
// fault_sweep.py builds it, and preloads it under the released `daybook`.
//
//   FAULT_UNDER   the directory, an absolute path without links; calls elsewhere are passed on
//   FAULT_LOG     a file that every such call is appended to, a line each: its name and path
//   FAULT_CALL    which of these calls goes wrong, from 1; none without it
//   FAULT_READS   when set, the reads of files are counted instead, and FAULT_KIND has to be `failed`
//   FAULT_KIND    kill-before  the process dies before the call is made
//                 kill-after   … after it was made
//                 torn         … after the first half of a write was made
//                 short        a write writes its first half and says so
//                 interrupted  the call does nothing and fails with EINTR, once
//                 failed       the call does nothing and fails with EIO, once
//                 full         a write writes its first half, and from then on all that needs room fails with ENOSPC
//
// Of a library that is called by many threads only `calls` and `isFull` are shared, and both are atomic.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum kind { HEALTHY, KILL_BEFORE, KILL_AFTER, TORN, SHORT, INTERRUPTED, FAILED, FULL };
static const char *const kind_names[] = {
  "healthy", "kill-before", "kill-after", "torn", "short", "interrupted", "failed", "full"};

static atomic_long calls;
static atomic_bool is_full;
static long faulty_call;
static enum kind kind = HEALTHY;
static const char *under;
static bool counts_reads;
static int log_file = -1;

__attribute__((constructor)) static void begin(void) {
  under = getenv("FAULT_UNDER");
  const char *log = getenv("FAULT_LOG"), *call = getenv("FAULT_CALL"), *name = getenv("FAULT_KIND");
  if (log) log_file = (int)syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
  if (call) faulty_call = atol(call);
  counts_reads = getenv("FAULT_READS") != NULL;
  for (int index = 0; name && index <= FULL; index++)
    if (!strcmp(name, kind_names[index])) kind = (enum kind)index;
}

static bool is_under(const char *path) {
  size_t length = under ? strlen(under) : 0;
  return length && !strncmp(path, under, length) && (path[length] == '/' || !path[length]);
}

// The whole path of a file, named from a directory; false when it cannot be told.
static bool whole_path(int directory, const char *path, char *whole) {
  char base[PATH_MAX] = "";
  if (path[0] == '/') return snprintf(whole, PATH_MAX, "%s", path) < PATH_MAX;
  if (directory == AT_FDCWD) {
    if (!getcwd(base, sizeof base)) return false;
  } else {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", directory);
    ssize_t count = readlink(link, base, sizeof base - 1);
    if (count < 0) return false;
    base[count] = 0;
  }
  return snprintf(whole, PATH_MAX, *path ? "%s/%s" : "%s", base, path) < PATH_MAX;
}

// What becomes of one call.
enum fate { PASS, HALF, HALF_AND_DIE, REFUSE, PASS_AND_DIE };

// Counts a call, and decides what becomes of it; dies here when it is to die before it. What `needs_room` fails when
// the disk is full.
static enum fate count(const char *name, int directory, const char *path, bool is_write, bool needs_room) {
  char whole[PATH_MAX];
  if (!under || !whole_path(directory, path, whole) || !is_under(whole)) return PASS;
  long number = atomic_fetch_add(&calls, 1) + 1;
  if (log_file >= 0) {
    char line[PATH_MAX + 64];
    int count = snprintf(line, sizeof line, "%s %s\n", name, whole);
    syscall(SYS_write, log_file, line, (size_t)count);
  }
  if (atomic_load(&is_full) && needs_room) {
    errno = ENOSPC;
    return REFUSE;
  }
  if (number != faulty_call) return PASS;
  switch (kind) {
    case HEALTHY: return PASS;
    case KILL_BEFORE: syscall(SYS_kill, getpid(), SIGKILL); return PASS;
    case KILL_AFTER: return PASS_AND_DIE;
    case TORN: return is_write ? HALF_AND_DIE : PASS_AND_DIE;
    case SHORT: return is_write ? HALF : PASS;
    case INTERRUPTED: errno = EINTR; return REFUSE;
    case FAILED: errno = EIO; return REFUSE;
    case FULL:
      if (!needs_room) return PASS;
      atomic_store(&is_full, true);
      errno = ENOSPC;
      return is_write ? HALF : REFUSE;
  }
  return PASS;
}

static enum fate enter(const char *name, int directory, const char *path, bool is_write, bool needs_room) {
  return counts_reads ? PASS : count(name, directory, path, is_write, needs_room);
}

static void leave(enum fate fate) {
  if (fate == PASS_AND_DIE || fate == HALF_AND_DIE) syscall(SYS_kill, getpid(), SIGKILL);
}

#define NEXT(type, name, ...) ((type (*)(__VA_ARGS__))dlsym(RTLD_NEXT, #name))

// A call that writes `count` bytes: half of them, where that is to be; one byte has no half.
#define WRITE(name, file, count, call)                                     \
  enum fate fate = enter(name, file, "", true, true);                      \
  if (fate == REFUSE || (fate == HALF && (count) < 2 && atomic_load(&is_full))) return -1; \
  if ((fate == HALF || fate == HALF_AND_DIE) && (count) > 1) (count) /= 2; \
  ssize_t result = call;                                                   \
  leave(fate);                                                             \
  return result;

#define CALL(name, directory, path, needs_room, call)             \
  enum fate fate = enter(name, directory, path, false, needs_room); \
  if (fate == REFUSE) return -1;                                  \
  int result = call;                                              \
  leave(fate);                                                    \
  return result;

ssize_t write(int file, const void *bytes, size_t count) {
  WRITE("write", file, count, NEXT(ssize_t, write, int, const void *, size_t)(file, bytes, count))
}

ssize_t pwrite(int file, const void *bytes, size_t count, off_t offset) {
  WRITE("pwrite", file, count, NEXT(ssize_t, pwrite, int, const void *, size_t, off_t)(file, bytes, count, offset))
}

ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t offset) { return pwrite(file, bytes, count, offset); }

// Several buffers are written as several writes: POSIX lets a system write fewer bytes than it was given.
ssize_t writev(int file, const struct iovec *parts, int count) {
  for (int index = 0; index < count; index++)
    if (parts[index].iov_len) return write(file, parts[index].iov_base, parts[index].iov_len);
  return 0;
}

ssize_t pwritev(int file, const struct iovec *parts, int count, off_t offset) {
  for (int index = 0; index < count; index++)
    if (parts[index].iov_len) return pwrite(file, parts[index].iov_base, parts[index].iov_len, offset);
  return 0;
}

ssize_t pwritev64(int file, const struct iovec *parts, int count, off64_t offset) {
  return pwritev(file, parts, count, offset);
}

static ssize_t read_at(const char *name, int file, ssize_t (*next)(int, void *, size_t, off_t), void *bytes, size_t size, off_t offset) {
  if (counts_reads && count(name, file, "", false, false) == REFUSE) return -1;
  return next(file, bytes, size, offset);
}

ssize_t read(int file, void *bytes, size_t size) {
  if (counts_reads && count("read", file, "", false, false) == REFUSE) return -1;
  return NEXT(ssize_t, read, int, void *, size_t)(file, bytes, size);
}

ssize_t pread(int file, void *bytes, size_t size, off_t offset) {
  return read_at("pread", file, NEXT(ssize_t, pread, int, void *, size_t, off_t), bytes, size, offset);
}
ssize_t pread64(int file, void *bytes, size_t size, off64_t offset) { return pread(file, bytes, size, offset); }

static int open_at(int directory, const char *path, int flags, mode_t mode) {
  // To open what is there changes nothing.
  if (!(flags & (O_CREAT | O_TRUNC)))
    return NEXT(int, openat, int, const char *, int, mode_t)(directory, path, flags, mode);
  CALL("open", directory, path, true, NEXT(int, openat, int, const char *, int, mode_t)(directory, path, flags, mode))
}

#define MODE(flags)                                                        \
  mode_t mode = 0;                                                         \
  if ((flags) & O_CREAT) {                                                 \
    va_list rest;                                                          \
    va_start(rest, flags);                                                 \
    mode = va_arg(rest, mode_t);                                           \
    va_end(rest);                                                          \
  }

int open(const char *path, int flags, ...) { MODE(flags) return open_at(AT_FDCWD, path, flags, mode); }
int open64(const char *path, int flags, ...) { MODE(flags) return open_at(AT_FDCWD, path, flags, mode); }
int openat(int directory, const char *path, int flags, ...) { MODE(flags) return open_at(directory, path, flags, mode); }
int openat64(int directory, const char *path, int flags, ...) { MODE(flags) return open_at(directory, path, flags, mode); }
int creat(const char *path, mode_t mode) { return open_at(AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC, mode); }

int ftruncate(int file, off_t count) {
  CALL("ftruncate", file, "", false, NEXT(int, ftruncate, int, off_t)(file, count))
}
int ftruncate64(int file, off64_t count) { return ftruncate(file, count); }

int truncate(const char *path, off_t count) {
  CALL("truncate", AT_FDCWD, path, false, NEXT(int, truncate, const char *, off_t)(path, count))
}

int fsync(int file) { CALL("fsync", file, "", true, NEXT(int, fsync, int)(file)) }
int fdatasync(int file) { CALL("fdatasync", file, "", true, NEXT(int, fdatasync, int)(file)) }

int renameat2(int from, const char *path, int to, const char *new_path, unsigned flags) {
  CALL("rename", to, new_path, true,
       (int)syscall(SYS_renameat2, from, path, to, new_path, flags))
}
int renameat(int from, const char *path, int to, const char *new_path) { return renameat2(from, path, to, new_path, 0); }
int rename(const char *path, const char *new_path) { return renameat2(AT_FDCWD, path, AT_FDCWD, new_path, 0); }

int linkat(int from, const char *path, int to, const char *new_path, int flags) {
  CALL("link", to, new_path, true, NEXT(int, linkat, int, const char *, int, const char *, int)(from, path, to, new_path, flags))
}
int link(const char *path, const char *new_path) { return linkat(AT_FDCWD, path, AT_FDCWD, new_path, 0); }

int symlink(const char *target, const char *path) {
  CALL("symlink", AT_FDCWD, path, true, NEXT(int, symlink, const char *, const char *)(target, path))
}

int unlinkat(int directory, const char *path, int flags) {
  CALL("unlink", directory, path, false, NEXT(int, unlinkat, int, const char *, int)(directory, path, flags))
}
int unlink(const char *path) { return unlinkat(AT_FDCWD, path, 0); }
int rmdir(const char *path) { return unlinkat(AT_FDCWD, path, AT_REMOVEDIR); }

int mkdirat(int directory, const char *path, mode_t mode) {
  CALL("mkdir", directory, path, true, NEXT(int, mkdirat, int, const char *, mode_t)(directory, path, mode))
}
int mkdir(const char *path, mode_t mode) { return mkdirat(AT_FDCWD, path, mode); }

int fchmod(int file, mode_t mode) { CALL("chmod", file, "", false, NEXT(int, fchmod, int, mode_t)(file, mode)) }
int fchmodat(int directory, const char *path, mode_t mode, int flags) {
  CALL("chmod", directory, path, false, NEXT(int, fchmodat, int, const char *, mode_t, int)(directory, path, mode, flags))
}
int chmod(const char *path, mode_t mode) { return fchmodat(AT_FDCWD, path, mode, 0); }
