package verwalter.render.engine.jinja;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import verwalter.render.engine.jinja.JinjaPlaces.Subject;
import verwalter.render.engine.jinja.JinjaPlaces.Subject.Kind;

/** The lookups that failed in the expression that is being evaluated. */
final class FailedLookups {
  private Deque<Lookup> failed = new ArrayDeque<>();

  /**
   * A lookup that failed. Most are allowed, so the similar names are only computed for the others.
   */
  record Lookup(String text, Subject subject, Supplier<Collection<String>> known) {}

  /** Records a lookup of something without a name. */
  void add(String text) {
    failed.addLast(new Lookup(text, Subject.TAG, List::of));
  }

  /** Records a key that was not found; the existing keys are determined later. */
  void addKey(String key, Supplier<Collection<String>> known) {
    add(Kind.PROPERTY, key, known);
  }

  /** Records a variable that was not found. */
  void addVariable(String name, Supplier<Collection<String>> known) {
    add(Kind.VARIABLE, name, known);
  }

  private void add(Kind kind, String name, Supplier<Collection<String>> known) {
    var text = "undefined variable `" + name + "`";
    failed.addLast(new Lookup(text, new Subject(kind, name), known));
  }

  /**
   * Marks the last failed lookup as handled by the template, by a default or a test.
   *
   * @return whether a lookup failed
   */
  boolean forgive() {
    return failed.pollLast() != null;
  }

  /** Whether a lookup of the current expression failed and was not forgiven. */
  boolean anyFailed() {
    return !failed.isEmpty();
  }

  /** The first failed lookup; all are forgotten. */
  Optional<Lookup> take() {
    var first = Optional.ofNullable(failed.peekFirst());
    failed.clear();
    return first;
  }

  /** Hides the failed lookups so far during one evaluation. */
  Deque<Lookup> begin() {
    var outer = failed;
    failed = new ArrayDeque<>();
    return outer;
  }

  /** Ends the evaluation that hid these. */
  void end(Deque<Lookup> outer) {
    failed = outer;
  }
}
