package verwalter.model;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BinaryOperator;
import verwalter.model.json.Json;

/**
 * The way of a role from one version to another, on all of its nodes together. Its name is {@code
 * ROLE.NUMBER}. The leader computes it from the schedule and from what the nodes report.
 */
public final class Rollout {
  public static final Kind<Spec, Status> KIND =
      Kind.of("Rollout", "ro", Spec.class, Status.class)
          .in(Scope.CLUSTER)
          .specBy(Writer.ROLLOUT)
          .statusBy(Writer.ROLLOUT);

  /** The number of rollouts that are kept of each role. */
  public static final int KEPT = 10;

  public static String name(String role, long number) {
    return role + "." + number;
  }

  /**
   * The versions and the beginning of a rollout.
   *
   * @param role name of the role
   * @param number counts the rollouts of the role; never used again
   * @param from the version that ran before; absent for the first rollout
   * @param to the version that shall run
   * @param by who began it: {@code file PATH}, {@code operator NAME} or {@code scheduler}
   * @param began when it began
   */
  public record Spec(
      String role, long number, Optional<String> from, String to, String by, Instant began) {}

  /** How a rollout has ended. */
  public enum Outcome {
    /** All processes run the new version. */
    @JsonProperty("Complete")
    COMPLETE,
    /** The new version does not run; the former one has been brought back. */
    @JsonProperty("Failed")
    FAILED,
    /** Another version was wanted before it was complete. */
    @JsonProperty("Superseded")
    SUPERSEDED
  }

  /**
   * The processes of one node.
   *
   * @param updated number of processes that run the new version
   * @param desired number of processes that should run
   */
  public record OnNode(int updated, int desired) {}

  /**
   * How far it is.
   *
   * @param steps the names of its steps in their order; empty if the scheduler reports none
   * @param step the present step
   * @param updated number of processes that run the new version
   * @param desired number of processes that should run
   * @param nodes the processes of each node that has the role
   * @param paused whether an operator has paused it
   * @param waitsFor what it waits for, in words; empty after its end
   * @param deadline when it fails if it still waits for the same
   * @param outcome how it has ended; absent while it is under way
   * @param reason why it has failed, or what superseded it
   * @param ended when it ended
   * @param message all of that on one line
   */
  public record Status(
      long observedGeneration,
      List<String> steps,
      Optional<String> step,
      int updated,
      int desired,
      Map<String, OnNode> nodes,
      boolean paused,
      String waitsFor,
      Optional<Instant> deadline,
      Optional<Outcome> outcome,
      String reason,
      Optional<Instant> ended,
      String message) {
    public Status {
      steps = List.copyOf(steps);
      nodes = Json.freeze(nodes);
    }
  }

  /** Whether it is under way. */
  public static boolean open(Resource<Spec, Status> rollout) {
    return rollout.status().flatMap(Status::outcome).isEmpty();
  }

  /**
   * The versions that processes of each role may run: those of its newest rollout. One that has
   * failed has gone back to its former version.
   */
  public static Map<String, Set<String>> used(Collection<Resource<Spec, Status>> rollouts) {
    var newest = new TreeMap<String, Spec>();
    rollouts.forEach(
        rollout ->
            newest.merge(
                rollout.spec().role(),
                rollout.spec(),
                BinaryOperator.maxBy(Comparator.comparingLong(Spec::number))));
    var used = new TreeMap<String, Set<String>>();
    newest.forEach(
        (role, its) -> {
          var versions = new TreeSet<>(Set.of(its.to()));
          its.from().ifPresent(versions::add);
          used.put(role, versions);
        });
    return used;
  }

  private Rollout() {}
}
