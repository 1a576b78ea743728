package verwalter.render.engine.legacy.tera;

import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;

/** The text of one template, and where it comes from. */
record Source(String file, String text) {

  Wrong wrong(int at, String text) {
    return new Wrong(text, () -> Mistake.at(this, at, text, "", List.of()));
  }

  /** For a name that is none of those known. */
  Wrong unknown(int at, String text, String name, Collection<String> known) {
    return new Wrong(text, () -> Mistake.at(this, at, text, name, known));
  }

  /** For a value that is not there, which may be forgiven. */
  Wrong undefined(int at, String text, String name, Supplier<Collection<String>> known) {
    return new Wrong.Undefined(text, () -> Mistake.at(this, at, text, name, known.get()));
  }
}
