package verwalter.agent;

import io.vertx.core.Vertx;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import java.util.function.Function;
import verwalter.cluster.joining.Enrollment;
import verwalter.concurrent.Loop;
import verwalter.stores.cluster.ClusterOptions;
import verwalter.stores.cluster.StoreEnvironment;
import verwalter.stores.local.Options;

/**
 * What the parts of a cluster's node need from the process.
 *
 * @param loops creates a loop with a name
 * @param executor for work that blocks
 * @param failover how soon a lost leader is replaced
 * @param parts are closed when the agent ends, in reverse order
 * @param restart asks for all parts to be closed and opened again
 */
record ClusterEnvironment(
    Vertx vertx,
    Function<String, Loop> loops,
    Executor executor,
    ThreadFactory threads,
    InstantSource clock,
    SecureRandom chance,
    Failover failover,
    OpenParts parts,
    Runnable restart) {
  Loop loop(String name) {
    return loops.apply(name);
  }

  /** What the store of the cluster's objects needs, which may use half of the memory. */
  StoreEnvironment store(Loop loop) {
    return new StoreEnvironment(
        ClusterOptions.DEFAULT.with(Options.within(Runtime.getRuntime().maxMemory() / 2)),
        loop,
        executor,
        chance::nextDouble,
        clock,
        () -> UUID.randomUUID().toString());
  }

  /**
   * What a member requests of the authority of its cluster.
   *
   * @throws IOException if the member's files cannot be read
   */
  Enrollment enrollment(MemberIdentity identity) throws IOException {
    return new Enrollment(vertx, identity.files().own(), identity.pki(), clock, chance);
  }
}
