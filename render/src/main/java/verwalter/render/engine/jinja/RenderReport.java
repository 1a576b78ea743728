package verwalter.render.engine.jinja;

import com.hubspot.jinjava.JinjavaConfig;
import com.hubspot.jinjava.interpret.TemplateError;
import com.hubspot.jinjava.tree.Node;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import jinjava.de.odysseus.el.tree.TreeBuilderException;
import org.jspecify.annotations.Nullable;
import verwalter.render.RenderProblem;
import verwalter.render.engine.LimitedWriter;
import verwalter.render.engine.Nearest;
import verwalter.render.engine.TemplateDirectory;
import verwalter.render.engine.jinja.JinjaPlaces.Subject;

/** The problems of one rendering, with the positions of the tags and names that cause them. */
final class RenderReport {
  private static final int PROBLEMS = 50;

  /** The end of Java's default text of an object, which differs each time. */
  private static final Pattern OBJECT = Pattern.compile("@[0-9a-f]{1,8}\\b");

  /** The position that jinjava gives within an expression, whose origin is unknown. */
  private static final Pattern POSITION = Pattern.compile("(: syntax error) at position \\d+");

  private final TemplateDirectory directory;
  private final JinjavaConfig config;
  private final Set<RenderProblem> problems = new LinkedHashSet<>();
  private final Set<Reported> reported = new HashSet<>();
  private final Map<String, JinjaPlaces> places = new HashMap<>();
  private final Deque<Node> inside = new ArrayDeque<>();
  private boolean severalFiles;

  /** Where jinjava is, as far as it knows. */
  record Here(String file, int line) {}

  /** A failed lookup that was reported already, which other iterations need not report again. */
  private record Reported(String file, int line, int position, String text) {}

  RenderReport(TemplateDirectory directory, JinjavaConfig config) {
    this.directory = directory;
    this.config = config;
  }

  List<RenderProblem> problems() {
    return List.copyOf(problems);
  }

  /** The text of an included template. */
  Optional<String> included(String name) {
    var text = directory.file(name);
    severalFiles |= text.isPresent();
    return text;
  }

  /** A node is rendered from here on. */
  void enter(Node node) {
    inside.push(node);
  }

  /** The node is rendered that was entered last. */
  void leave() {
    inside.pop();
  }

  /** The innermost of the nodes being rendered. */
  @Nullable Node node() {
    return inside.peek();
  }

  /** A lookup that failed. */
  void fail(Here here, FailedLookups.Lookup lookup) {
    var node = node();
    int position = node == null ? 0 : node.getStartPosition();
    if (problems.size() < PROBLEMS
        && reported.add(new Reported(here.file(), here.line(), position, lookup.text()))) {
      var hint = Nearest.hint(lookup.subject().name(), lookup.known().get());
      fail(here, lookup.text() + hint, lookup.subject());
    }
  }

  /** A problem of the innermost node. */
  void failInside(Here here, String text, Subject subject) {
    var node = node();
    fail(node == null ? here : new Here(here.file(), node.getLineNumber()), text, subject);
  }

  /** A problem on a line. */
  void fail(Here here, String text, Subject subject) {
    var node = node();
    fail(
        here,
        node == null || node.getLineNumber() != here.line()
            ? Optional.empty()
            : places(here).flatMap(places -> places.of(node.getMaster(), subject)),
        text);
  }

  /** The template itself is not an inclusion. */
  void failToParse(String file, RuntimeException why) {
    var here = new Here(file, 0);
    var broken = places(here).flatMap(JinjaPlaces::broken);
    fail(here, broken, "cannot be parsed" + (broken.isPresent() ? "" : ": " + why.getMessage()));
  }

  /** An error of jinjava, of any severity. */
  void fail(Here here, TemplateError error) {
    int line = error.getLineno() > 0 ? error.getLineno() : here.line();
    var text = mistake(error).orElseGet(() -> text(error));
    fail(
        new Here(here.file(), line),
        place(here, error, line),
        POSITION.matcher(text).replaceFirst("$1"));
  }

  /**
   * The position of jinjava's error. The interpreter may have left the tag already, or be in a file
   * that jinjava does not name. After a macro, the line is that of the macro's end.
   */
  private Optional<JinjaPlaces.Position> place(Here here, TemplateError error, int line) {
    var node = node();
    if (node == null) {
      return severalFiles
          ? Optional.empty()
          : places(here).flatMap(places -> places.of(line, error.getStartPosition()));
    }
    if (node.getLineNumber() != line && here.line() != line) {
      return Optional.empty();
    }
    return places(here)
        .flatMap(
            places ->
                cause(error) instanceof TreeBuilderException syntax
                    ? places.of(node.getMaster(), syntax)
                    : places.of(node.getMaster(), Subject.TAG));
  }

  /** The message for the author of the template, if the error has one. */
  private static Optional<String> mistake(TemplateError error) {
    Throwable cause = error.getException();
    while (cause != null
        && !(cause instanceof JinjaError || cause instanceof LimitedWriter.TooLong)) {
      cause = cause.getCause();
    }
    return cause instanceof JinjaError mistake
        ? Optional.of(mistake.text())
        : Optional.ofNullable(cause).map(Throwable::getMessage);
  }

  private static String text(TemplateError error) {
    if (error.getReason() == TemplateError.ErrorReason.DISABLED) {
      var function = String.valueOf(error.getMessage()).replaceFirst("^':?([^']*)'.*", "$1");
      return "there is no function `" + function + "`";
    }
    var first = String.valueOf(error.getMessage()).lines().findFirst();
    return first.orElse("cannot be rendered").replaceFirst("^\\w+Exception: ", "");
  }

  private static @Nullable Throwable cause(TemplateError error) {
    return error.getException() == null ? null : error.getException().getCause();
  }

  private Optional<JinjaPlaces> places(Here here) {
    return directory
        .file(here.file())
        .map(text -> places.computeIfAbsent(here.file(), file -> new JinjaPlaces(text, config)));
  }

  private void fail(Here here, Optional<JinjaPlaces.Position> at, String text) {
    if (problems.size() < PROBLEMS) {
      var same = OBJECT.matcher(text).replaceAll("");
      problems.add(
          at.map(it -> new RenderProblem(here.file(), it.line(), it.column(), same))
              .orElseGet(() -> new RenderProblem(here.file(), Math.max(here.line(), 0), 0, same)));
    }
  }
}
