package verwalter.agent;

import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import verwalter.cluster.joining.ClusterMember.Address;
import verwalter.cluster.joining.Enrollment;
import verwalter.concurrent.Loop;
import verwalter.concurrent.Watch;
import verwalter.model.JoinToken;
import verwalter.model.Node;
import verwalter.stores.api.ObjectStore;

/**
 * Takes another name when a token of an admin gives it to this node: requests a certificate with
 * that name and starts the parts of the agent again. Processes are not affected. Confined to its
 * loop.
 */
final class NameChange implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(NameChange.class);
  private static final Duration AGAIN = Duration.ofSeconds(2);

  private final MemberIdentity identity;
  private final Enrollment enrollment;
  private final CurrentLeader leader;
  private final ObjectStore store;
  private final InstantSource clock;
  private final Loop loop;
  private final Runnable restart;
  private Watch tokens = () -> {};
  private Watch nodes = () -> {};
  private boolean busy;

  /** Why it failed, as last reported. */
  private String reported = "";

  private NameChange(
      ClusterEnvironment environment,
      MemberIdentity identity,
      Enrollment enrollment,
      CurrentLeader leader,
      ObjectStore store,
      Loop loop) {
    this.identity = identity;
    this.enrollment = enrollment;
    this.leader = leader;
    this.store = store;
    this.clock = environment.clock();
    this.loop = loop;
    this.restart = environment.restart();
  }

  static void start(
      ClusterEnvironment environment,
      MemberIdentity identity,
      CurrentLeader leader,
      ObjectStore store)
      throws IOException {
    var enrollment = environment.enrollment(identity);
    var loop = environment.loop("name");
    var change = new NameChange(environment, identity, enrollment, leader, store, loop);
    environment.parts().add("change of the name", change);
    change.tokens = store.watch(JoinToken.KIND, loop, token -> change.check());
    change.nodes = store.watch(Node.KIND, loop, node -> change.check());
    loop.execute(change::check);
  }

  private void check() {
    if (!busy) {
      NewName.of(
              identity.node(),
              identity.machine(),
              store.list(Node.KIND),
              store.list(JoinToken.KIND),
              clock.instant())
          .ifPresent(this::take);
    }
  }

  private void take(String name) {
    busy = true;
    var at = leader.address().map(Address::of).orElseGet(identity::address);
    enrollment
        .rename(identity.tls(), identity.member(), name, at)
        .onComplete(done -> loop.execute(() -> finish(name, done.succeeded(), done.cause())));
  }

  private void finish(String name, boolean succeeded, @Nullable Throwable failure) {
    if (succeeded) {
      LOG.info("this node is named {} now; its parts start again", name);
      restart.run(); // busy remains
      return;
    }
    var why = String.valueOf(failure == null ? "" : failure.getMessage());
    if (!why.equals(reported)) {
      LOG.warn("this node cannot be named {} yet: {}", name, why);
      reported = why;
    }
    loop.after(
        AGAIN,
        () -> {
          busy = false;
          check();
        });
  }

  @Override
  public void close() {
    tokens.close();
    nodes.close();
    loop.execute(() -> busy = true);
  }
}
