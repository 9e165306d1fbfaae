/* Reads problems with placements and prints the verdict of each, the rule's number in
 * stowage_verify.h, and what a valid one pays for reuse. */
#include <stdio.h>
#include "stowage_verify.h"

static long long number(void) {
  long long value;
  if (scanf("%lld", &value) != 1) exit(2);
  return value;
}

/* Pairs with a third number each, which is 0 where they have none. */
static const stowage_pair *pairs(int *count) {
  *count = (int)number();
  stowage_pair *read = calloc((size_t)*count + 1, sizeof *read);
  for (int k = 0; k < *count; k++) {
    read[k].first = (int)number();
    read[k].second = (int)number();
    read[k].value = number();
  }
  return read;
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
      buffers[i].holds_place = (int)number();
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
    p.reserved_count = (int)number();
    stowage_reserved *reserved = calloc((size_t)p.reserved_count + 1, sizeof *reserved);
    for (int k = 0; k < p.reserved_count; k++) {
      reserved[k].memory = (int)number();
      reserved[k].from = number();
      reserved[k].to = number();
    }
    p.apart = pairs(&p.apart_count);
    p.together = pairs(&p.together_count);
    p.exclusive = pairs(&p.exclusive_count);
    p.other_bank = pairs(&p.other_bank_count);
    p.reuse = pairs(&p.reuse_count);
    p.reserved = reserved;
    p.memories = memories;
    p.buffers = buffers;
    p.spans = spans;
    int rule = stowage_verify(&p, offsets, places).rule;
    printf("%d %lld\n", rule, rule ? -1 : (long long)stowage_reuse_cost(&p, offsets, places));
    free(memories);
    free(buffers);
    free(offsets);
    free(places);
    free(spans);
    free(reserved);
    free((void *)p.apart);
    free((void *)p.together);
    free((void *)p.exclusive);
    free((void *)p.other_bank);
    free((void *)p.reuse);
  }
  return 0;
}
