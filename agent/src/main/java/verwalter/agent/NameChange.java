package verwalter.agent;

import java.io.IOException;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import verwalter.cluster.joining.Enrollment;
import verwalter.model.JoinToken;
import verwalter.model.Node;
import verwalter.stores.api.ObjectStore;

/** Takes another name when a token of an admin gives it to this node. */
record NameChange(
    MemberIdentity identity,
    Enrollment enrollment,
    CurrentLeader leader,
    ObjectStore store,
    InstantSource clock) {
  static void start(
      ClusterEnvironment environment,
      MemberIdentity identity,
      CurrentLeader leader,
      ObjectStore store)
      throws IOException {
    var enrollment = environment.enrollment(identity);
    var change = new NameChange(identity, enrollment, leader, store, environment.clock());
    environment
        .parts()
        .add(
            "change of the name",
            IdentityChange.start(
                environment.loop("name"),
                environment.restart(),
                store,
                List.of(JoinToken.KIND, Node.KIND),
                change::wanted));
  }

  private Optional<IdentityChange.Wanted> wanted() {
    return NewName.of(
            identity.node(),
            identity.machine(),
            store.list(Node.KIND),
            store.list(JoinToken.KIND),
            clock.instant())
        .map(
            name ->
                new IdentityChange.Wanted(
                    "be named " + name,
                    () ->
                        enrollment.rename(
                            identity.tls(), identity.member(), name, leader.contact(identity))));
  }
}
