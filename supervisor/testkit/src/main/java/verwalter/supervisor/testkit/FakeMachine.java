package verwalter.supervisor.testkit;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import verwalter.model.ProcessGroup.Exit;
import verwalter.model.ProcessSpec;

/**
 * A machine's process files and processes, which outlive agents. Belongs to the thread of the
 * simulation. Throws {@link AssertionError} when a slot gets a second process.
 */
public final class FakeMachine {
  private static final int SIGKILL = 9;

  final Map<String, Map<String, ProcessSpec>> files = new TreeMap<>();
  final Map<String, FakeProcess> processes = new TreeMap<>();
  final Map<String, Long> starts = new HashMap<>();
  final Map<String, Long> replacements = new HashMap<>();
  final Map<String, List<Long>> detached = new HashMap<>();
  final Map<String, Exit> exits = new HashMap<>();
  private final Set<String> stopped = new HashSet<>();
  private final Map<String, String> refusals = new HashMap<>();
  private final Map<String, Duration> lifetimes = new HashMap<>();
  private final Set<String> stuck = new HashSet<>();
  private final List<String> history = new ArrayList<>();
  private final List<FakeProcess> terminated = new ArrayList<>();
  private Predicate<String> present = image -> true;
  private long pids = 100;
  private int boots = 1;
  private @Nullable Object owner;

  /**
   * A process.
   *
   * @param spec the single instance that it was started for
   * @param ends the time of its end, if it was requested to stop
   */
  public record FakeProcess(
      long pid, String slot, ProcessSpec spec, Instant started, Optional<Instant> ends) {
    /** The program of its spec. */
    public String image() {
      return spec.program();
    }
  }

  /** The running processes by slot, whether or not a supervisor has noticed. */
  public Map<String, FakeProcess> processes() {
    return Map.copyOf(processes);
  }

  /** The process files by group. */
  public Map<String, Map<String, ProcessSpec>> files() {
    return Map.copyOf(files);
  }

  /** All starts and exits in order: {@code start shop/web.0 IMAGE}, {@code end shop/web.0}. */
  public List<String> history() {
    return List.copyOf(history);
  }

  /**
   * The processes that were requested to end, in that order; those that died are not among them.
   */
  public List<FakeProcess> terminated() {
    return Collections.unmodifiableList(terminated);
  }

  /** Refuses entries with that image until {@link #accept}. */
  public void refuse(String image, String problem) {
    refusals.put(image, problem);
  }

  /** Lets each process of that image fail after this time. */
  public void failAfter(String image, Duration lifetime) {
    lifetimes.put(image, lifetime);
  }

  /** Lets no process of that image come up, although its entries are accepted. */
  public void neverStart(String image) {
    stuck.add(image);
  }

  /** Lets processes of that image come up and stay up again. */
  public void repair(String image) {
    lifetimes.remove(image);
    stuck.remove(image);
  }

  Optional<Duration> lifetime(String image) {
    return Optional.ofNullable(lifetimes.get(image));
  }

  boolean isStuck(String image) {
    return stuck.contains(image);
  }

  /** Accepts entries with that image again. */
  public void accept(String image) {
    refusals.remove(image);
  }

  /** Sets which images are there; entries with another one are refused. All are there at first. */
  public void have(Predicate<String> images) {
    present = images;
  }

  /** How often the machine was started. */
  public int boots() {
    return boots;
  }

  /**
   * Ends every process, keeps the files, and forgets how processes ended. Open a new supervisor
   * afterwards.
   */
  public void reboot(Instant now) {
    for (var slot : List.copyOf(processes.keySet())) {
      end(slot, new Exit(Optional.empty(), Optional.of(SIGKILL), now, true));
    }
    List.of(starts, replacements, detached, exits).forEach(Map::clear);
    stopped.clear();
    owner = null;
    boots++;
  }

  List<String> problems(Map<String, ProcessSpec> entries) {
    var problems = new ArrayList<String>();
    new TreeMap<>(entries)
        .forEach(
            (name, entry) ->
                refusal(entry.program()).ifPresent(problem -> problems.add(name + ": " + problem)));
    return problems;
  }

  Optional<String> refusal(String image) {
    return Optional.ofNullable(refusals.get(image))
        .or(() -> Optional.of("there is no " + image).filter(it -> !present.test(image)));
  }

  void own(Object supervisor) {
    owner = supervisor;
  }

  /** An agent that was replaced cannot change anything. */
  boolean isOwnedBy(Object supervisor) {
    return owner == supervisor;
  }

  FakeProcess start(String slot, ProcessSpec spec, Instant now) {
    var process = new FakeProcess(pids++, slot, spec, now, Optional.empty());
    if (processes.putIfAbsent(slot, process) != null) {
      throw new AssertionError("a second process of " + slot);
    }
    starts.merge(slot, 1L, Long::sum);
    if (stopped.remove(slot)) {
      replacements.merge(slot, 1L, Long::sum);
    }
    history.add("start " + slot + " " + process.image());
    return process;
  }

  void terminate(FakeProcess process, Instant ends) {
    terminated.add(process);
    processes.put(
        process.slot(),
        new FakeProcess(
            process.pid(), process.slot(), process.spec(), process.started(), Optional.of(ends)));
  }

  void end(String slot, Exit exit) {
    var process = processes.remove(slot);
    if (process != null) {
      if (process.ends().isPresent()) {
        stopped.add(slot);
      }
      exits.put(slot, exit);
      history.add("end " + slot);
    }
  }

  /** Forgets the history of slots that are not among these. */
  void forgetOthers(Set<String> slots) {
    starts.keySet().retainAll(slots);
    replacements.keySet().retainAll(slots);
    exits.keySet().retainAll(slots);
    stopped.retainAll(slots);
  }
}
