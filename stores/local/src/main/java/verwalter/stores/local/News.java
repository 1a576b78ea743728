package verwalter.stores.local;

import java.util.List;

/**
 * What happened to a kind after some revision.
 *
 * @param groups the changes, whole transactions, in order
 * @param heard the revision up to which they are complete
 * @param more whether there are more after that
 * @param dropped the last revision whose changes are no longer kept
 * @param count how many changes of the kind there ever were
 */
record News(List<History.Group> groups, long heard, boolean more, long dropped, long count) {}
