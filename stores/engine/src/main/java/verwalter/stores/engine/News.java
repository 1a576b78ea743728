package verwalter.stores.engine;

import java.util.List;

/**
 * What happened to the objects of a line after some version.
 *
 * @param groups the changes, whole transactions, in order
 * @param heard the version up to which they are complete
 * @param more whether there are more after that
 * @param dropped the last version whose changes are no longer kept
 * @param count how many changes of the line there ever were
 */
record News(List<ChangeHistory.Group> groups, long heard, boolean more, long dropped, long count) {}
