package verwalter.render.engine.jinja;

import com.hubspot.jinjava.Jinjava;
import com.hubspot.jinjava.JinjavaConfig;
import com.hubspot.jinjava.interpret.Context;
import com.hubspot.jinjava.interpret.InterpretException;
import com.hubspot.jinjava.interpret.InterpreterFactory;
import com.hubspot.jinjava.interpret.JinjavaInterpreter;
import com.hubspot.jinjava.interpret.TemplateError;
import com.hubspot.jinjava.lib.exptest.ExpTest;
import com.hubspot.jinjava.lib.filter.Filter;
import com.hubspot.jinjava.tree.Node;
import com.hubspot.jinjava.tree.TagNode;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import jinjava.de.odysseus.el.tree.TreeBuilderException;
import org.jspecify.annotations.Nullable;
import verwalter.render.RenderProblem;
import verwalter.render.engine.Limits;
import verwalter.render.engine.Nearest;
import verwalter.render.engine.TemplateDirectory;
import verwalter.render.engine.jinja.JinjaPlaces.Subject;
import verwalter.render.engine.jinja.JinjaPlaces.Subject.Kind;

/**
 * One rendering of one template: jinjava's interpreter with a budget and a record of undefined
 * names.
 */
final class StrictInterpreter extends JinjavaInterpreter {
  private static final int PROBLEMS = 50;
  private static final Set<String> SETTING = Set.of("set", "do", "macro");

  /** The end of Java's default text of an object, which differs each time. */
  private static final Pattern OBJECT = Pattern.compile("@[0-9a-f]{1,8}\\b");

  /** The position that jinjava gives within an expression, whose origin is unknown. */
  private static final Pattern POSITION = Pattern.compile("(: syntax error) at position \\d+");

  private final Watch watch;

  /** State that an interpreter shares with those for its macros and inclusions. */
  static final class Watch {
    private final TemplateDirectory directory;
    private final String template;
    private final Limits limits;
    private final Set<RenderProblem> problems = new LinkedHashSet<>();
    private final Set<Reported> reported = new HashSet<>();
    private final Map<String, JinjaPlaces> places = new HashMap<>();

    /** The names being rendered, the innermost first. */
    private final Deque<Node> inside = new ArrayDeque<>();

    private Deque<Miss> misses = new ArrayDeque<>();
    private final Deque<Deque<Miss>> suspended = new ArrayDeque<>();
    private long steps;
    private boolean exhausted;
    private boolean severalFiles;

    Watch(TemplateDirectory directory, String template, Limits limits) {
      this.directory = directory;
      this.template = template;
      this.limits = limits;
    }
  }

  /**
   * A lookup that failed. Most are allowed, so the similar names are only computed for the others.
   */
  record Miss(String text, Subject subject, Supplier<Collection<String>> known) {}

  /** A failed lookup that was reported already, which other iterations need not report again. */
  private record Reported(String file, int line, int position, String text) {}

  StrictInterpreter(Jinjava jinjava, Context context, JinjavaConfig config, Watch watch) {
    super(jinjava, context, config);
    this.watch = watch;
  }

  private StrictInterpreter(StrictInterpreter parent) {
    super(parent);
    this.watch = parent.watch;
  }

  static StrictInterpreter of(JinjavaInterpreter interpreter) {
    return (StrictInterpreter) interpreter;
  }

  TemplateDirectory directory() {
    return watch.directory;
  }

  /** The text of an included template. */
  Optional<String> included(String name) {
    var text = watch.directory.file(name);
    watch.severalFiles |= text.isPresent();
    return text;
  }

  List<RenderProblem> problems() {
    return List.copyOf(watch.problems);
  }

  /**
   * Counts a node weighted by its depth, since looking up names costs that much; a node that sets
   * variables starts without failed lookups.
   */
  void entering(Node node) {
    take(getScopeDepth(), node.getLineNumber());
    watch.inside.push(node);
    if (isSet(node)) {
      watch.suspended.push(startEvaluation());
    }
  }

  /** The number of steps so far. */
  long steps() {
    return watch.steps;
  }

  /** Counts steps, and ends the rendering when there are too many. */
  void take(int steps, int line) {
    watch.steps += steps;
    if (watch.steps > watch.limits.steps()) {
      if (!watch.exhausted) {
        watch.exhausted = true;
        fail(line, "takes more than " + watch.limits.steps() + " steps to render");
      }
      throw new InterpretException("out of steps");
    }
  }

  void leaving(Node node) {
    if (isSet(node)) {
      failOnMiss(node.getLineNumber());
      endEvaluation(watch.suspended.pop());
    }
    watch.inside.pop();
  }

  /** Evaluates the condition of the current tag, or of an {@code elif} in it. */
  @Override
  public @Nullable Object resolveELExpression(String expression, int line, int position) {
    var branch = branch(line, position);
    branch.ifPresent(watch.inside::push);
    try {
      return super.resolveELExpression(expression, line, position);
    } finally {
      branch.ifPresent(node -> watch.inside.pop());
    }
  }

  private Optional<Node> branch(int line, int position) {
    var tag = watch.inside.peek();
    return tag == null || isAt(tag, line, position)
        ? Optional.empty()
        : tag.getChildren().stream()
            .filter(node -> node instanceof TagNode && isAt(node, line, position))
            .findFirst();
  }

  private static boolean isAt(Node node, int line, int position) {
    return node.getLineNumber() == line && node.getStartPosition() == position;
  }

  /** Whether the tag evaluates an expression without printing it, deciding or looping by it. */
  private static boolean isSet(Node node) {
    return node instanceof TagNode tag && SETTING.contains(tag.getName());
  }

  /** Counts work on a value by its size. */
  void payFor(@Nullable Object value) {
    int size =
        value instanceof Collection<?> list
            ? list.size()
            : value instanceof String text ? text.length() / 100 : 1;
    take(size + 1, getLineNumber());
  }

  @Override
  public String getAsString(@Nullable Object value) {
    return Python.text(value, watch.limits.output());
  }

  /** Records a top-level name without a value in any scope, unless a scope has null for it. */
  @Nullable Object unknown(String name) {
    var innermost = getContext();
    for (Context scope = innermost; scope != null; scope = scope.getParent()) {
      if (scope.getScope().containsKey(name)) {
        return null;
      }
    }
    missed(Kind.VARIABLE, name, () -> names(innermost));
    return null;
  }

  private static Collection<String> names(Context innermost) {
    var names = new TreeSet<String>();
    for (Context scope = innermost; scope != null; scope = scope.getParent()) {
      names.addAll(scope.getScope().keySet());
    }
    return names;
  }

  /** Records a key that was not found; the existing keys are determined later. */
  void missed(String key, Supplier<Collection<String>> known) {
    missed(Kind.PROPERTY, key, known);
  }

  private void missed(Kind kind, String name, Supplier<Collection<String>> known) {
    var text = "undefined variable `" + name + "`";
    watch.misses.addLast(new Miss(text, new Subject(kind, name), known));
  }

  void missed(String text) {
    watch.misses.addLast(new Miss(text, Subject.TAG, List::of));
  }

  /**
   * Marks the last failed lookup as handled by the template, by a default or a test.
   *
   * @return whether a lookup failed
   */
  boolean forgive() {
    return watch.misses.pollLast() != null;
  }

  /** Hides the failed lookups so far during one evaluation. */
  Deque<Miss> startEvaluation() {
    var outer = watch.misses;
    watch.misses = new ArrayDeque<>();
    return outer;
  }

  void endEvaluation(Deque<Miss> outer) {
    watch.misses = outer;
  }

  boolean failOnMiss(int line) {
    var miss = watch.misses.peekFirst();
    if (miss != null) {
      tell(line, miss);
      watch.misses.clear();
    }
    return miss != null;
  }

  private void tell(int line, Miss miss) {
    var node = watch.inside.peek();
    int position = node == null ? 0 : node.getStartPosition();
    if (watch.problems.size() < PROBLEMS
        && watch.reported.add(new Reported(currentFile(), line, position, miss.text()))) {
      var hint = Nearest.hint(miss.subject().name(), miss.known().get());
      fail(line, miss.text() + hint, miss.subject());
    }
  }

  void fail(int line, String text) {
    fail(line, text, Subject.TAG);
  }

  void fail(String text) {
    fail(text, Subject.TAG);
  }

  private void fail(String text, Subject subject) {
    var node = watch.inside.peek();
    fail(node == null ? getLineNumber() : node.getLineNumber(), text, subject);
  }

  private void fail(int line, String text, Subject subject) {
    var node = watch.inside.peek();
    fail(
        line,
        node == null || node.getLineNumber() != line
            ? Optional.empty()
            : places().flatMap(places -> places.of(node.getMaster(), subject)),
        text);
  }

  private void fail(int line, Optional<JinjaPlaces.Position> at, String text) {
    if (watch.problems.size() < PROBLEMS) {
      var same = OBJECT.matcher(text).replaceAll("");
      watch.problems.add(
          at.map(it -> new RenderProblem(currentFile(), it.line(), it.column(), same))
              .orElseGet(() -> new RenderProblem(currentFile(), Math.max(line, 0), 0, same)));
    }
  }

  /** The template itself is not an inclusion. */
  void failToParse(RuntimeException why) {
    var broken = places().flatMap(JinjaPlaces::broken);
    fail(0, broken, "cannot be parsed" + (broken.isPresent() ? "" : ": " + why.getMessage()));
  }

  private Optional<JinjaPlaces> places() {
    return watch
        .directory
        .file(currentFile())
        .map(
            text ->
                watch.places.computeIfAbsent(
                    currentFile(), file -> new JinjaPlaces(text, getConfig())));
  }

  /**
   * Converts jinjava's errors of all severities into problems. Each costs as much as a large loop,
   * so that a template with endless errors terminates.
   */
  @Override
  public void addError(@Nullable TemplateError error) {
    if (error != null) {
      fail(error);
      take(watch.limits.steps() / 1000, getLineNumber());
    }
  }

  void fail(TemplateError error) {
    if (!watch.exhausted) {
      int line = error.getLineno() > 0 ? error.getLineno() : getLineNumber();
      var first = String.valueOf(error.getMessage()).lines().findFirst();
      var text = first.orElse("cannot be rendered").replaceFirst("^\\w+Exception: ", "");
      fail(line, place(error, line), POSITION.matcher(text).replaceFirst("$1"));
    }
  }

  /**
   * The position of jinjava's error. The interpreter may have left the tag already, or be in a file
   * that jinjava does not name. After a macro, the line is that of the macro's end.
   */
  private Optional<JinjaPlaces.Position> place(TemplateError error, int line) {
    var node = watch.inside.peek();
    if (node == null) {
      return watch.severalFiles
          ? Optional.empty()
          : places().flatMap(places -> places.of(line, error.getStartPosition()));
    }
    if (node.getLineNumber() != line && getLineNumber() != line) {
      return Optional.empty();
    }
    return places()
        .flatMap(
            places ->
                cause(error) instanceof TreeBuilderException syntax
                    ? places.of(node.getMaster(), syntax)
                    : places.of(node.getMaster(), Subject.TAG));
  }

  private static @Nullable Throwable cause(TemplateError error) {
    return error.getException() == null ? null : error.getException().getCause();
  }

  private String currentFile() {
    return getContext().getCurrentPathStack().peek().orElse(watch.template);
  }

  /** The outermost scope; reports an unknown filter or test. */
  static final class Root extends Context {
    Root(Context global, Map<String, Object> variables, Map<Library, Set<String>> disabled) {
      super(global, variables, disabled);
    }

    @Override
    public @Nullable Filter getFilter(String name) {
      var filter = super.getFilter(name);
      if (filter == null) {
        unknown(Kind.FILTER, name, getAllFilters().stream().map(Filter::getName).toList());
      }
      return filter;
    }

    @Override
    public @Nullable ExpTest getExpTest(String name) {
      var test = super.getExpTest(name);
      if (test == null) {
        unknown(Kind.TEST, name, getAllExpTests().stream().map(ExpTest::getName).toList());
      }
      return test;
    }

    private static void unknown(Kind what, String name, Collection<String> known) {
      of(JinjavaInterpreter.getCurrent())
          .fail(
              "there is no "
                  + what.toString().toLowerCase(Locale.ROOT)
                  + " `"
                  + name
                  + "`"
                  + Nearest.hint(name, known),
              new Subject(what, name));
    }
  }

  /** Shares the state when jinjava creates another interpreter. */
  static final class Factory implements InterpreterFactory {
    @Override
    public JinjavaInterpreter newInstance(JinjavaInterpreter parent) {
      return new StrictInterpreter(of(parent));
    }

    @Override
    public JinjavaInterpreter newInstance(Jinjava jinjava, Context context, JinjavaConfig config) {
      return new StrictInterpreter(
          jinjava, context, config, of(JinjavaInterpreter.getCurrent()).watch);
    }
  }
}
