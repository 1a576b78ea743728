package verwalter.supervisor.embedded;

import java.nio.file.Path;
import java.time.Instant;
import verwalter.supervisor.program.Terms;

/**
 * One start of one slot's program, written down before it happens so that no crash of ours can
 * forget it.
 *
 * @param id never used twice on one machine between two boots
 * @param slot {@code group/process.index}
 * @param identity what decides whether it is the one wanted
 * @param boot of the machine; a run of another boot is over
 */
record Run(
    String id,
    String slot,
    String identity,
    String image,
    Terms terms,
    Path log,
    Instant started,
    History before,
    String boot) {}
