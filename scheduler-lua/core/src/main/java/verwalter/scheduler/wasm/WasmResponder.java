package verwalter.scheduler.wasm;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import verwalter.model.Schedule;
import verwalter.model.Scheduler.Failed;
import verwalter.model.json.Json;
import verwalter.scheduler.lua.Budget;
import verwalter.scheduler.lua.Code;
import verwalter.scheduler.lua.ProgramThread;
import verwalter.scheduler.lua.ProgramThreads;

/**
 * Answers queries about one schedule with {@code query.wasm}: the roles that a node renders with
 * their variables, and the queries of the frontend. Each instance of the module is initialized
 * before its first query, including one that replaces an instance after a trap.
 */
public final class WasmResponder implements AutoCloseable {
  private static final List<String> FUNCTIONS = List.of("init", "render_roles", "query");

  private final ProgramThread<WasmProgram> program;
  private final Map<String, Object> introduction;

  /**
   * The roles of one node.
   *
   * @param toRender the variables of each role that it renders
   * @param all every role of the schedule
   */
  public record Roles(Map<String, Map<String, Object>> toRender, List<String> all) {
    public Roles {
      toRender = Json.freeze(toRender);
      all = List.copyOf(all);
    }
  }

  private WasmResponder(ProgramThread<WasmProgram> program, Map<String, Object> introduction) {
    this.program = program;
    this.introduction = introduction;
  }

  /**
   * Loads and initializes {@code query.wasm}; blocks until it is ready.
   *
   * @param host the node whose roles are queried
   * @throws Failed if it cannot be loaded, or refuses the schedule
   */
  public static WasmResponder load(
      Code code, Budget budget, ProgramThreads threads, Schedule.Spec schedule, String host)
      throws Failed {
    var program = WasmScheduler.confined(code, Code.QUERY, budget, threads, FUNCTIONS);
    var introduction = Map.<String, Object>of("schedule", tree(schedule), "hostname", host);
    var responder = new WasmResponder(program, introduction);
    boolean ready = false;
    try {
      program.use(responder::introduced);
      ready = true;
      return responder;
    } finally {
      if (!ready) {
        program.close();
      }
    }
  }

  /**
   * Queries the roles to render.
   *
   * @param previous the schedule before this one, if any
   * @throws Failed if the module fails, refuses, or returns anything but roles with their variables
   */
  public Roles roles(String deployment, Optional<Schedule.Spec> previous) throws Failed {
    var question = new LinkedHashMap<String, Object>();
    question.put("deployment_id", deployment);
    addPrevious(question, previous);
    return roles(Json.object(ask("render_roles", question)));
  }

  @SuppressWarnings("NullAway") // null means that there is no previous schedule
  private static void addPrevious(Map<String, Object> question, Optional<Schedule.Spec> previous) {
    question.put("previous_schedule", previous.map(WasmResponder::tree).orElse(null));
  }

  /**
   * Answers a query of {@code /v1/query/path}.
   *
   * @return any JSON value
   * @throws Failed if the module fails or refuses
   */
  public @Nullable Object query(String path, @Nullable Object body) throws Failed {
    var question = new LinkedHashMap<String, @Nullable Object>();
    question.put("path", path);
    question.put("body", body);
    return ask("query", question);
  }

  @SuppressWarnings("NullAway") // values of JSON objects may be null
  private @Nullable Object ask(String function, Map<String, ? extends @Nullable Object> question)
      throws Failed {
    var asked = new LinkedHashMap<String, Object>(question);
    return program
        .<Optional<Object>>use(
            loaded ->
                Optional.ofNullable(answer(function, introduced(loaded).call(function, asked))))
        .orElse(null);
  }

  /** The program with an initialized instance. */
  private WasmProgram introduced(WasmProgram loaded) throws Failed {
    if (!loaded.isIntroduced()) {
      answer("init", loaded.call("init", introduction));
      loaded.introduce();
    }
    return loaded;
  }

  /** The value under {@code Ok}. */
  private static @Nullable Object answer(String function, Map<String, Object> answer)
      throws Failed {
    if (answer.containsKey("Ok")) {
      return answer.get("Ok");
    }
    if (!answer.containsKey("Err")) {
      throw new Failed(
          "%s: %s: the answer has neither Ok nor Err".formatted(Code.QUERY, function), "");
    }
    var refusal = Json.object(answer.get("Err"));
    var message =
        refusal.get("kind") instanceof String kind && refusal.get("message") instanceof String said
            ? kind + ": " + said + causes(refusal.get("causes"))
            : Json.canonical(answer.get("Err"));
    var trace = refusal.get("backtrace") instanceof String lines ? lines : "";
    throw new Failed("%s: %s: %s".formatted(Code.QUERY, function, message), trace);
  }

  private static String causes(@Nullable Object causes) {
    return causes instanceof List<?> list && !list.isEmpty()
        ? " (" + String.join("; ", list.stream().map(String::valueOf).toList()) + ")"
        : "";
  }

  private static Roles roles(Map<String, Object> answer) throws Failed {
    if (!(answer.get("to_render") instanceof Map<?, ?> given)
        || !(answer.get("all_roles") instanceof List<?> named)) {
      throw new Failed(
          Code.QUERY
              + ": render_roles: it must give an object 'to_render' and a list 'all_roles', but gave "
              + Json.canonical(answer),
          "");
    }
    var roles = new TreeMap<String, Map<String, Object>>();
    for (var each : Json.object(given).entrySet()) {
      if (!(each.getValue() instanceof Map<?, ?>)) {
        throw new Failed(
            "%s: render_roles: the variables of role '%s' are no object"
                .formatted(Code.QUERY, each.getKey()),
            "");
      }
      roles.put(each.getKey(), Json.object(each.getValue()));
    }
    var all = new ArrayList<String>();
    named.forEach(each -> all.add(String.valueOf(each)));
    return new Roles(roles, all);
  }

  private static Map<String, Object> tree(Schedule.Spec schedule) {
    return Map.of(
        "timestamp", schedule.timestamp().toEpochMilli(),
        "hash", schedule.hash(),
        "data", schedule.data(),
        "origin", schedule.origin());
  }

  /** Ends the program's thread; later queries fail. Waits for a running query. */
  @Override
  public void close() {
    program.close();
  }
}
