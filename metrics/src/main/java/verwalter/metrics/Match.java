package verwalter.metrics;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Selects the series of a rule. A missing label makes each condition false, except {@link Not}. */
sealed interface Match {
  boolean test(Labels key);

  /** The label has that value. */
  record Eq(String label, String value) implements Match {
    @Override
    public boolean test(Labels key) {
      return value.equals(key.get(label));
    }
  }

  /** The label is there and has another value. */
  record NotEq(String label, String value) implements Match {
    @Override
    public boolean test(Labels key) {
      var found = key.get(label);
      return found != null && !found.equals(value);
    }
  }

  /** The pattern is found somewhere in the label's value. */
  record Like(String label, Pattern pattern) implements Match {
    @Override
    public boolean test(Labels key) {
      var found = key.get(label);
      return found != null && matcher(found).find();
    }

    private Matcher matcher(String text) {
      return pattern.matcher(new Bounded(text, new int[] {Bounded.MOST_READS}));
    }
  }

  /** The label is there. */
  record Has(String label) implements Match {
    @Override
    public boolean test(Labels key) {
      return key.get(label) != null;
    }
  }

  /** The other one is false. */
  record Not(Match other) implements Match {
    @Override
    public boolean test(Labels key) {
      return !other.test(key);
    }
  }

  /** All are true. */
  record All(List<Match> parts) implements Match {
    public All {
      parts = List.copyOf(parts);
    }

    @Override
    public boolean test(Labels key) {
      return parts.stream().allMatch(each -> each.test(key));
    }
  }

  /** At least one is true. */
  record Any(List<Match> parts) implements Match {
    public Any {
      parts = List.copyOf(parts);
    }

    @Override
    public boolean test(Labels key) {
      return parts.stream().anyMatch(each -> each.test(key));
    }
  }

  /** A pattern took too many steps. */
  final class TooSlow extends RuntimeException {
    private static final long serialVersionUID = 1;

    TooSlow() {
      super("its pattern takes too long; write one that goes back less", null, false, false);
    }
  }

  /** A text with a limited number of reads, which bounds the time of a pattern. */
  @SuppressWarnings("ArrayRecordComponent") // nobody compares them
  record Bounded(CharSequence text, int[] left) implements CharSequence {
    private static final int MOST_READS = 20_000;

    @Override
    public int length() {
      return text.length();
    }

    @Override
    public char charAt(int index) {
      if (--left[0] < 0) {
        throw new TooSlow();
      }
      return text.charAt(index);
    }

    @Override
    public CharSequence subSequence(int start, int end) {
      return new Bounded(text.subSequence(start, end), left);
    }

    @Override
    public String toString() {
      return text.toString();
    }
  }
}
