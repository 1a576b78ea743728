package verwalter.render.engine.legacy.tera;

import java.util.List;

/** What one rendering has cost so far; ends it when that is too much. */
final class RenderBudget {
  /** Of nodes and expressions in one another, whatever calls lie between. */
  static final int NESTED = 400;

  /** Characters or items that cost as much as a node. */
  private static final int PER_STEP = 100;

  private final Bounds bounds;
  private long steps;
  private int nested;
  private int calls;

  RenderBudget(Bounds bounds) {
    this.bounds = bounds;
  }

  Bounds bounds() {
    return bounds;
  }

  void take(long taken) {
    steps += taken;
    if (steps > bounds.steps()) {
      throw new Exhausted("takes more than " + bounds.steps() + " steps to render");
    }
  }

  /** Pays for work on so many characters or items. */
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

  /** Pays for a text that is printed, or left out again. */
  void print(String text) {
    take(text.length() / PER_STEP);
  }

  /** Pays for a text of this length; called before it is built. */
  void text(long length) {
    fits(length);
    work(length);
  }

  /** Refuses a text that is growing too long; pays nothing. */
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

  /** Pays for a list or map of this size; called before it is built. */
  void list(long size) {
    if (size > bounds.collection()) {
      throw new Exhausted("a list or map has more than " + bounds.collection() + " items");
    }
    work(size);
  }

  /** Too much; nothing forgives it. */
  static final class Exhausted extends RuntimeException {
    private static final long serialVersionUID = 1;

    Exhausted(String text) {
      super(text, null, false, false);
    }
  }
}
