package verwalter.stores.engine;

import java.util.List;

/**
 * The changes of a line after some version.
 *
 * @param groups the changes of whole transactions, in order
 * @param heard the version up to which they are complete
 * @param more whether more changes follow
 * @param dropped the last version whose changes were dropped
 * @param count the number of all changes of the line, including dropped ones
 */
record News(List<ChangeHistory.Group> groups, long heard, boolean more, long dropped, long count) {}
