package verwalter.supervisor.embedded;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ThreadFactory;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import verwalter.concurrent.Loop;
import verwalter.concurrent.Watch;
import verwalter.files.FileAccess;
import verwalter.model.ProcessGroup;
import verwalter.model.ProcessSpec;
import verwalter.supervisor.Supervisor;
import verwalter.supervisor.lithos.Layout;

/**
 * Runs lithos's process files on a plain Linux machine, without containers or privileges. Each
 * program has a small shim that outlives the agent. So neither a stop nor a crash of the agent
 * affects a program, and the exit status of a program that ended meanwhile is known.
 *
 * <p>Methods of {@link Supervisor} are thread-safe; futures complete on the loop. Requests for one
 * group are processed in order: a {@link #run} after a {@link #remove} waits until all processes
 * have ended.
 */
public final class EmbeddedSupervisor implements Supervisor {
  private static final Logger LOG = LoggerFactory.getLogger(EmbeddedSupervisor.class);

  /** How often old logs are removed. */
  private static final Duration EXPIRY = Duration.ofHours(1);

  private final Loop loop;
  private final Settings settings;
  private final DirectoryLock lock;
  private final ProcessFileDirectory files;
  private final ChangeListeners listeners;
  private final Slots slots;
  private final RunWatcher watcher;
  private final LogFiles logs;
  private final Path stdio;
  private final ExecShell commands;
  private final Map<String, Future<?>> tails = new HashMap<>(); // owned by the loop
  private volatile boolean closed;

  /** Every process is being stopped; requests are refused. Belongs to the loop. */
  private boolean stopping;

  /** Another supervisor works on the directory. */
  public static final class InUse extends IOException {
    private static final long serialVersionUID = 1;

    InUse(Path directory, String holder) {
      super(
          "another supervisor ("
              + holder
              + ") uses "
              + directory
              + "; end it, or give this one a directory of its own");
    }
  }

  private EmbeddedSupervisor(
      Loop loop,
      Settings settings,
      DirectoryLock lock,
      ProcessFileDirectory files,
      ChangeListeners listeners,
      Slots slots,
      RunWatcher watcher,
      LogFiles logs,
      Path stdio,
      ExecShell commands) {
    this.commands = commands;
    this.logs = logs;
    this.stdio = stdio;
    this.loop = loop;
    this.settings = settings;
    this.lock = lock;
    this.files = files;
    this.listeners = listeners;
    this.slots = slots;
    this.watcher = watcher;
  }

  /**
   * Adopts running processes and starts those of the process files. Reads files, so call it off the
   * loop. Until the loop has taken over, {@link #processes} is absent.
   *
   * @param loop that will own the state
   * @param threads for the one thread that waits for the notes of shims
   * @throws InUse if another supervisor works on the layout's run directory
   * @throws IOException if a directory cannot be used, or the machine lacks {@code sh} or {@code
   *     setsid}
   */
  public static EmbeddedSupervisor open(
      Layout layout, Loop loop, ThreadFactory threads, Settings settings) throws IOException {
    return open(layout, loop, threads, settings, CgroupHierarchy.ofThisMachine());
  }

  /** Opens a supervisor that uses these hierarchies of cgroups. */
  static EmbeddedSupervisor open(
      Layout layout,
      Loop loop,
      ThreadFactory threads,
      Settings settings,
      List<CgroupHierarchy> hierarchies)
      throws IOException {
    prepare(layout, settings);
    var lock = DirectoryLock.take(layout.run());
    try {
      return opened(layout, loop, threads, settings, lock, hierarchies);
    } catch (IOException | RuntimeException failed) {
      lock.close();
      throw failed;
    }
  }

  /**
   * Creates the directories. Restricts the access to those of an earlier version, which depended on
   * its umask.
   */
  private static void prepare(Layout layout, Settings settings) throws IOException {
    FileAccess.PUBLIC.makeDirectories(layout.sandboxes());
    settings.logs().makeDirectories(layout.stdio());
    for (var each : List.of(layout.processes(), layout.run())) {
      FileAccess.PRIVATE.makeDirectories(each);
      FileAccess.requireOwn(each);
      FileAccess.PRIVATE.restrictTree(each);
    }
    if (layout.journal().isPresent()) {
      FileAccess.PRIVATE.restrictTree(layout.journal().get());
    }
    settings.logs().restrictFiles(layout.stdio(), LogFiles.NAME);
    FileAccess.PRIVATE.restrictTree(layout.stdio().resolve(LogTimes.DIRECTORY));
  }

  private static EmbeddedSupervisor opened(
      Layout layout,
      Loop loop,
      ThreadFactory threads,
      Settings settings,
      DirectoryLock lock,
      List<CgroupHierarchy> hierarchies)
      throws IOException {
    var runs = new RunDirectory(layout.run().toRealPath());
    var boot = Machine.boot();
    var host = Machine.host(layout, settings);
    var examiner = new ProcessExaminer(host);
    var logs =
        new LogFiles(
            settings.logs(),
            FileHead.of(ProcessShim.program("fallocate")),
            settings.logSize(),
            settings.logsKept());
    var shim = ProcessShim.install(runs);
    var cgroups = new Cgroups(hierarchies, runs.scope());
    var credentials = Credentials.of(host.user(), runs, layout.run().toRealPath());
    var operations = new ProcessOperations(examiner, runs, shim, logs, boot, cgroups, credentials);
    var commands = ExecShell.of(shim, runs, credentials);
    commands.killAll();
    var files = new ProcessFileDirectory(layout, examiner);
    var listeners = new ChangeListeners();
    var stamp = Long.toString(loop.now().toEpochMilli(), 36);
    // Watch first, then read: a change in between is seen twice instead of never.
    var watcher = new RunWatcher(layout.run().toRealPath(), runs);
    try {
      var limited = new LimitedLogs(loop, logs, watcher);
      var slots = new Slots(loop, operations, limited, stamp, listeners::report);
      new LostNotes(runs, layout.stdio(), boot, host.user()).repair();
      var found = new Adoption(runs, boot, loop.now()).find();
      var contents = files.readAll(loop.now());
      var supervisor =
          new EmbeddedSupervisor(
              loop,
              settings,
              lock,
              files,
              listeners,
              slots,
              watcher,
              logs,
              layout.stdio(),
              commands);
      loop.execute(
          () -> {
            slots.adopt(found);
            slots.applyAll(contents, files::missing);
            supervisor.auditFromNowOn();
            supervisor.expireFromNowOn();
          });
      watcher.start(threads, note -> loop.execute(() -> slots.note(note)));
      return supervisor;
    } catch (IOException | RuntimeException failed) {
      watcher.close();
      throw failed;
    }
  }

  /** The logs of a machine. */
  private record LimitedLogs(Loop loop, LogFiles logs, RunWatcher watcher)
      implements LogLimiter.Files {
    @Override
    public LogFiles.Limited limit(Collection<Path> files, LogGrowth before) {
      return logs.limit(files, before, loop.now());
    }

    @Override
    public boolean watch(Collection<Path> files) {
      return watcher.watchOnce(
          files.stream().map(Path::getParent).filter(Objects::nonNull).distinct().toList());
    }
  }

  private void auditFromNowOn() {
    slots
        .audit()
        .onComplete(
            done -> {
              if (!closed) {
                loop.after(settings.audit(), this::auditFromNowOn);
              }
            });
  }

  private void expireFromNowOn() {
    var used = slots.logs();
    var oldest = loop.now().minus(settings.logAge());
    loop.offload(() -> logs.expire(stdio, used, oldest))
        .onFailure(failed -> LOG.warn("old logs cannot be removed: {}", failed.toString()))
        .onComplete(
            done -> {
              if (!closed) {
                loop.after(EXPIRY, this::expireFromNowOn);
              }
            });
  }

  /** Opens the logs that a query selects, which are read off the loop. Thread-safe. */
  public LogSession logs(LogQuery query) {
    return new LogSession(logs, query, this::instances);
  }

  private Map<SlotName, Path> instances(LogQuery query) {
    var instances = new TreeMap<SlotName, Path>();
    var wanted = processes(query.group()).orElse(List.of());
    for (var each : wanted) {
      var name = SlotName.parse(each.name());
      instances.put(name, slots.log(each.name()).orElseGet(() -> stdio.resolve(name.log())));
    }
    if (query.removed()) {
      removed(query.group())
          .forEach(name -> instances.putIfAbsent(name, stdio.resolve(name.log())));
    }
    instances.keySet().removeIf(name -> !query.selects(name));
    return instances;
  }

  /** The instances of a group that have a log. */
  private List<SlotName> removed(String group) {
    var found = new ArrayList<SlotName>();
    try (var files = Files.newDirectoryStream(stdio, group + ".*.log")) {
      files.forEach(
          file -> SlotName.ofLog(String.valueOf(file.getFileName())).ifPresent(found::add));
    } catch (IOException | DirectoryIteratorException unreadable) {
      LOG.warn("{} cannot be read: {}", stdio, unreadable.toString());
    }
    return found;
  }

  @Override
  public List<String> check(String group, Map<String, ProcessSpec> processes) {
    return files.problems(group, processes);
  }

  /**
   * How a probe of a process is started. Thread-safe.
   *
   * @param slot the name of the process, such as {@code shop/web.0}
   */
  public ProbeLaunch probeLaunch(String slot, ProcessSpec.Command command) {
    return commands.probe(files.launcher(command), slots.cgroups(slot));
  }

  /**
   * Starts a command beside a process. Reads files and waits for the start, so call it off the
   * loop. Thread-safe.
   *
   * @param id tells the command from others, also from those of earlier agents
   * @throws Refused if there is no such process, or the command cannot be started
   */
  public RunningCommand exec(ExecRequest request, String id) throws IOException {
    if (closed) {
      throw new Refused(request.group(), List.of("the supervisor is closed"));
    }
    var slot = new SlotName(request.group(), request.process(), request.index());
    return commands.start(request, files.program(request), id, slots.cgroups(slot.toString()));
  }

  @Override
  public Future<Void> run(String group, Map<String, ProcessSpec> processes) {
    var wanted = Map.copyOf(processes);
    return inOrder(
        group,
        () -> {
          var now = loop.now();
          return loop.offload(() -> files.install(group, wanted, now))
              .map(content -> apply(group, content));
        });
  }

  @Override
  public Future<Boolean> restart(String group, ProcessGroup.Slot slot, String why) {
    var promise = Promise.<Boolean>promise();
    loop.execute(() -> promise.complete(!closed && !stopping && slots.restart(slot, why)));
    return promise.future();
  }

  /**
   * Reads the group's process file again, which an operator may have edited, and applies it. A file
   * that is missing or cannot be read changes nothing.
   */
  public Future<Void> reload(String group) {
    return inOrder(
        group,
        () ->
            loop.offload(() -> files.read(group))
                .map(content -> apply(group, content.orElseGet(() -> files.missing(group)))));
  }

  private Void apply(String group, ProcessFileDirectory.Content content) {
    // A request whose file was being written when the stop began must not start it again.
    if (!stopping) {
      slots.apply(group, content);
      slots.publish();
    }
    return nothing();
  }

  @SuppressWarnings("NullAway") // the only value of Void
  private static Void nothing() {
    return null;
  }

  @Override
  public Future<Void> remove(String group) {
    var none = new ProcessFileDirectory.Content(Map.of(), Map.of(), "");
    return inOrder(
        group,
        () ->
            // Empty the file first, so that no process is started again after a crash.
            this.offload(() -> files.empty(group))
                .map(emptied -> apply(group, none))
                .compose(applied -> slots.emptied(group))
                .compose(ended -> this.offload(() -> files.remove(group)))
                .onSuccess(removed -> slots.forget(group)));
  }

  /** An operation on files without a result. */
  private interface Work {
    void run() throws IOException;
  }

  private Future<Void> offload(Work work) {
    return loop.offload(
            () -> {
              work.run();
              return true;
            })
        .mapEmpty();
  }

  /** Processes the requests of a group one at a time, in order. */
  private Future<Void> inOrder(String group, Supplier<Future<Void>> request) {
    var promise = Promise.<Void>promise();
    loop.execute(
        () -> {
          if (closed || stopping) {
            promise.fail(new IllegalStateException("the supervisor is closed"));
            return;
          }
          var before = tails.getOrDefault(group, Future.succeededFuture());
          var tail = before.transform(done -> request.get());
          tails.put(group, tail);
          tail.onComplete(promise);
          tail.onComplete(done -> tails.remove(group, tail));
        });
    return promise.future();
  }

  @Override
  public Optional<List<ProcessGroup.Slot>> processes(String group) {
    var snapshot = slots.snapshot();
    return snapshot == null
        ? Optional.empty()
        : snapshot.getOrDefault(group, Optional.of(List.of()));
  }

  @Override
  public Set<String> groups() {
    var snapshot = slots.snapshot();
    return snapshot == null ? Set.of() : snapshot.keySet();
  }

  @Override
  public Watch watch(Loop listener, Consumer<String> watcher) {
    return listeners.add(listener, watcher);
  }

  /**
   * Shuts down as the settings require: either stops every process first and keeps the process
   * files, or keeps the processes running.
   */
  public Future<Void> shutdown() {
    if (settings.onExit() == Settings.OnExit.DETACH) {
      return detach();
    }
    var promise = Promise.<Void>promise();
    loop.execute(
        () -> {
          stopping = true;
          var none = new ProcessFileDirectory.Content(Map.of(), Map.of(), "");
          var ends =
              slots.groups().stream()
                  .map(
                      group -> {
                        slots.apply(group, none);
                        return slots.emptied(group);
                      })
                  .toList();
          Future.join(ends).transform(done -> detach()).onComplete(promise);
        });
    return promise.future();
  }

  /**
   * Returns at once. The future of {@link #shutdown} tells when another supervisor may open the
   * directory.
   */
  @Override
  public void close() {
    detach();
  }

  private Future<Void> detach() {
    closed = true;
    var promise = Promise.<Void>promise();
    loop.execute(() -> slots.close().onSuccess(quiet -> release()).onComplete(promise));
    return promise.future();
  }

  private void release() {
    try {
      watcher.close();
      lock.close();
    } catch (IOException failed) {
      LOG.warn("closing the supervisor: {}", failed.toString());
    }
  }
}
