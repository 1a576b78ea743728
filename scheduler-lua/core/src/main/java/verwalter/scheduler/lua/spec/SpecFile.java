package verwalter.scheduler.lua.spec;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import verwalter.model.Scheduler.Decision;
import verwalter.model.Scheduler.Failed;
import verwalter.scheduler.lua.Budget;
import verwalter.scheduler.lua.Code;
import verwalter.scheduler.lua.LuaScheduler;
import verwalter.scheduler.lua.ProgramThreads;
import verwalter.scheduler.lua.vm.VmEngine;

/**
 * A parsed spec file with globals of its own. Its specs run one at a time, each with the full
 * budget of a scheduler's run.
 */
public final class SpecFile implements AutoCloseable {
  private static final String START = "return require 'verwalter/spec/program'";

  private final String path;
  private final LuaScheduler program;
  private final List<Spec> specs;

  private SpecFile(String path, LuaScheduler program, List<Spec> specs) {
    this.path = path;
    this.program = program;
    this.specs = specs;
  }

  /**
   * Loads a spec file.
   *
   * @param path below the directory of the code
   * @throws Failed if it cannot be parsed, fails, or exceeds the budget
   */
  public static SpecFile read(Code code, String path, Budget budget, ProgramThreads threads)
      throws Failed {
    var program = LuaScheduler.load(code.starting(START), budget, new VmEngine(), threads);
    try {
      var specs = specs(program.decide(Map.of("file", path)).data().get("specs"));
      return new SpecFile(path, program, specs);
    } catch (Failed failed) {
      program.close();
      throw failed;
    }
  }

  /** The paths of the spec files of a directory: {@code *_spec.lua} below {@code spec}. */
  public static List<String> paths(Code code) {
    return code.files().keySet().stream()
        .filter(path -> path.startsWith("spec/") && path.endsWith("_spec.lua"))
        .sorted()
        .toList();
  }

  /** Its specs, in source order. */
  public List<Spec> specs() {
    return specs;
  }

  /** Runs one of its specs. */
  public Spec.Result run(Spec spec) {
    var input = new LinkedHashMap<String, Object>();
    input.put("file", path);
    input.put("index", (long) spec.index());
    try {
      return result(program.decide(input));
    } catch (Failed failed) {
      var failure = Spec.Failure.of(String.valueOf(failed.getMessage()), failed.log());
      return new Spec.Result(Optional.of(failure), "", 0);
    }
  }

  @Override
  public void close() {
    program.close();
  }

  private static Spec.Result result(Decision decision) {
    var failure = Optional.ofNullable(decision.data().get("failure")).map(SpecFile::failure);
    return new Spec.Result(failure, decision.log(), decision.instructions());
  }

  private static Spec.Failure failure(Object value) {
    var map = (Map<?, ?>) value;
    var differences = new ArrayList<Spec.Difference>();
    for (var each : list(map.get("differences"))) {
      var difference = (Map<?, ?>) each;
      differences.add(
          new Spec.Difference(
              text(difference.get("path")),
              text(difference.get("expected")),
              text(difference.get("actual"))));
    }
    return new Spec.Failure(
        text(map.get("message")),
        optional(map.get("place")),
        optional(map.get("expected")),
        optional(map.get("actual")),
        differences,
        text(map.get("trace")));
  }

  private static List<Spec> specs(@Nullable Object value) {
    var specs = new ArrayList<Spec>();
    for (var each : list(value)) {
      var map = (Map<?, ?>) each;
      specs.add(
          new Spec(
              specs.size() + 1,
              text(map.get("name")),
              text(map.get("place")),
              Boolean.TRUE.equals(map.get("pending"))));
    }
    return List.copyOf(specs);
  }

  private static List<?> list(@Nullable Object value) {
    return value instanceof List<?> list ? list : List.of();
  }

  private static String text(@Nullable Object value) {
    return value == null ? "" : value.toString();
  }

  private static Optional<String> optional(@Nullable Object value) {
    return Optional.ofNullable(value).map(Object::toString);
  }
}
