package verwalter.supervisor.embedded;

import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import verwalter.supervisor.program.Terms;

/**
 * One start of a slot's program, recorded before it happens so that it is known after a crash of
 * the agent.
 *
 * @param id unique on a machine between two boots
 * @param slot {@code group/process.index}
 * @param identity decides whether it is the desired process
 * @param restartCounter the restart counter of the desired process when it was started
 * @param boot of the machine; a run of another boot is over
 * @param confinement its cgroups
 */
record Run(
    String id,
    String slot,
    String identity,
    Optional<Long> restartCounter,
    String image,
    Terms terms,
    Path log,
    Instant started,
    History before,
    String boot,
    Confinement confinement) {
  /** A run without cgroups. */
  Run(
      String id,
      String slot,
      String identity,
      Optional<Long> restartCounter,
      String image,
      Terms terms,
      Path log,
      Instant started,
      History before,
      String boot) {
    this(
        id,
        slot,
        identity,
        restartCounter,
        image,
        terms,
        log,
        started,
        before,
        boot,
        Confinement.NONE);
  }

  /** The identity of a run whose launch note was lost: the process file tells it. */
  static final String UNKNOWN = "";

  /** This run, if its identity is unknown, as one of that process. */
  Run knownAs(DesiredProcess process) {
    return identity.equals(UNKNOWN)
        ? new Run(
            id,
            slot,
            process.identity(),
            process.restartCounter(),
            process.image(),
            process.terms().orElse(terms),
            log,
            started,
            before,
            boot,
            confinement)
        : this;
  }
}
