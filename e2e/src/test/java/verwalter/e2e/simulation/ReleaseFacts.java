package verwalter.e2e.simulation;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import verwalter.model.VersionSettings;

/**
 * What a machine was asked for, by its shares of the schedule and by operators, and what was taken
 * from it. The rules of {@link ReleaseRules} judge by these facts.
 */
final class ReleaseFacts {
  /** How long the supervisor may take to start processes after a reboot. */
  private static final Duration STARTED = Duration.ofMinutes(1);

  /** How long a share may take to have an effect, also with a slow supervisor and lost writes. */
  private static final Duration UNDER_WAY = Duration.ofMinutes(2);

  /**
   * What a share said of a role.
   *
   * @param to when the next share said something else
   * @param variables empty if the share did not have the role
   */
  record Asked(
      Instant from, Instant to, Optional<Map<String, Object>> variables, VersionSettings settings) {
    long count() {
      return variables.map(it -> (Long) it.getOrDefault("count", 0L)).orElse(0L);
    }

    Optional<String> version() {
      return variables.map(it -> String.valueOf(it.get("version")));
    }
  }

  private Instant late = Instant.MAX;
  private Instant away = Instant.MAX;
  private Instant awayUntil = Instant.MIN;
  private final Map<String, List<Asked>> asked = new HashMap<>();
  private final Map<String, Instant> stopping = new HashMap<>();
  private final Map<String, Long> restarts = new HashMap<>();
  private final Map<String, Long> purges = new HashMap<>();
  private final Set<String> vanished = new HashSet<>();

  /** By the role, the time until which processes may have started as the objects said before. */
  private final Map<String, Instant> lost = new HashMap<>();

  /** Notes what the share of a machine says now, and which instances are being stopped. */
  void look(MachineView view, Instant now) {
    view.share()
        .ifPresent(
            share -> {
              var roles = new HashSet<>(asked.keySet());
              roles.addAll(share.roles().keySet());
              for (var role : roles) {
                note(
                    role,
                    new Asked(
                        now,
                        Instant.MAX,
                        Optional.ofNullable(share.roles().get(role)),
                        share.settings(role)));
              }
            });
    for (var role : view.instances().keySet()) {
      if (view.isDeleting(role) || view.replacement(role).filter(it -> it.stops()).isPresent()) {
        stopping.put(role, now);
      }
    }
  }

  private void note(String role, Asked next) {
    var all = asked.computeIfAbsent(role, it -> new ArrayList<>());
    int last = all.size() - 1;
    if (last >= 0) {
      var before = all.get(last);
      if (before.variables().equals(next.variables())
          && before.settings().equals(next.settings())) {
        return;
      }
      all.set(last, new Asked(before.from(), next.from(), before.variables(), before.settings()));
    }
    all.add(next);
  }

  /**
   * Notes whether an agent runs. What is asked for while none does has an effect some time after
   * the next one has started.
   */
  void agent(boolean runs, Instant now) {
    if (!runs) {
      away = away.isAfter(now) ? now : away;
      awayUntil = now;
    } else if (awayUntil.plus(UNDER_WAY).isBefore(now)) {
      away = Instant.MAX;
    }
  }

  /** From now on, what is asked for may take any time to have an effect. */
  void late(Instant now) {
    if (late.equals(Instant.MAX)) {
      late = now;
    }
  }

  /** Whether anything may take any time to have an effect. */
  boolean isLate() {
    return !late.equals(Instant.MAX);
  }

  /** What shares said of a role from this time on, or so shortly before that it was not done. */
  Stream<Asked> asked(String role, Instant since) {
    var from = Stream.of(late, away, since).min(Instant::compareTo).get().minus(UNDER_WAY);
    return asked.getOrDefault(role, List.of()).stream().filter(it -> !it.to().isBefore(from));
  }

  /** Whether a phase or the deletion of an instance wanted no process from this time on. */
  boolean wasStopping(String role, Instant since) {
    return Optional.ofNullable(stopping.get(role)).filter(it -> !it.isBefore(since)).isPresent();
  }

  /** An operator has requested a restart. */
  void restart(String role, long counter) {
    restarts.merge(role, counter, Math::max);
  }

  /** An operator has requested a purge. */
  void purge(String role, long counter) {
    purges.merge(role, counter, Math::max);
  }

  /** The largest restart counter that was requested. */
  long restarts(String role) {
    return restarts.getOrDefault(role, 0L);
  }

  /** The largest purge counter that was requested. */
  long purges(String role) {
    return purges.getOrDefault(role, 0L);
  }

  /** The directory of a release was taken away. */
  void vanish(String key) {
    vanished.add(key);
  }

  boolean hasVanished(String key) {
    return vanished.contains(key);
  }

  /** Objects of a role were taken away by somebody who is not their writer. */
  void lose(String role, Instant when) {
    lost.put(role, when);
  }

  /**
   * The supervisor starts what its files say before a lost output is rendered again. So the loss
   * concerns these processes too.
   *
   * @param rendered the roles that have an output
   */
  void rebooted(Instant when, Set<String> rendered) {
    lost.replaceAll((role, since) -> rendered.contains(role) ? since : when.plus(STARTED));
  }

  boolean wasLost(String role) {
    return lost.containsKey(role);
  }

  boolean wasLost(String role, Instant since) {
    return Optional.ofNullable(lost.get(role)).filter(it -> !it.isBefore(since)).isPresent();
  }
}
