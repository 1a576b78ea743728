package verwalter.agent;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import verwalter.certificates.Peers;
import verwalter.cluster.Leadership;
import verwalter.cluster.forks.ForkFiles;
import verwalter.cluster.forks.MinoritySide;
import verwalter.cluster.forks.SideLeadership;
import verwalter.cluster.forks.SidePeers;
import verwalter.cluster.jgroups.GroupTimes;
import verwalter.cluster.jgroups.JGroupsMembership;
import verwalter.cluster.joining.ClusterMember.Address;
import verwalter.cluster.mirror.RoutedStore;
import verwalter.cluster.sides.ForkMerge.Overridden;
import verwalter.cluster.sides.SideOptions;
import verwalter.concurrent.Backoff;
import verwalter.concurrent.Loop;
import verwalter.controllers.runtime.Events;
import verwalter.model.Event;
import verwalter.model.Node;
import verwalter.model.Reason;
import verwalter.stores.cluster.ClusterStore;
import verwalter.stores.local.LocalStore;
import verwalter.stores.local.Options;

/**
 * What a member of a cluster does while the log has no leader.
 *
 * @param mayLead whether this node may lead a side of one: it must be able to write to the log
 *     later
 */
record NodeSide(
    ClusterEnvironment environment,
    MemberIdentity identity,
    SideOptions options,
    ClusterStore log,
    Leadership leadership,
    SidePeers peers,
    boolean mayLead) {
  private static final Logger LOG = LoggerFactory.getLogger(NodeSide.class);

  private static final Backoff RETRY =
      Backoff.exponential(Duration.ofMillis(500), Duration.ofSeconds(30));

  private static final double JITTER = 0.3;

  /**
   * Begins to observe the log.
   *
   * @param seat the leadership of this node
   * @param loop the loop of the seat
   * @param stores show the fork while this node uses one
   * @param node the node's own store
   */
  MinoritySide start(SideLeadership seat, Loop loop, List<RoutedStore> stores, LocalStore node)
      throws IOException {
    var events = new Events(node, environment.loop("side-events"), identity.node());
    var files =
        new ForkFiles(
            identity.files().fork(),
            Options.within(Runtime.getRuntime().maxMemory() / 4),
            environment.executor(),
            environment.clock(),
            () -> UUID.randomUUID().toString());
    var members = new ReachedMembers(this::join, LOG::warn, loop);
    var side =
        MinoritySide.start(
            new MinoritySide.Cluster(
                identity.machine(),
                System::nanoTime,
                leadership,
                log,
                log::snapshot,
                this::electors,
                members,
                peers,
                mayLead),
            new MinoritySide.Effects(
                seat,
                store -> stores.forEach(each -> each.becomeCluster(store)),
                lost -> lost.forEach(each -> report(events, each))),
            files,
            options,
            loop);
    environment.parts().add("side", () -> Waiting.forResult(side.stop()));
    return side;
  }

  private ReachedMembers.Group join() throws IOException {
    var others =
        ElectorSlots.members(log).stream()
            .flatMap(member -> member.addresses().stream().limit(1))
            .map(text -> of(Address.of(text)))
            .collect(Collectors.toSet());
    var group =
        JGroupsMembership.join(
            identity.member().cluster(),
            identity.machine(),
            of(identity.address()),
            others,
            identity.tls().context(Peers.NODES),
            GroupTimes.NORMAL,
            RETRY.jittered(JITTER, environment.chance()::nextDouble),
            environment.threads());
    return new ReachedMembers.Group(group, group::close);
  }

  private static InetSocketAddress of(Address address) {
    return new InetSocketAddress(address.host(), address.port() + NodePorts.GROUP);
  }

  private static void report(Events events, Overridden lost) {
    events.report("side", lost.key(), Event.Type.WARNING, Reason.OVERRIDDEN, lost.message());
  }

  /** The machine ids of the electors. */
  private Set<String> electors() {
    var names = ElectorSlots.voters(log);
    return log.list(Node.KIND).stream()
        .filter(node -> names.contains(node.name()))
        .flatMap(node -> Node.machineId(node).stream())
        .collect(Collectors.toSet());
  }
}
