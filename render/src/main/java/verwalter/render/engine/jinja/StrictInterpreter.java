package verwalter.render.engine.jinja;

import com.hubspot.jinjava.Jinjava;
import com.hubspot.jinjava.JinjavaConfig;
import com.hubspot.jinjava.interpret.Context;
import com.hubspot.jinjava.interpret.InterpretException;
import com.hubspot.jinjava.interpret.InterpreterFactory;
import com.hubspot.jinjava.interpret.JinjavaInterpreter;
import com.hubspot.jinjava.interpret.TemplateError;
import com.hubspot.jinjava.tree.Node;
import com.hubspot.jinjava.tree.TagNode;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import verwalter.render.RenderProblem;
import verwalter.render.engine.LimitedWriter;
import verwalter.render.engine.Limits;
import verwalter.render.engine.TemplateDirectory;
import verwalter.render.engine.jinja.JinjaPlaces.Subject;

/**
 * One rendering of one template: jinjava's interpreter with a budget and a record of undefined
 * names. Jinjava makes one interpreter for each macro and inclusion; all share their {@link Run}.
 */
final class StrictInterpreter extends JinjavaInterpreter {
  private static final Set<String> SETTING = Set.of("set", "do", "macro");

  private final Run run;

  /** State that an interpreter shares with those for its macros and inclusions. */
  private static final class Run {
    private final TemplateDirectory directory;
    private final String template;
    private final Limits limits;
    private final RenderReport report;
    private final FailedLookups lookups = new FailedLookups();
    private final Deque<Deque<FailedLookups.Lookup>> suspended = new ArrayDeque<>();
    private long steps;
    private boolean exhausted;

    Run(TemplateDirectory directory, String template, Limits limits, JinjavaConfig config) {
      this.directory = directory;
      this.template = template;
      this.limits = limits;
      this.report = new RenderReport(directory, config);
    }
  }

  /** The interpreter of a template that is no inclusion. */
  StrictInterpreter(
      Jinjava jinjava,
      Context context,
      TemplateDirectory directory,
      String template,
      Limits limits) {
    this(
        jinjava,
        context,
        jinjava.getGlobalConfig(),
        new Run(directory, template, limits, jinjava.getGlobalConfig()));
  }

  private StrictInterpreter(Jinjava jinjava, Context context, JinjavaConfig config, Run run) {
    super(jinjava, context, config);
    this.run = run;
  }

  private StrictInterpreter(StrictInterpreter parent) {
    super(parent);
    this.run = parent.run;
  }

  static StrictInterpreter of(JinjavaInterpreter interpreter) {
    return (StrictInterpreter) interpreter;
  }

  TemplateDirectory directory() {
    return run.directory;
  }

  /** The text of an included template. */
  Optional<String> included(String name) {
    return run.report.included(name);
  }

  List<RenderProblem> problems() {
    return run.report.problems();
  }

  /** The lookups that failed in the current expression. */
  FailedLookups lookups() {
    return run.lookups;
  }

  /**
   * Counts a node weighted by its depth, since looking up names costs that much; a node that sets
   * variables starts without failed lookups.
   */
  void entering(Node node) {
    take(getScopeDepth(), node.getLineNumber());
    run.report.enter(node);
    if (isSet(node)) {
      run.suspended.push(run.lookups.begin());
    }
  }

  /** The number of steps so far. */
  long steps() {
    return run.steps;
  }

  /** Counts steps, and ends the rendering when there are too many. */
  void take(int steps, int line) {
    run.steps += steps;
    if (run.steps > run.limits.steps()) {
      if (!run.exhausted) {
        run.exhausted = true;
        fail(line, "takes more than " + run.limits.steps() + " steps to render");
      }
      throw new InterpretException("out of steps");
    }
  }

  void leaving(Node node) {
    if (isSet(node)) {
      failOnMiss(node.getLineNumber());
      run.lookups.end(run.suspended.pop());
    }
    run.report.leave();
  }

  /** Evaluates the condition of the current tag, or of an {@code elif} in it. */
  @Override
  public @Nullable Object resolveELExpression(String expression, int line, int position) {
    var branch = branch(line, position);
    branch.ifPresent(run.report::enter);
    try {
      return super.resolveELExpression(expression, line, position);
    } finally {
      branch.ifPresent(node -> run.report.leave());
    }
  }

  private Optional<Node> branch(int line, int position) {
    var tag = run.report.node();
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

  /** The limit of a text that an expression builds, in characters. */
  int textLimit() {
    return run.limits.text();
  }

  /** The limit of items of a list or map. */
  int itemLimit() {
    return run.limits.collection();
  }

  /** Counts the work of building a text. Call it before the text is built. */
  void payForText(long length) {
    if (length > textLimit()) {
      throw new LimitedWriter.TooLong(textLimit());
    }
    take((int) (length / 100) + 1, getLineNumber());
  }

  /** Counts the work of building a list or map. Call it before it is built. */
  void payForItems(long count) {
    checkItems(count);
    take((int) count + 1, getLineNumber());
  }

  /** Refuses a list or map of more items than allowed. */
  void checkItems(long count) {
    if (count > itemLimit()) {
      throw new JinjaError("builds a list or map of more than " + itemLimit() + " items");
    }
  }

  /** Counts the work of searching a text of a length in another. Call it before the search. */
  void payForSearch(int whole, int part) {
    long steps = (whole / 100 + 1L) * (part / 100 + 1L);
    take((int) Math.min(steps, Integer.MAX_VALUE), getLineNumber());
  }

  /** Counts a comparison of two values, which reads at most so many characters. */
  void payForComparison(int length) {
    take(length / 100 + 1, getLineNumber());
  }

  /** Compares values; each item of lists and maps is a step. */
  PythonCompare compare() {
    return new PythonCompare(this);
  }

  @Override
  public Object resolveProperty(Object object, String name) {
    JinjaNames.refuseInternalKey(name);
    return super.resolveProperty(object, name);
  }

  @Override
  public Object resolveProperty(Object object, List<String> names) {
    names.forEach(JinjaNames::refuseInternalKey);
    return super.resolveProperty(object, names);
  }

  @Override
  public String getAsString(@Nullable Object value) {
    return Python.text(value, run.limits.output());
  }

  /** Records a top-level name without a value in any scope, unless a scope has null for it. */
  @Nullable Object unknown(String name) {
    var innermost = getContext();
    for (Context scope = innermost; scope != null; scope = scope.getParent()) {
      if (scope.getScope().containsKey(name)) {
        return null;
      }
    }
    run.lookups.addVariable(name, () -> names(innermost));
    return null;
  }

  private static Collection<String> names(Context innermost) {
    var names = new TreeSet<String>();
    for (Context scope = innermost; scope != null; scope = scope.getParent()) {
      names.addAll(scope.getScope().keySet());
    }
    return names;
  }

  /**
   * Reports the first lookup that failed in the current expression and was not forgiven.
   *
   * @return whether there is one
   */
  boolean failOnMiss(int line) {
    var miss = run.lookups.take();
    miss.ifPresent(lookup -> run.report.fail(here(line), lookup));
    return miss.isPresent();
  }

  private RenderReport.Here here(int line) {
    return new RenderReport.Here(
        getContext().getCurrentPathStack().peek().orElse(run.template), line);
  }

  void fail(int line, String text) {
    run.report.fail(here(line), text, Subject.TAG);
  }

  void fail(String text) {
    fail(text, Subject.TAG);
  }

  void fail(String text, Subject subject) {
    run.report.failInside(here(getLineNumber()), text, subject);
  }

  /** The template itself is not an inclusion. */
  void failToParse(RuntimeException why) {
    run.report.failToParse(here(0).file(), why);
  }

  /**
   * Converts jinjava's errors of all severities into problems. Each costs as much as a large loop,
   * so that a template with endless errors terminates.
   */
  @Override
  public void addError(@Nullable TemplateError error) {
    if (error != null && !isEarlyWarning(error)) {
      fail(error);
      take(run.limits.steps() / 1000, getLineNumber());
    }
  }

  /** Jinjava warns of lists and maps that have nine tenths of the items that are allowed. */
  private static boolean isEarlyWarning(TemplateError error) {
    return error.getReason() == TemplateError.ErrorReason.COLLECTION_TOO_BIG
        && error.getSeverity() == TemplateError.ErrorType.WARNING;
  }

  void fail(TemplateError error) {
    if (!run.exhausted) {
      run.report.fail(here(getLineNumber()), error);
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
          jinjava, context, config, of(JinjavaInterpreter.getCurrent()).run);
    }
  }
}
