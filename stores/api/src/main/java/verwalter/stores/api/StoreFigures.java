package verwalter.stores.api;

/**
 * The contents of a store in numbers.
 *
 * @param objects number of objects
 * @param bytes estimated memory of objects, indexes and history, in bytes
 * @param limit the limit of this memory, in bytes
 * @param historyBytes the part of {@code bytes} that is history
 * @param revision the version of the last committed transaction
 * @param epoch the epoch of the store
 * @param visited number of objects and changes that lists and watches have read since the store was
 *     opened
 */
public record StoreFigures(
    int objects,
    long bytes,
    long limit,
    long historyBytes,
    long revision,
    long epoch,
    long visited) {}
