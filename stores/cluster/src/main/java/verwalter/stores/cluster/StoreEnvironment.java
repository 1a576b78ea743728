package verwalter.stores.cluster;

import java.time.InstantSource;
import java.util.concurrent.Executor;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;
import verwalter.concurrent.TimedExecutor;

/**
 * What a {@link ClusterStore} needs from its process.
 *
 * @param loop owns the state of the log
 * @param executor runs the writers of transactions and of the copy, and the decoding after opening:
 *     at most three tasks at a time
 * @param chance random numbers from 0 (inclusive) to 1 (exclusive)
 * @param clock gives the times of creation and deletion
 * @param uids supplies unique strings; called by one thread at a time
 */
public record StoreEnvironment(
    ClusterOptions options,
    TimedExecutor loop,
    Executor executor,
    DoubleSupplier chance,
    InstantSource clock,
    Supplier<String> uids) {}
