package verwalter.supervisor.embedded;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.SortedSet;
import java.util.stream.Collectors;
import verwalter.model.ProcessGroup.Exit;

/**
 * The time and reason of a restart. A program that ran long enough is restarted at once. After
 * early exits the delay doubles each time. Upstream has a constant delay, so a program that cannot
 * start keeps a machine busy.
 */
record Restart(Instant at, int earlyExits, String reason) {
  private static final Duration LONGEST = Duration.ofSeconds(60);

  /** A timeout of 0 s must not cause a busy loop. */
  private static final Duration SHORTEST = Duration.ofMillis(100);

  static Restart after(Run run, Exit exit) {
    var lived = Duration.between(run.started(), exit.at());
    var timeout = timeout(run);
    var ended = words(exit) + " after " + tenths(lived) + "s; ";
    if (lived.compareTo(timeout) >= 0) {
      return new Restart(exit.at(), 0, ended + "starts again at once");
    }
    int early = run.before().earlyExits() + 1;
    // If the clock was set back since its start, the delay begins with its end.
    var began = lived.isNegative() ? exit.at() : run.started();
    var at = later(began.plus(delay(timeout, early)), exit.at());
    var reason =
        ended + "next start in " + seconds(Duration.between(exit.at(), at)) + "s" + count(early);
    return new Restart(at, early, reason);
  }

  /** The next run of a command that runs by time. */
  static Restart byTime(Run run, Exit exit, Instant at) {
    var lived = Duration.between(run.started(), exit.at());
    return new Restart(at, 0, exit.failure() ? words(exit) + " after " + tenths(lived) + "s" : "");
  }

  /** The restart after a start that did not create a process. */
  static Restart afterFailure(Duration timeout, int earlyBefore, Instant now, String why) {
    int early = earlyBefore + 1;
    var delay = delay(longer(timeout, SHORTEST), early);
    return new Restart(
        now.plus(delay), early, why + "; next start in " + seconds(delay) + "s" + count(early));
  }

  private static Duration timeout(Run run) {
    return longer(Duration.ofSeconds(run.terms().restartTimeout()), SHORTEST);
  }

  static Duration delay(Duration timeout, int early) {
    var doubled = timeout.multipliedBy(1L << Math.min(early - 1, 10));
    return longer(Collections.min(List.of(doubled, LONGEST)), timeout);
  }

  private static Duration longer(Duration one, Duration other) {
    return Collections.max(List.of(one, other));
  }

  /** How it ended, for people. */
  static String words(Exit exit) {
    return exit.code()
        .map(code -> "exited with code " + code)
        .or(() -> exit.signal().map(signal -> "killed by signal " + Signals.name(signal)))
        .orElse("ended unobserved");
  }

  /** What is said of processes that a run left behind; empty if there are none. */
  static String left(SortedSet<Long> pids) {
    return pids.isEmpty()
        ? ""
        : "; killed what it left outside its session: "
            + pids.stream().map(String::valueOf).collect(Collectors.joining(", "));
  }

  /** The last lines of a run in a reason; empty if there are none. */
  static String said(String output) {
    return output.isEmpty() ? "" : "; its last output: " + output;
  }

  private static String count(int early) {
    return early == 1 ? "" : " (" + early + " early exits)";
  }

  private static String tenths(Duration span) {
    return String.format(Locale.ROOT, "%.1f", Math.max(0, span.toMillis()) / 1000.0);
  }

  private static String seconds(Duration span) {
    long millis = Math.max(0, span.toMillis());
    return millis < 1000
        ? String.format(Locale.ROOT, "%.1f", millis / 1000.0)
        : Long.toString(Math.round(millis / 1000.0));
  }

  private static Instant later(Instant one, Instant other) {
    return Collections.max(List.of(one, other));
  }
}
