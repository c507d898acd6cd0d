// Counts calls of CUDA's runtime as CUPTI tells them: no interpreter, no lock. For cuda_calls.py, which
// hands over CUPTI's functions; what is needed of its headers is written out here.
#include <stdint.h>

enum { DOMAIN_RUNTIME_API = 2, SITE_ENTER = 0 };
// CUPTI_RUNTIME_TRACE_CBID_cudaMemcpy_v3020, _cudaMemcpyAsync_v3020, and those for default streams of threads
enum { MEMCPY = 31, MEMCPY_ASYNC = 41, MEMCPY_PTDS = 215, MEMCPY_ASYNC_PTSZ = 225 };

typedef struct {
  int site;
  const char *name;
  const void *parameters;
} ApiCall;  // CUpti_CallbackData begins so

typedef struct {
  void *to;
  const void *from;
  uint64_t bytes;
  int kind;  // 1 host to device, 2 device to host
} Memcpy;  // so do the parameters of both

typedef void (*Callback)(void *, int, uint32_t, const void *);
typedef int (*Subscribe)(void **, Callback, void *);
typedef int (*Enable)(uint32_t, void *, int, uint32_t);

enum { CALLS = 1024, WAYS = 8 };
static uint64_t calls[CALLS];
static uint64_t copies[WAYS];

static void count(void *context, int domain, uint32_t call, const void *data) {
  (void)context;
  const ApiCall *api = data;
  if (domain != DOMAIN_RUNTIME_API || api->site != SITE_ENTER || call >= CALLS) return;
  __atomic_add_fetch(&calls[call], 1, __ATOMIC_RELAXED);
  if (call != MEMCPY && call != MEMCPY_ASYNC && call != MEMCPY_PTDS && call != MEMCPY_ASYNC_PTSZ) return;
  int kind = ((const Memcpy *)api->parameters)->kind;
  if (kind >= 0 && kind < WAYS) __atomic_add_fetch(&copies[kind], 1, __ATOMIC_RELAXED);
}

// Gives CUPTI's status, 0 for success.
int begin(Subscribe subscribe, Enable enable, const uint32_t *which, int number) {
  static void *subscriber;
  if (!subscriber) {
    int status = subscribe(&subscriber, count, 0);
    if (status) return status;
  }
  for (int i = 0; i < number; i++) {
    int status = enable(1, subscriber, DOMAIN_RUNTIME_API, which[i]);
    if (status) return status;
  }
  return 0;
}

uint64_t called(uint32_t call) { return __atomic_load_n(&calls[call], __ATOMIC_RELAXED); }

uint64_t copied(uint32_t kind) { return __atomic_load_n(&copies[kind], __ATOMIC_RELAXED); }
