package verwalter.cluster.sides;

import java.util.Optional;
import verwalter.model.Resource;

/**
 * One object as a side wrote it.
 *
 * @param stamp the write
 * @param base the version of the log's object that the write replaced; 0 if there was none
 * @param object the object; empty if the write removed it
 */
public record ForkEntry(Stamp stamp, long base, Optional<Resource<?, ?>> object) {}
