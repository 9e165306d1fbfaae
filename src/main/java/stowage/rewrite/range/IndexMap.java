package stowage.rewrite.range;

/**
 * What of an operand's axis an op needs for a range of its result's axis, exactly.
 *
 * <p>With kernel k, stride s, dilation d, K = (k - 1) d + 1 and p before, results [a, b) of a
 * window need [a s - p, (b - 1) s - p + K), clipped to the operand; what was clipped is the piece's
 * own padding.
 */
public sealed interface IndexMap {

  /**
   * The part of the op that computes a range of its result.
   *
   * @param need indices of the result, within its extent
   * @param in the operand's extent
   * @param out the result's extent
   * @return null where the op cannot run on a piece for this range alone
   */
  Part part(Span need, long in, long out);

  /** Each index needs the same index. */
  record Same() implements IndexMap {
    @Override
    public Part part(Span need, long in, long out) {
      return need.end() <= in ? Part.plain(need, need) : null;
    }
  }

  /**
   * A window with padding of its own for each piece: convolutions, pools, and with one tap an op
   * that adds margins.
   *
   * @param reach from the first to the last tap, K
   * @param stride from window to window
   * @param before padding in front of the operand
   */
  record Window(long reach, long stride, long before) implements IndexMap {
    /** The same window with TFLite's padding SAME. */
    public SameWindow same() {
      return new SameWindow(reach, stride, before);
    }

    @Override
    public Part part(Span need, long in, long out) {
      long low = need.begin() * stride - before;
      long high = (need.end() - 1) * stride - before + reach;
      long begin = Math.max(0, low);
      long end = Math.min(in, high);
      return end <= begin
          ? null
          : new Part(new Span(begin, end), need, begin - low, Math.max(0, high - in));
    }
  }

  /**
   * A window with TFLite's padding SAME, which every piece works out from the rows it is fed: more
   * rows are fed where that brings the windows to their places, and wrong results are cropped.
   *
   * @param reach from the first to the last tap
   * @param stride from window to window
   * @param before padding in front of the whole operand
   */
  record SameWindow(long reach, long stride, long before) implements IndexMap {
    @Override
    public Part part(Span need, long in, long out) {
      Part least = new Window(reach, stride, before).part(need, in, out);
      if (least == null) {
        return null;
      }
      Part best = null;
      long margin = 2 * stride + 1;
      for (long low = least.fed().begin();
          low >= Math.max(0, least.fed().begin() - margin);
          low--) {
        for (long high = least.fed().end();
            high <= Math.min(in, least.fed().end() + margin);
            high++) {
          Part part = fed(low, high);
          if (part != null
              && part.computed().begin() <= need.begin()
              && part.computed().end() >= need.end()
              && (best == null || isLess(part, best))) {
            best = part;
          }
        }
      }
      return best;
    }

    private static boolean isLess(Part part, Part best) {
      long more = part.computed().size() - best.computed().size();
      return more < 0 || more == 0 && part.fed().size() < best.fed().size();
    }

    /** What some rows alone give; null where their windows are not those of the whole. */
    private Part fed(long low, long high) {
      long rows = (high - low + stride - 1) / stride;
      long own = Math.max((rows - 1) * stride + reach - (high - low), 0) / 2;
      long first = low + before - own;
      if (Math.floorMod(first, stride) != 0) {
        return null;
      }
      long begin = Math.floorDiv(first, stride);
      return Part.plain(new Span(low, high), new Span(begin, begin + rows));
    }
  }

  /**
   * A transposed convolution.
   *
   * @param reach from the first to the last tap
   * @param stride results from one index of the operand to the next
   * @param before results cut off in front
   * @param cuts whether a piece can cut off results in front as well; else it computes them
   */
  record Transposed(long reach, long stride, long before, boolean cuts) implements IndexMap {
    @Override
    public Part part(Span need, long in, long out) {
      long begin = Math.max(0, -Math.floorDiv(reach - 1 - need.begin() - before, stride));
      long end = Math.min(in, Math.floorDiv(need.end() - 1 + before, stride) + 1);
      begin = Math.min(begin, in - 1);
      while (begin > 0 && begin * stride - before > need.begin()) {
        begin--;
      }
      return fed(new Span(begin, Math.max(end, begin + 1)), need);
    }

    /** The part that reads these indices of the operand, of which results may need none. */
    public Part fed(Span fed, Span need) {
      long first = fed.begin() * stride - before;
      long after = (fed.end() - 1) * stride + reach - before - need.end();
      return cuts
          ? new Part(fed, need, need.begin() - first, after)
          : new Part(fed, new Span(first, need.end()), 0, after);
    }
  }

  /** Each index of the operand gives {@code factor} results one after the other. */
  record Repeated(long factor) implements IndexMap {
    @Override
    public Part part(Span need, long in, long out) {
      Span fed = new Span(need.begin() / factor, (need.end() - 1) / factor + 1);
      return Part.plain(fed, new Span(fed.begin() * factor, fed.end() * factor));
    }
  }

  /** Each result takes {@code factor} indices of the operand one after the other. */
  record Gathered(long factor) implements IndexMap {
    @Override
    public Part part(Span need, long in, long out) {
      return Part.plain(new Span(need.begin() * factor, need.end() * factor), need);
    }
  }
}
