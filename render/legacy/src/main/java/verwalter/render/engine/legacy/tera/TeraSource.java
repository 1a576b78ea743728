package verwalter.render.engine.legacy.tera;

import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;
import verwalter.render.RenderProblem;
import verwalter.render.engine.Nearest;

/** The text of one template and its file name. */
record TeraSource(String file, String text) {

  TemplateError error(int at, String message) {
    return new TemplateError(message, () -> problem(at, message, "", List.of()));
  }

  /** The error of an unknown name. */
  TemplateError unknown(int at, String message, String name, Collection<String> known) {
    return new TemplateError(message, () -> problem(at, message, name, known));
  }

  /** The error of a missing value, which some expressions allow. */
  TemplateError undefined(int at, String message, String name, Supplier<Collection<String>> known) {
    return new TemplateError.Undefined(message, () -> problem(at, message, name, known.get()));
  }

  /** Lines and columns count from 1; columns are code points. */
  private RenderProblem problem(int at, String message, String name, Collection<String> known) {
    var before = text.substring(0, Math.min(at, text.length()));
    int start = before.lastIndexOf('\n') + 1;
    int line = 1 + (int) before.chars().filter(letter -> letter == '\n').count();
    int column = 1 + before.codePointCount(start, before.length());
    return new RenderProblem(
        file, line, column, name.isEmpty() ? message : message + Nearest.hint(name, known));
  }
}
