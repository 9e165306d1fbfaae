package stowage.onchip.layer;

/**
 * How the slice of an op's result along one axis asks for a slice of an operand along that axis.
 *
 * <p>The formulas are those of TPU-MLIR's BackwardN, BackwardD, BackwardH and BackwardW
 * (lib/Dialect/Tpu/Interfaces); o and s are the begin and size of the result's slice, i and t those
 * of the operand's. They are wider than the exact ranges of {@link stowage.rewrite.range.IndexMap}:
 * a convolution reaches its stride at least, the last slice takes all that is left, and a part that
 * is taken counts from the operand's begin.
 */
public sealed interface AxisRule {
  /** The slice, not empty, of the operand that one of the result needs; null if it cannot be. */
  Slice operand(Slice out, long outExtent, long inExtent);

  /** See {@link Simple#SAME}. */
  AxisRule SAME = Simple.SAME;

  /** See {@link Simple#WHOLE}. */
  AxisRule WHOLE = Simple.WHOLE;

  /** See {@link Simple#UNCUT}. */
  AxisRule UNCUT = Simple.UNCUT;

  /** Rules without parameters. */
  enum Simple implements AxisRule {
    /** Each index needs the same index; an operand of extent 1 is broadcast and stays whole. */
    SAME,
    /** Every slice needs the whole operand, which therefore can stay. */
    WHOLE,
    /** The op needs its whole extent at once. */
    UNCUT;

    @Override
    public Slice operand(Slice out, long outExtent, long inExtent) {
      return switch (this) {
        case SAME ->
            inExtent == 1 && outExtent != 1 ? Slice.whole(1) : out.end() <= inExtent ? out : null;
        case WHOLE -> Slice.whole(inExtent);
        case UNCUT -> out.equals(Slice.whole(outExtent)) ? Slice.whole(inExtent) : null;
      };
    }
  }

  /**
   * A window that slides: convolutions and pools.
   *
   * @param reach what one result sees: (kernel - 1) * dilation + 1, for a convolution at least the
   *     stride
   * @param stride indices from one result to the next
   * @param pad zeros before the operand
   */
  record Window(long reach, long stride, long pad) implements AxisRule {
    @Override
    public Slice operand(Slice out, long outExtent, long inExtent) {
      return fixed(
          out.begin() * stride - pad, (out.size() - 1) * stride + reach, out, outExtent, inExtent);
    }
  }

  /**
   * A transposed convolution: {@code reach} is {@code (kernel - 1) * dilation + 1}, {@code stride}
   * results from one operand index to the next, {@code pad} results cut off in front.
   */
  record Transposed(long reach, long stride, long pad) implements AxisRule {
    @Override
    public Slice operand(Slice out, long outExtent, long inExtent) {
      long before = reach - pad - 1;
      long last = out.end() + reach - 2;
      long i = out.begin() <= before ? 0 : LaneSize.ceilDiv(out.begin() - before, stride);
      long j = last <= before ? 0 : Math.floorDiv(last - before, stride);
      i = Math.min(inExtent - 1, i);
      j = Math.min(inExtent - 1, j);
      return j < i ? null : fixed(i, j - i + 1, out, outExtent, inExtent);
    }
  }

  /**
   * Each operand index gives {@code factor} results.
   *
   * @param factor how many, 1 or more
   * @param anyCut whether results may be cut inside the copies of one index
   */
  record Repeated(long factor, boolean anyCut) implements AxisRule {
    @Override
    public Slice operand(Slice out, long outExtent, long inExtent) {
      if (anyCut) {
        long i = out.begin() / factor;
        return new Slice(i, (out.end() - 1) / factor - i + 1);
      }
      return out.begin() % factor == 0 && out.size() % factor == 0
          ? new Slice(out.begin() / factor, out.size() / factor)
          : null;
    }
  }

  /** Indices are added to the operand: {@code before} in front of it, {@code after} after it. */
  record Padded(long before, long after) implements AxisRule {
    @Override
    public Slice operand(Slice out, long outExtent, long inExtent) {
      boolean first = out.begin() == 0;
      boolean last = out.end() == outExtent;
      long i = first ? 0 : out.begin() - before;
      long t = out.size() - (first ? before : 0) - (last ? after : 0);
      return t <= 0 || i < 0 || i + t > inExtent ? null : new Slice(i, t);
    }
  }

  /**
   * A part of the operand is taken: every {@code step}th index from {@code offset} on. The slices
   * start where they would without an offset and reach far enough to hold it, as TPU-MLIR has it.
   */
  record Taken(long offset, long step) implements AxisRule {
    @Override
    public Slice operand(Slice out, long outExtent, long inExtent) {
      return fixed(out.begin() * step, out.size() * step + offset, out, outExtent, inExtent);
    }
  }

  /** Cuts a slice to the operand; the last slice of the result takes all that is left. */
  private static Slice fixed(long i, long t, Slice out, long outExtent, long inExtent) {
    long end = i + t;
    long begin = Math.max(i, 0);
    if (end > inExtent || out.end() == outExtent) {
      end = inExtent;
    }
    return end <= begin ? null : new Slice(begin, end - begin);
  }
}
