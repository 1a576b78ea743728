package verwalter.render.engine.legacy.tera;

import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;
import verwalter.render.RenderProblem;
import verwalter.render.engine.Nearest;

/** The text of one template, and where it comes from. */
record Source(String file, String text) {

  TemplateError error(int at, String message) {
    return new TemplateError(message, () -> problem(at, message, "", List.of()));
  }

  /** For a name that is none of those known. */
  TemplateError unknown(int at, String message, String name, Collection<String> known) {
    return new TemplateError(message, () -> problem(at, message, name, known));
  }

  /** For a value that is not there, which may be forgiven. */
  TemplateError undefined(int at, String message, String name, Supplier<Collection<String>> known) {
    return new TemplateError.Undefined(message, () -> problem(at, message, name, known.get()));
  }

  /** Lines and columns count from 1, columns in code points. */
  private RenderProblem problem(int at, String message, String name, Collection<String> known) {
    var before = text.substring(0, Math.min(at, text.length()));
    int start = before.lastIndexOf('\n') + 1;
    int line = 1 + (int) before.chars().filter(letter -> letter == '\n').count();
    int column = 1 + before.codePointCount(start, before.length());
    return new RenderProblem(
        file, line, column, name.isEmpty() ? message : message + Nearest.hint(name, known));
  }
}
