package verwalter.agent;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import verwalter.certificates.Peers;
import verwalter.cluster.View;
import verwalter.cluster.forks.SideMembers;
import verwalter.cluster.jgroups.GroupTimes;
import verwalter.cluster.jgroups.JGroupsMembership;
import verwalter.cluster.joining.ClusterMember.Address;
import verwalter.concurrent.Loop;
import verwalter.stores.api.ObjectStore;

/**
 * The members of the cluster that this node reaches, by JGroups. The group exists only while some
 * role needs it. Its state belongs to the loop.
 */
final class ReachedMembers implements SideMembers {
  private static final Logger LOG = LoggerFactory.getLogger(ReachedMembers.class);

  /** The distance of the group's port from that of the cluster. */
  private static final int OFFSET = 4;

  private final ClusterEnvironment environment;
  private final MemberIdentity identity;
  private final ObjectStore log;
  private final Loop loop;
  private @Nullable JGroupsMembership group;
  private boolean busy;

  ReachedMembers(
      ClusterEnvironment environment, MemberIdentity identity, ObjectStore log, Loop loop) {
    this.environment = environment;
    this.identity = identity;
    this.log = log;
    this.loop = loop;
  }

  @Override
  public void want(boolean wanted) {
    var present = group;
    if (busy || wanted == (present != null)) {
      return;
    }
    busy = true;
    loop.offload(() -> wanted ? join() : leave(present))
        .onComplete(
            done -> {
              busy = false;
              group = done.succeeded() ? done.result() : null;
              if (done.failed()) {
                LOG.warn("side: {}", done.cause().getMessage());
              }
            });
  }

  private JGroupsMembership join() throws IOException {
    var others =
        ElectorSlots.members(log).stream()
            .flatMap(member -> member.addresses().stream().limit(1))
            .map(text -> of(Address.of(text)))
            .collect(Collectors.toSet());
    return JGroupsMembership.join(
        identity.member().cluster(),
        identity.machine(),
        of(identity.address()),
        others,
        identity.tls().context(Peers.NODES),
        GroupTimes.NORMAL,
        environment.threads());
  }

  private static InetSocketAddress of(Address address) {
    return new InetSocketAddress(address.host(), address.port() + OFFSET);
  }

  private static @Nullable JGroupsMembership leave(@Nullable JGroupsMembership present) {
    if (present != null) {
      present.close();
    }
    return null;
  }

  @Override
  public Optional<View> view() {
    var present = group;
    // The view before the group is joined has the number 0.
    return Optional.ofNullable(present).map(JGroupsMembership::view).filter(it -> it.number() > 0);
  }
}
