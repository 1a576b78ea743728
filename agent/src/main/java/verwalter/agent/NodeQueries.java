package verwalter.agent;

import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import verwalter.model.NodeSchedule;
import verwalter.model.Schedule;
import verwalter.model.Scheduler.Failed;
import verwalter.model.codec.Variables;
import verwalter.model.json.Json;
import verwalter.scheduler.lua.Budget;
import verwalter.scheduler.lua.Code;
import verwalter.scheduler.lua.ProgramThreads;
import verwalter.scheduler.wasm.WasmResponder;
import verwalter.ui.port.Queries;

/**
 * Determines what this node renders, and answers queries about its schedule, with the
 * configuration's {@code query.wasm}, or by merging variables if there is none. The module is
 * reloaded for a new schedule and when its file has changed. If it cannot be loaded, the previous
 * one keeps answering queries.
 */
final class NodeQueries
    implements Queries, verwalter.controllers.nodeschedule.Responder, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(NodeQueries.class);

  private final Path directory;
  private final String host;
  private final InstantSource clock;
  private final Programs programs;
  private final Supplier<String> deploymentIds;

  private final AtomicReference<@Nullable Loaded> loaded = new AtomicReference<>();
  private volatile boolean closed;
  private volatile boolean module;

  /**
   * Settings of programs.
   *
   * @param closing runs work that may wait for a busy program
   */
  record Programs(Budget budget, ProgramThreads threads, Executor closing) {}

  /**
   * A module that was initialized with a schedule.
   *
   * @param hash of the code
   * @param roles what it renders; queried once, so that the result is constant for a schedule
   */
  private record Loaded(
      String hash, Schedule.Spec schedule, WasmResponder responder, WasmResponder.Roles roles) {
    boolean isFor(Schedule.Spec other, Code code) {
      return schedule.hash().equals(other.hash()) && hash.equals(code.hash());
    }
  }

  /**
   * Creates the queries of a node.
   *
   * @param directory the directory of the scheduler
   */
  NodeQueries(
      Path directory,
      String host,
      Programs programs,
      Supplier<String> deploymentIds,
      InstantSource clock) {
    this.directory = directory;
    this.host = host;
    this.programs = programs;
    this.deploymentIds = deploymentIds;
    this.clock = clock;
  }

  @Override
  public Map<String, Map<String, Object>> roles(
      NodeSchedule.Spec share, Optional<Schedule.Spec> schedule) throws Failed {
    var code = code();
    module = code.isPresent();
    if (code.isEmpty()) {
      letGo();
      return share.roles();
    }
    if (schedule.isEmpty()) {
      throw new Failed(
          "%s needs the whole schedule %.8s, which has not come yet"
              .formatted(Code.QUERY, share.schedule()),
          "");
    }
    return loaded(code.get(), schedule.get()).roles().toRender();
  }

  @Override
  public boolean readsSchedule() {
    return module;
  }

  @Override
  public Map<String, Object> roles(Schedule.Spec schedule) throws Failed {
    var code = code();
    if (code.isEmpty()) {
      return Map.of(
          "to_render", timed(Variables.merge(schedule.data(), host)),
          "all_roles", allRoles(schedule));
    }
    var roles = loaded(code.get(), schedule).roles();
    return Map.of("to_render", roles.toRender(), "all_roles", roles.all());
  }

  /** With the time, which each role has when it is rendered. */
  private Map<String, Map<String, Object>> timed(Map<String, Map<String, Object>> roles) {
    var now = clock.instant().toString();
    var timed = new TreeMap<String, Map<String, Object>>();
    roles.forEach(
        (role, variables) -> {
          var all = new TreeMap<>(variables);
          all.put("timestamp", now);
          timed.put(role, all);
        });
    return timed;
  }

  private static List<String> allRoles(Schedule.Spec schedule) {
    var all = new TreeSet<>(Json.object(schedule.data().get("roles")).keySet());
    for (var node : Json.object(schedule.data().get("nodes")).values()) {
      all.addAll(Json.object(Json.object(node).get("roles")).keySet());
    }
    return List.copyOf(all);
  }

  @Override
  public @Nullable Object query(Schedule.Spec schedule, String path, @Nullable Object body)
      throws Failed {
    var code = code();
    if (code.isEmpty()) {
      throw new Failed(
          "there is no query interface: put a %s into %s".formatted(Code.QUERY, directory), "");
    }
    return usable(code.get(), schedule).responder().query(path, body);
  }

  /** The module, or the last one that could be loaded. */
  private Loaded usable(Code code, Schedule.Spec schedule) throws Failed {
    var last = loaded.get();
    try {
      return loaded(code, schedule);
    } catch (Failed failure) {
      if (last == null) {
        throw failure;
      }
      LOG.warn("{}; the one before answers", failure.getMessage());
      return last;
    }
  }

  private Loaded loaded(Code code, Schedule.Spec schedule) throws Failed {
    var last = loaded.get();
    if (last != null && last.isFor(schedule, code)) {
      return last;
    }
    var fresh = WasmResponder.load(code, programs.budget(), programs.threads(), schedule, host);
    boolean kept = false;
    try {
      var previous =
          Optional.ofNullable(last)
              .map(Loaded::schedule)
              .filter(each -> !each.hash().equals(schedule.hash()));
      var next =
          new Loaded(code.hash(), schedule, fresh, fresh.roles(deploymentIds.get(), previous));
      kept = loaded.compareAndSet(last, next);
      if (kept && last != null) {
        end(last);
      }
      if (closed) {
        letGo();
        throw new Failed("this node is shutting down", "");
      }
      return kept ? next : loaded(code, schedule);
    } finally {
      if (!kept) {
        fresh.close();
      }
    }
  }

  private void letGo() {
    var last = loaded.getAndSet(null);
    if (last != null) {
      end(last);
    }
  }

  private void end(Loaded last) {
    programs.closing().execute(last.responder()::close);
  }

  /** The code, if it contains a module. */
  private Optional<Code> code() {
    return Optional.of(Code.module(directory, Code.QUERY)).filter(code -> code.has(Code.QUERY));
  }

  @Override
  public void close() {
    closed = true;
    letGo();
  }
}
