/* Verifier of plans, from the problem definition; shares no code with the planner. C99, no
 * dependencies, no allocation beyond one array. All sizes and offsets are bytes, ranges half-open.
 *
 *   stowage_span spans[] = {{0, 0, 3, 0, 4096}, {1, 1, 5, 0, 8192}};    buffer, steps, bytes
 *   stowage_buffer buffers[] = {{4096, 1, -1, 1, 1, 0, 0}, {8192, 1, -1, 1, 1, 0, 0}};
 *   stowage_memory memories[] = {{-1, 1, 0}};
 *   stowage_problem problem = {.buffers = buffers, .buffer_count = 2, .spans = spans,
 *                              .span_count = 2, .memories = memories, .memory_count = 1};
 *   int64_t offsets[] = {0, 4096};
 *   assert(stowage_verify(&problem, offsets, NULL).rule == STOWAGE_VALID);
 *
 * A buffer has one span for its whole life; one with gaps has a span for each stretch of steps in
 * which the same of its bytes [low, high) are needed, and none where nothing is. One that holds its
 * place has one span from INT32_MIN to INT32_MAX. Pairs and ranges that are left out are not there. */
#ifndef STOWAGE_VERIFY_H
#define STOWAGE_VERIFY_H
#include <stdint.h>
#include <stdlib.h>

typedef struct { int64_t size, alignment, fixed; /* fixed: -1 where free */
                 uint64_t memories;              /* bit m: may lie in memory m */
                 int alive, within_bank; /* alive: at any step, gaps included, or holding its place */
                 int holds_place; /* its bytes are its own at every step */ } stowage_buffer;
typedef struct { int buffer; int32_t start, end; int64_t low, high; } stowage_span;
typedef struct { int64_t capacity, alignment, bank; } stowage_memory; /* capacity -1, bank 0: none */
typedef struct { int memory; int64_t from, to; } stowage_reserved;    /* bytes no buffer touches */
typedef struct { int first, second; int64_t value; } stowage_pair;    /* value: distance or weight */
typedef struct { const stowage_buffer *buffers; int buffer_count;
                 const stowage_span *spans; int span_count;
                 const stowage_memory *memories; int memory_count;
                 const stowage_pair *apart; int apart_count;           /* never share an address */
                 const stowage_pair *together; int together_count;     /* second = first + value */
                 const stowage_pair *exclusive; int exclusive_count;   /* never alive at once */
                 const stowage_pair *other_bank; int other_bank_count; /* share no bank */
                 const stowage_reserved *reserved; int reserved_count;
                 const stowage_pair *reuse; int reuse_count; /* cost value */ } stowage_problem;
typedef enum { STOWAGE_VALID, STOWAGE_MEMORY, STOWAGE_OFFSET, STOWAGE_FIXED, STOWAGE_ALIGNMENT,
               STOWAGE_CAPACITY, STOWAGE_BANK, STOWAGE_OVERLAP, STOWAGE_APART, STOWAGE_RESERVED,
               STOWAGE_TOGETHER, STOWAGE_OTHER_BANK, STOWAGE_OUT_OF_MEMORY } stowage_rule;
typedef struct { stowage_rule rule; int first, second; } stowage_verdict; /* buffers; -1 for none */

static int stowage_by_start(const void *a, const void *b) {
  int32_t x = (*(const stowage_span *const *)a)->start, y = (*(const stowage_span *const *)b)->start;
  return (x > y) - (x < y);
}

static stowage_verdict stowage_broken(stowage_rule rule, int first, int second) {
  stowage_verdict verdict;
  verdict.rule = rule; verdict.first = first; verdict.second = second;
  return verdict;
}

static stowage_rule stowage_alone(const stowage_problem *p, int i, int64_t offset, int memory) {
  const stowage_buffer *b = &p->buffers[i];
  if (memory < 0 || memory >= p->memory_count || !(b->memories >> memory & 1)) return STOWAGE_MEMORY;
  const stowage_memory *m = &p->memories[memory];
  if (offset < 0 || offset > INT64_MAX - b->size) return STOWAGE_OFFSET;
  if (b->fixed >= 0 && offset != b->fixed) return STOWAGE_FIXED;
  if (offset % b->alignment != 0 || offset % m->alignment != 0) return STOWAGE_ALIGNMENT;
  if (m->capacity >= 0 && offset + b->size > m->capacity && b->alive && b->size > 0) return STOWAGE_CAPACITY;
  if (b->within_bank && m->bank > 0 && b->size > 0
      && offset / m->bank != (offset + b->size - 1) / m->bank) return STOWAGE_BANK;
  for (int k = 0; k < p->reserved_count; k++)
    if (p->reserved[k].memory == memory && b->alive && b->size > 0 && offset < p->reserved[k].to
        && p->reserved[k].from < offset + b->size) return STOWAGE_RESERVED;
  return STOWAGE_VALID;
}

static int stowage_has(const stowage_pair *pairs, int count, int a, int b) {
  for (int k = 0; k < count; k++)
    if ((pairs[k].first == a && pairs[k].second == b) || (pairs[k].first == b && pairs[k].second == a)) return 1;
  return 0;
}

/* Whether two buffers have bytes in the same unit of one memory; never where the unit is 0. */
static int stowage_share(const stowage_problem *p, const int64_t *offsets, const int *memories,
                         int a, int b, int64_t unit) {
  const stowage_buffer *x = &p->buffers[a], *y = &p->buffers[b];
  return unit > 0 && (!memories || memories[a] == memories[b]) && x->alive && y->alive && x->size > 0 && y->size > 0
      && offsets[a] / unit <= (offsets[b] + y->size - 1) / unit
      && offsets[b] / unit <= (offsets[a] + x->size - 1) / unit;
}

static stowage_verdict stowage_relations(const stowage_problem *p, const int64_t *offsets, const int *memories) {
  for (int k = 0; k < p->apart_count; k++)
    if (stowage_share(p, offsets, memories, p->apart[k].first, p->apart[k].second, 1))
      return stowage_broken(STOWAGE_APART, p->apart[k].first, p->apart[k].second);
  for (int k = 0; k < p->other_bank_count; k++) {
    int a = p->other_bank[k].first, b = p->other_bank[k].second;
    if (stowage_share(p, offsets, memories, a, b, p->memories[memories ? memories[a] : 0].bank))
      return stowage_broken(STOWAGE_OTHER_BANK, a, b);
  }
  for (int k = 0; k < p->together_count; k++) {
    int a = p->together[k].first, b = p->together[k].second;
    if ((memories && memories[a] != memories[b]) || offsets[b] - offsets[a] != p->together[k].value)
      return stowage_broken(STOWAGE_TOGETHER, a, b);
  }
  return stowage_broken(STOWAGE_VALID, -1, -1);
}

static int stowage_alive_at_once(const stowage_problem *p, int a, int b) {
  for (int k = 0; k < p->span_count; k++)
    for (int l = 0; l < p->span_count && p->spans[k].buffer == a; l++)
      if (p->spans[l].buffer == b && p->spans[k].start < p->spans[l].end
          && p->spans[l].start < p->spans[k].end) return 1;
  return 0;
}

/* What a valid placement pays: the weights of reuse pairs that share an address and are never alive
 * at once. O(pairs * spans). */
static inline int64_t stowage_reuse_cost(const stowage_problem *p, const int64_t *offsets, const int *memories) {
  int64_t cost = 0;
  for (int k = 0; k < p->reuse_count; k++) {
    int a = p->reuse[k].first, b = p->reuse[k].second;
    if (stowage_share(p, offsets, memories, a, b, 1)
        && (stowage_has(p->exclusive, p->exclusive_count, a, b) || !stowage_alive_at_once(p, a, b)))
      cost += p->reuse[k].value;
  }
  return cost;
}

/* The first broken rule of a placement. memories may be NULL where there is one.
 * O(n log n + n * live) for n spans of which so many are live at a time. */
static stowage_verdict stowage_verify(const stowage_problem *p, const int64_t *offsets, const int *memories) {
  for (int i = 0; i < p->buffer_count; i++) {
    stowage_rule rule = stowage_alone(p, i, offsets[i], memories ? memories[i] : 0);
    if (rule != STOWAGE_VALID) return stowage_broken(rule, i, -1);
  }
  const stowage_span **order = malloc((2 * (size_t)p->span_count + 1) * sizeof *order);
  if (!order) return stowage_broken(STOWAGE_OUT_OF_MEMORY, -1, -1);
  const stowage_span **live = order + p->span_count; /* those that have begun and not ended */
  for (int k = 0; k < p->span_count; k++) order[k] = &p->spans[k];
  qsort(order, (size_t)p->span_count, sizeof *order, stowage_by_start);
  stowage_verdict verdict = stowage_broken(STOWAGE_VALID, -1, -1);
  int count = 0;
  for (int k = 0; k < p->span_count && verdict.rule == STOWAGE_VALID; k++) {
    const stowage_span *s = order[k];
    int kept = 0;
    for (int l = 0; l < count; l++) {
      const stowage_span *t = live[l];
      if (t->end <= s->start) continue;
      live[kept++] = t;
      if ((!memories || memories[s->buffer] == memories[t->buffer])
          && offsets[s->buffer] + s->low < offsets[t->buffer] + t->high
          && offsets[t->buffer] + t->low < offsets[s->buffer] + s->high
          && (p->buffers[s->buffer].holds_place || p->buffers[t->buffer].holds_place
              || !(stowage_has(p->exclusive, p->exclusive_count, s->buffer, t->buffer)
                   || stowage_has(p->together, p->together_count, s->buffer, t->buffer))))
        verdict = stowage_broken(STOWAGE_OVERLAP, t->buffer, s->buffer);
    }
    live[kept++] = s;
    count = kept;
  }
  free(order);
  return verdict.rule == STOWAGE_VALID ? stowage_relations(p, offsets, memories) : verdict;
}
#endif
