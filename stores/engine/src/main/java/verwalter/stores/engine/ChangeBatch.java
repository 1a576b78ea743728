package verwalter.stores.engine;

import java.util.List;

/**
 * The changes of a range after some version.
 *
 * @param groups the changes of whole transactions, in order
 * @param version the version up to which they are complete
 * @param more whether more changes follow
 * @param dropped the last version whose changes were dropped
 * @param count the number of all changes of the range, including dropped ones
 */
record ChangeBatch(
    List<ChangeHistory.Group> groups, long version, boolean more, long dropped, long count) {}
