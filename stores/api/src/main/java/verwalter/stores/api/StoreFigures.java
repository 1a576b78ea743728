package verwalter.stores.api;

/**
 * What a store holds at one moment.
 *
 * @param objects how many objects there are
 * @param bytes how much memory objects, indexes and history take; an estimate
 * @param limit how much they may take
 * @param historyBytes how much of {@code bytes} is history
 * @param revision the version of the last committed transaction
 * @param epoch the epoch of the store
 * @param visited how many objects and changes lists and watches have looked at since it was opened
 */
public record StoreFigures(
    int objects,
    long bytes,
    long limit,
    long historyBytes,
    long revision,
    long epoch,
    long visited) {}
