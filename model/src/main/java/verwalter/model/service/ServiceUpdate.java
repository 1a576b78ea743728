package verwalter.model.service;

import com.fasterxml.jackson.annotation.JsonEnumDefaultValue;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import verwalter.model.Quantities;
import verwalter.model.codec.Described;

/**
 * How a new revision replaces the one that runs. At most one strategy is given; without one,
 * processes are replaced one by one.
 *
 * @param oneByOne whether processes are replaced one after the other
 * @param substeps the number of equal steps in which processes are replaced
 * @param canary the percentage of processes that are replaced first, until an operator proceeds
 * @param blueGreen whether all new processes run beside the old ones before those are stopped
 * @param readyFor how long the processes of a step have to run before the next step; 10 s if absent
 * @param deadline how long the processes of a step may take to be ready before they count as
 *     failed; 5 minutes if absent
 * @param onFailure what happens when new processes fail
 */
public record ServiceUpdate(
    @Described(value = "one process after the other; the default", oneOf = "strategy")
        @JsonProperty("one-by-one")
        boolean oneByOne,
    @Described(
            value = "the number of equal steps",
            oneOf = "strategy",
            min = 1,
            max = ServiceUpdate.MOST_SUBSTEPS)
        Optional<Integer> substeps,
    @Described(
            value = "the percentage that is replaced first, until an operator proceeds",
            oneOf = "strategy",
            pattern = ServiceUpdate.CANARY)
        Optional<String> canary,
    @Described(
            value = "all new processes run beside the old ones before those stop",
            oneOf = "strategy")
        @JsonProperty("blue-green")
        boolean blueGreen,
    @Described(
            value = "how long new processes have to run before the next step; 10 s without it",
            max = ServiceSchema.MOST_SECONDS,
            min = 0,
            pattern = ServiceSchema.DURATION)
        @JsonProperty("ready-for")
        Optional<Object> readyFor,
    @Described(
            value = "how long new processes may take until they are ready; 5 m without it",
            max = ServiceSchema.MOST_SECONDS,
            min = 1,
            pattern = ServiceSchema.DURATION)
        Optional<Object> deadline,
    @Described("what happens when new processes fail: revert, the default, or pause")
        @JsonProperty("on-failure")
        OnFailure onFailure) {
  private static final long READY_FOR = 10;
  static final int MOST_SUBSTEPS = 100;
  static final String CANARY = "([1-9][0-9]?)%";
  private static final Pattern PERCENT = Pattern.compile(CANARY);

  /** What happens when the processes of a new revision fail. */
  public enum OnFailure {
    /** The former revision runs again, and the new one is not tried again by itself. */
    @JsonEnumDefaultValue
    @JsonProperty("revert")
    REVERT,
    /** The update stops, and an operator decides. */
    @JsonProperty("pause")
    PAUSE
  }

  /** One by one, ten seconds, revert. */
  public static final ServiceUpdate STANDARD =
      new ServiceUpdate(
          true,
          Optional.empty(),
          Optional.empty(),
          false,
          Optional.empty(),
          Optional.empty(),
          OnFailure.REVERT);

  public ServiceUpdate {
    long strategies =
        Stream.of(oneByOne, substeps.isPresent(), canary.isPresent(), blueGreen)
            .filter(given -> given)
            .count();
    if (strategies > 1) {
      throw new IllegalArgumentException(
          "give only one of one-by-one, substeps, canary and blue-green");
    }
    if (substeps.filter(number -> number < 1 || number > MOST_SUBSTEPS).isPresent()) {
      throw new IllegalArgumentException(
          "substeps must be 1 to %d, not %d".formatted(MOST_SUBSTEPS, substeps.get()));
    }
    canary.ifPresent(
        text -> {
          if (!PERCENT.matcher(text).matches()) {
            throw new IllegalArgumentException("canary must be 1% to 99%, not " + text);
          }
        });
    duration("ready-for", readyFor);
    duration("deadline", deadline);
    if (deadline.flatMap(Quantities::seconds).filter(seconds -> seconds == 0).isPresent()) {
      throw new IllegalArgumentException(
          "deadline must be at least 1s, not %s: no process is ready at once"
              .formatted(deadline.get()));
    }
  }

  private static void duration(String field, Optional<Object> time) {
    if (time.isPresent() && Quantities.seconds(time.get()).isEmpty()) {
      throw new IllegalArgumentException(
          "%s must be %s, not %s".formatted(field, Quantities.SECONDS_ALLOWED, time.get()));
    }
  }

  /** The seconds of {@code deadline}; absent for the library's. */
  public Optional<Long> deadlineSeconds() {
    return deadline.flatMap(Quantities::seconds);
  }

  /** The percentage of {@code canary}. */
  public Optional<Integer> canaryPercent() {
    return canary.map(text -> Integer.parseInt(text.substring(0, text.length() - 1)));
  }

  /** The seconds of {@code ready-for}. */
  public long readySeconds() {
    return readyFor.flatMap(Quantities::seconds).orElse(READY_FOR);
  }
}
