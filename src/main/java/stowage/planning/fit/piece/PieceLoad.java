package stowage.planning.fit.piece;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.IntStream;
import stowage.liveness.OpTraits;
import stowage.network.Network;
import stowage.network.Op;
import stowage.network.Tensor;
import stowage.rewrite.OpOrigin;
import stowage.rewrite.RunProgram;

/**
 * Estimate, from its steps alone, of the bytes live while a run is executed in pieces.
 *
 * <p>Where buffers may be shared, a slice that is one stretch of its source shows the source, and a
 * piece that is one stretch of a result is made there; of what slices show only what is still read
 * counts, of such a result what has been written. All other slices and concatenations are copies.
 * Where those are copies, the source and the results may also stay in pieces: a piece of the source
 * is there until its last reader, and slices gather what they need. O(steps * operands).
 */
public final class PieceLoad {
  private static final int NONE = -1;

  private final RunProgram program;
  private final Network network;
  private final Sources sources;
  private final long alignment;
  private final int steps;

  /** By value the step that writes it, -1 for a source; and the last one that reads its bytes. */
  private final int[] written;

  private final int[] last;

  /** By value the one in whose buffer it is: itself, or a source, a result, an operand. */
  private final int[] holder;

  /** By value along which dimension parts of it are stretches of its buffer; -1 for none. */
  private final int[] band;

  /** Whether a step does nothing, since its result is there. */
  private final boolean[] idle;

  /** Whether a step is a piece of a concat whose operands are stretches of its result. */
  private final boolean[] stack;

  /**
   * Follows the steps of a run.
   *
   * @param sources of its sources
   * @param alignment what sizes are rounded up to
   */
  public PieceLoad(
      RunProgram program, Network network, Sources sources, boolean shares, long alignment) {
    this.program = program;
    this.network = network;
    this.sources = sources;
    this.alignment = alignment;
    this.steps = program.steps().size();
    int values = program.values().size();
    this.written = new int[values];
    this.last = new int[values];
    this.holder = new int[values];
    this.band = new int[values];
    this.idle = new boolean[steps];
    this.stack = new boolean[steps];
    Arrays.fill(written, NONE);
    Arrays.fill(last, NONE);
    Arrays.fill(band, NONE);
    Arrays.setAll(holder, v -> v);
    for (int s = 0; s < steps; s++) {
      for (int v : step(s).writes()) {
        written[v] = s;
      }
      stack[s] = shares && isStack(s);
    }
    if (shares) {
      showResults();
      showSources();
    }
    for (int s = 0; s < steps; s++) {
      for (int v : step(s).reads()) {
        if (v >= 0 && !idle[s]) {
          last[holder[v]] = s;
        }
      }
    }
    if (shares) {
      overwrite();
    }
  }

  private RunProgram.Step step(int s) {
    return program.steps().get(s);
  }

  private RunProgram.Value value(int v) {
    return program.values().get(v);
  }

  private boolean isSource(int v) {
    return written[v] < 0;
  }

  /** Puts pieces of a result that are stretches of it into its buffer. */
  private void showResults() {
    Map<String, Integer> results = new HashMap<>();
    for (int s = 0; s < steps; s++) {
      RunProgram.Step step = step(s);
      int to = step.writes()[0];
      if (step.kind() == OpOrigin.Kind.CONCAT
          && value(to).whole()
          && Regions.isStretch(value(to), step.dim())) {
        results.put(value(to).tensor().name(), to);
        band[to] = step.dim();
      }
    }
    for (int v = 0; v < holder.length; v++) {
      Integer result = isSource(v) ? null : results.get(value(v).tensor().name());
      if (result != null && result != v) {
        boolean all = Arrays.equals(value(v).shape(), value(result).shape());
        int dim = Regions.cut(value(v), value(result).begin(), value(result).end());
        holder[v] = all || dim == band[result] ? result : v;
      }
    }
    for (int s = 0; s < steps; s++) {
      RunProgram.Step step = step(s);
      if (step.kind() != OpOrigin.Kind.PIECE && holder[step.writes()[0]] != step.writes()[0]
          || step.kind() == OpOrigin.Kind.CONCAT && band[step.writes()[0]] >= 0) {
        idle[s] = true;
        for (int v : step.reads()) {
          idle[s] &= holder[v] == holder[step.writes()[0]];
        }
      }
    }
  }

  /**
   * Shows slices that are stretches of what they are cut from. Of other slices the rows that they
   * take count.
   */
  private void showSources() {
    for (int s = 0; s < steps; s++) {
      RunProgram.Step step = step(s);
      if (step.kind() != OpOrigin.Kind.SLICE || idle[s]) {
        continue;
      }
      int from = step.reads()[0];
      int to = step.writes()[0];
      boolean elsewhere = isSource(from) && sources.bytes(value(from).tensor()) == 0;
      int dim = Regions.cut(value(to), value(from).begin(), value(from).end());
      if (dim >= 0 && Regions.isStretch(value(from), dim) && holder[to] == to && !elsewhere) {
        holder[to] = holder[from];
        idle[s] = true;
        band[holder[from]] = dim;
      } else if (dim < 0 && band[holder[from]] < 0) {
        int first = Regions.first(value(to), value(holder[from]));
        band[holder[from]] = Regions.isStretch(value(holder[from]), first) ? first : NONE;
      }
    }
  }

  /** Writes results of elementwise ops over operands that nothing else reads later. */
  private void overwrite() {
    for (int s = 0; s < steps; s++) {
      RunProgram.Step step = step(s);
      int to = step.writes()[0];
      if (step.kind() != OpOrigin.Kind.PIECE || step.writes().length > 1 || holder[to] != to) {
        continue;
      }
      OpTraits traits = OpTraits.of(network.ops().get(step.op()));
      if (traits != OpTraits.ELEMENTWISE && traits != OpTraits.RESHAPE_LIKE) {
        continue;
      }
      for (int v : step.reads()) {
        int from = v < 0 ? to : holder[v];
        if (from != to
            && !isSource(from)
            && band[from] < 0
            && last[from] == s
            && value(from).bytes() == value(to).bytes()) {
          last[from] = Math.max(last[from], last[to]);
          int before = to;
          Arrays.setAll(holder, k -> holder[k] == before ? from : holder[k]);
          break;
        }
      }
    }
  }

  /** Whether slices and results are copies, so that tensors may stay in pieces instead. */
  public boolean copies() {
    return IntStream.range(0, steps)
        .anyMatch(s -> step(s).kind() == OpOrigin.Kind.CONCAT && !idle[s]);
  }

  /** Whether no op reads a source but by slices along one dimension. */
  public boolean mayFlow(String source) {
    int dim = NONE;
    for (int s = 0; s < steps; s++) {
      for (int v : step(s).reads()) {
        if (v < 0 || !isSource(v) || !value(v).tensor().name().equals(source)) {
          continue;
        }
        int own = NONE;
        if (step(s).kind() == OpOrigin.Kind.SLICE) {
          own = Regions.cut(value(step(s).writes()[0]), value(v).begin(), value(v).end());
        }
        if (own < 0 || dim >= 0 && own != dim) {
          return false;
        }
        dim = own;
      }
    }
    return dim >= 0;
  }

  private long rounded(long bytes) {
    return (bytes + alignment - 1) / alignment * alignment;
  }

  /** What is known of a source: its bytes, 0 where it is kept elsewhere, and who needs it later. */
  public interface Sources {
    /** Bytes that a source takes. */
    long bytes(Tensor tensor);

    /** Whether it is read after the run. */
    boolean isKept(Tensor tensor);
  }

  /**
   * The largest sum of live bytes.
   *
   * @param flowing a source that is there in pieces; null for none
   * @param count in how many even pieces it is
   * @param flows whether results that would be copied together stay in pieces
   */
  public long load(String flowing, int count, boolean flows) {
    long[] change = new long[steps + 1];
    int[] end = last.clone();
    for (int s = 0; s < steps; s++) {
      RunProgram.Step step = step(s);
      if (flows && isLast(s) && !idle[s]) {
        for (int v : step.reads()) {
          end[holder[v]] = steps;
        }
      }
    }
    long[] own = ownBytes(end);
    for (int v = 0; v < holder.length; v++) {
      boolean result = !isSource(v) && isLast(written[v]) && step(written[v]).writes()[0] == v;
      if (holder[v] != v) {
        continue;
      }
      if (isSource(v)) {
        if (value(v).tensor().name().equals(flowing)) {
          flow(v, count, change, end, sources.isKept(value(v).tensor()));
        } else {
          source(v, change);
        }
      } else if (result && band[v] >= 0) {
        grow(v, change);
      } else if (!result && band[v] >= 0 && end[v] < steps) {
        add(change, written[v], written[v], rounded(value(v).bytes()));
        shrink(v, value(v).bytes(), written[v] + 1, change);
      } else if (!result || !flows) {
        boolean taken = flowing != null && isPart(v, flowing, count);
        add(change, written[v], result ? steps : end[v], taken ? 0 : rounded(own[v]));
      }
    }
    long most = 0;
    long sum = 0;
    for (int s = 0; s < steps; s++) {
      sum += change[s];
      most = Math.max(most, sum);
    }
    return most;
  }

  /**
   * By value the bytes that it adds to those of its operands: of a concat whose operands lie one
   * after the other in it, only what is copied. Such operands are there until its own end.
   */
  private long[] ownBytes(int[] end) {
    long[] own = new long[holder.length];
    Arrays.setAll(own, v -> value(v).bytes());
    boolean[] placed = new boolean[holder.length];
    for (int s = steps - 1; s >= 0; s--) {
      int to = step(s).writes()[0];
      if (!stack[s] || holder[to] != to) {
        continue;
      }
      for (int v : step(s).reads()) {
        int at = holder[v];
        if (!isSource(at) && band[at] < 0 && !placed[at] && value(at).bytes() == value(v).bytes()) {
          placed[at] = true;
          end[at] = Math.max(end[at], end[to]);
          own[to] -= value(v).bytes();
        }
      }
    }
    return own;
  }

  private boolean isStack(int s) {
    Op op = step(s).kind() == OpOrigin.Kind.PIECE ? network.ops().get(step(s).op()) : null;
    return op != null
        && OpTraits.of(op) == OpTraits.CONCAT_LIKE
        && !OpTraits.hasFusedActivation(op)
        && Regions.isStack(program, step(s));
  }

  private boolean isLast(int s) {
    return step(s).kind() == OpOrigin.Kind.CONCAT && value(step(s).writes()[0]).whole();
  }

  /** Counts bytes from a step to another, both included. */
  private static void add(long[] change, int from, int to, long bytes) {
    change[from] += bytes;
    if (Math.max(from, to) + 1 < change.length) {
      change[Math.max(from, to) + 1] -= bytes;
    }
  }

  private void source(int v, long[] change) {
    Tensor tensor = value(v).tensor();
    long bytes = sources.bytes(tensor);
    if (bytes == 0) {
      return;
    }
    if (sources.isKept(tensor)) {
      add(change, 0, steps, rounded(bytes));
      return;
    }
    if (band[v] < 0) {
      add(change, 0, last[v], rounded(bytes));
      return;
    }
    shrink(v, bytes, 0, change);
  }

  /** What is still read of a buffer that slices show, at each step from one on. */
  private void shrink(int v, long bytes, int first, long[] change) {
    long low = Long.MAX_VALUE;
    long high = 0;
    long row = bytes / (value(v).end()[band[v]] - value(v).begin()[band[v]]);
    for (int s = steps - 1; s >= first; s--) {
      for (int r : step(s).reads()) {
        if (r >= 0 && holder[r] == v && !idle[s]) {
          RunProgram.Value read =
              value(step(s).kind() == OpOrigin.Kind.SLICE ? step(s).writes()[0] : r);
          low = Math.min(low, read.begin()[band[v]]);
          high = Math.max(high, read.end()[band[v]]);
        }
      }
      if (high > 0) {
        add(change, s, s, rounded((high - low) * row));
      }
    }
  }

  /** A result in whose buffer its pieces are made. */
  private void grow(int v, long[] change) {
    long low = Long.MAX_VALUE;
    long high = 0;
    long extent = value(v).tensor().extent(band[v]);
    long row = value(v).bytes() / extent;
    for (int s = 0; s < steps; s++) {
      for (int w : step(s).writes()) {
        if (holder[w] == v && w != v && !idle[s]) {
          low = Math.min(low, Math.max(0, value(w).begin()[band[v]]));
          high = Math.max(high, Math.min(extent, value(w).end()[band[v]]));
        }
      }
      if (high > 0) {
        add(change, s, s, rounded((high - low) * row));
      }
    }
  }

  private boolean isPart(int v, String flowing, int count) {
    if (step(written[v]).kind() != OpOrigin.Kind.SLICE) {
      return false;
    }
    RunProgram.Value from = value(step(written[v]).reads()[0]);
    if (!from.whole() || !from.tensor().name().equals(flowing)) {
      return false;
    }
    int dim = Regions.cut(value(v), from.begin(), from.end());
    for (int k = 0; k < count && dim >= 0; k++) {
      long extent = from.tensor().extent(dim);
      if (value(v).begin()[dim] == Regions.bound(extent, count, k)
          && value(v).end()[dim] == Regions.bound(extent, count, k + 1)) {
        return true;
      }
    }
    return false;
  }

  /** A source in pieces, each there until nothing reads it any more. */
  private void flow(int v, int count, long[] change, int[] end, boolean kept) {
    Tensor tensor = value(v).tensor();
    int[] until = new int[count];
    Arrays.fill(until, NONE);
    int dim = NONE;
    for (int s = 0; s < steps; s++) {
      if (step(s).kind() == OpOrigin.Kind.SLICE && step(s).reads()[0] == v) {
        RunProgram.Value part = value(step(s).writes()[0]);
        dim = Regions.cut(part, value(v).begin(), value(v).end());
        boolean direct = isPart(step(s).writes()[0], tensor.name(), count);
        for (int k = 0; k < count; k++) {
          if (part.begin()[dim] < Regions.bound(tensor.extent(dim), count, k + 1)
              && part.end()[dim] > Regions.bound(tensor.extent(dim), count, k)) {
            until[k] = Math.max(until[k], direct ? end[step(s).writes()[0]] : s);
          }
        }
      }
    }
    for (int k = 0; k < count && dim >= 0; k++) {
      long extent = tensor.extent(dim);
      long rows = Regions.bound(extent, count, k + 1) - Regions.bound(extent, count, k);
      add(change, 0, kept ? steps : until[k], rounded(tensor.bytes() / extent * rows));
    }
  }

  /** Bytes that slices, pads and concatenations copy. */
  public long moved() {
    long moved = 0;
    for (int s = 0; s < steps; s++) {
      RunProgram.Step step = step(s);
      if (step.kind() != OpOrigin.Kind.PIECE && !idle[s]) {
        moved += value(step.writes()[0]).bytes();
      }
    }
    return moved;
  }
}
