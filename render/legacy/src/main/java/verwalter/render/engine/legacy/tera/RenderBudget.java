package verwalter.render.engine.legacy.tera;

import java.util.List;

/** Counts the cost of one rendering, and ends it when a limit is exceeded. */
final class RenderBudget {
  /** The maximum depth of nodes and expressions within each other, across calls. */
  static final int NESTED = 400;

  /** The number of characters or items that cost as much as one node. */
  private static final int PER_STEP = 100;

  private final TeraBounds bounds;
  private long steps;
  private int nested;
  private int calls;

  RenderBudget(TeraBounds bounds) {
    this.bounds = bounds;
  }

  TeraBounds bounds() {
    return bounds;
  }

  void take(long taken) {
    steps += taken;
    if (steps > bounds.steps()) {
      throw new Exhausted("takes more than " + bounds.steps() + " steps to render");
    }
  }

  /** Consumes budget for work on this many characters or items. */
  void work(long size) {
    take(1 + size / PER_STEP);
  }

  void enter() {
    take(1);
    if (++nested > NESTED) {
      throw new Exhausted("is nested too deeply");
    }
  }

  void leave() {
    nested--;
  }

  void call() {
    if (++calls > bounds.depth()) {
      throw new Exhausted(
          "more than " + bounds.depth() + " inclusions, macros and blocks in one another");
    }
  }

  void back() {
    calls--;
  }

  /** Consumes budget for text that is printed or dropped. */
  void print(String text) {
    take(text.length() / PER_STEP);
  }

  /** Consumes budget for a text of this length. Call it before the text is built. */
  void text(long length) {
    fits(length);
    work(length);
  }

  /** Refuses a growing text over the limit; consumes no budget. */
  void fits(long length) {
    if (length > bounds.text()) {
      throw new Exhausted("builds a text of more than " + bounds.text() + " characters");
    }
  }

  String paid(String text) {
    text(text.length());
    return text;
  }

  <T> List<T> paid(List<T> list) {
    list(list.size());
    return list;
  }

  /** Consumes budget for a list or map of this size. Call it before it is built. */
  void list(long size) {
    if (size > bounds.collection()) {
      throw new Exhausted("a list or map has more than " + bounds.collection() + " items");
    }
    work(size);
  }

  /** A limit was exceeded. Nothing catches this error and continues. */
  static final class Exhausted extends RuntimeException {
    private static final long serialVersionUID = 1;

    Exhausted(String text) {
      super(text, null, false, false);
    }
  }
}
