/* Calls a kernel as a C program does that was given its object file and header: `raddle run --device=cpu-c`.

   In front of this text the header is included, and stand `CALL`, which calls the kernel with elements of `arguments`, and
   `CALL_PARALLEL`, which lets `threads` compute it: they must come to the same. Standard input holds the arguments one behind another, standard output receives those that
   are buffers; the command line says what each is: `b` and a number of bytes, `s` and a number of bytes for a scalar, `=`
   and the number of an earlier argument whose buffer it shares.

   Each buffer begins at a multiple of 16, and ends within 16 bytes of a page that nobody may touch; another one lies in
   front of it. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MOST = 999, ALIGN = 16, FILL = 0xA5, OUTSIDE = 3, BROKEN = 4, CHECKED = 5, REFUSED = 6 };

struct buffer {
  unsigned char *start, *pages, *end, *before;
  size_t size;
};

static void *arguments[MOST];
static struct buffer buffers[MOST];
static int n_arguments;

static void broken(const char *what) {
  fprintf(stderr, "%s\n", what);
  exit(BROKEN);
}

static void refused(const char *why) __attribute__((unused));
static void refused(const char *why) {
  fprintf(stderr, "%s\n", why);
  exit(REFUSED);
}

static void say(const char *text) {
  if (write(2, text, strlen(text)) < 0) _exit(BROKEN);
}

/* Says beside which argument an access went, if beside one. */
static void fault(int number, siginfo_t *info, void *context) {
  const unsigned char *at = info->si_addr;
  (void)number;
  (void)context;
  for (int i = 0; i < n_arguments; i++) {
    const struct buffer *b = &buffers[i];
    if (b->pages && at >= b->pages && at < b->end) {
      char text[] = "an access beside argument ???\n";
      char *digits = strchr(text, '?');
      digits[0] = '0' + i / 100, digits[1] = '0' + i / 10 % 10, digits[2] = '0' + i % 10;
      say(text);
      _exit(OUTSIDE);
    }
  }
  say("an access far from every argument\n");
  _exit(OUTSIDE);
}

static void take(struct buffer *b, size_t size) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE), room = (size + ALIGN - 1) / ALIGN * ALIGN;
  size_t pages = (room + page - 1) / page * page;
  b->pages = mmap(NULL, pages + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (b->pages == MAP_FAILED) broken("there is not that much memory");
  b->end = b->pages + pages + 2 * page;
  if (pages && mprotect(b->pages + page, pages, PROT_READ | PROT_WRITE)) broken("memory cannot be used");
  b->start = b->pages + page + pages - room;
  b->size = size;
  memset(b->pages + page, FILL, pages);
  if (fread(b->start, 1, size, stdin) != size) broken("an argument is too short");
  b->before = malloc(size + 1);
  if (!b->before) broken("there is not that much memory");
  memcpy(b->before, b->start, size);
}

/* Gives a buffer its contents in front of the call, and keeps those behind it. */
static void turn_back(struct buffer *b) {
  for (size_t i = 0; i < b->size; i++) {
    unsigned char behind = b->start[i];
    b->start[i] = b->before[i];
    b->before[i] = behind;
  }
}

/* Threads that are one: parts one behind another, so that what is summed in memory has the same order. */
static void run(void *context, void (*part)(void *const *, int64_t, int64_t), void *const *given, int64_t n) {
  int64_t ends[] = {n > 0, n / 2, n}, first = 0;
  (void)context;
  for (int i = 0; i < 3; i++) {
    if (first < ends[i]) part(given, first, ends[i]), first = ends[i];
  }
}

static const struct raddle_threads threads = {run, NULL};

/* Whether what lies around a buffer on its pages is as it was. */
static int is_intact(const struct buffer *b) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  for (const unsigned char *at = b->pages + page; at < b->end - page; at++) {
    if (at == b->start) at += b->size;
    if (at < b->end - page && *at != FILL) return 0;
  }
  return 1;
}

int main(int argc, char **argv) {
  static unsigned char scalars[MOST][16], stack[1 << 16];
  stack_t signals = {.ss_sp = stack, .ss_size = sizeof stack};
  struct sigaction action = {.sa_sigaction = fault, .sa_flags = SA_SIGINFO | SA_ONSTACK};
  n_arguments = argc - 1;
  if (n_arguments > MOST) broken("too many arguments");
  for (int i = 0; i < n_arguments; i++) {
    size_t number = strtoull(argv[i + 1] + 1, NULL, 10);
    switch (argv[i + 1][0]) {
    case 'b':
      take(&buffers[i], number);
      arguments[i] = buffers[i].start;
      break;
    case 's':
      if (number > sizeof scalars[i] || fread(scalars[i], 1, number, stdin) != number) broken("a scalar is too short");
      arguments[i] = scalars[i];
      break;
    default:
      arguments[i] = arguments[number];
    }
  }
  if (sigaltstack(&signals, NULL) || sigaction(SIGSEGV, &action, NULL) || sigaction(SIGBUS, &action, NULL))
    broken("faults cannot be caught");
  CALL;
  for (int i = 0; i < n_arguments; i++) turn_back(&buffers[i]);
  CALL_PARALLEL;
  for (int i = 0; i < n_arguments; i++) {
    if (buffers[i].pages && memcmp(buffers[i].start, buffers[i].before, buffers[i].size)) broken("threads come to other results");
  }
  for (int i = 0; i < n_arguments; i++) {
    if (!buffers[i].pages) continue;
    if (!is_intact(&buffers[i])) {
      fprintf(stderr, "a write beside argument %d\n", i);
      return OUTSIDE;
    }
    if (fwrite(buffers[i].start, 1, buffers[i].size, stdout) != buffers[i].size) broken("results cannot be written");
  }
  return fflush(stdout) ? BROKEN : 0;
}
