/* Reads problems with placements and prints the verdict of each: the rule's number in stowage_verify.h. */
#include <stdio.h>
#include "stowage_verify.h"

static long long number(void) {
  long long value;
  if (scanf("%lld", &value) != 1) exit(2);
  return value;
}

int main(void) {
  for (long long problems = number(); problems > 0; problems--) {
    stowage_problem p;
    p.memory_count = (int)number();
    stowage_memory *memories = calloc((size_t)p.memory_count, sizeof *memories);
    for (int m = 0; m < p.memory_count; m++) {
      memories[m].capacity = number();
      memories[m].alignment = number();
      memories[m].bank = number();
    }
    p.buffer_count = (int)number();
    stowage_buffer *buffers = calloc((size_t)p.buffer_count + 1, sizeof *buffers);
    int64_t *offsets = calloc((size_t)p.buffer_count + 1, sizeof *offsets);
    int *places = calloc((size_t)p.buffer_count + 1, sizeof *places);
    for (int i = 0; i < p.buffer_count; i++) {
      buffers[i].size = number();
      buffers[i].alignment = number();
      buffers[i].fixed = number();
      buffers[i].memories = (uint64_t)number();
      buffers[i].alive = (int)number();
      buffers[i].within_bank = (int)number();
      offsets[i] = number();
      places[i] = (int)number();
    }
    p.span_count = (int)number();
    stowage_span *spans = calloc((size_t)p.span_count + 1, sizeof *spans);
    for (int k = 0; k < p.span_count; k++) {
      spans[k].buffer = (int)number();
      spans[k].start = (int32_t)number();
      spans[k].end = (int32_t)number();
      spans[k].low = number();
      spans[k].high = number();
    }
    p.conflict_count = (int)number();
    stowage_conflict *conflicts = calloc((size_t)p.conflict_count + 1, sizeof *conflicts);
    for (int k = 0; k < p.conflict_count; k++) {
      conflicts[k].first = (int)number();
      conflicts[k].second = (int)number();
    }
    p.memories = memories;
    p.buffers = buffers;
    p.spans = spans;
    p.conflicts = conflicts;
    printf("%d\n", stowage_verify(&p, offsets, places).rule);
    free(memories);
    free(buffers);
    free(offsets);
    free(places);
    free(spans);
    free(conflicts);
  }
  return 0;
}
