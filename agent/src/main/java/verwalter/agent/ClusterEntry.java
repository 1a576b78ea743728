package verwalter.agent;

import io.vertx.core.Future;
import java.util.List;
import verwalter.cluster.joining.ClusterClient;
import verwalter.cluster.joining.ClusterMember.Address;
import verwalter.cluster.joining.Refused;

/** Requests the place of this node in the ensemble from other members, one after the other. */
record ClusterEntry(ClusterClient client, List<Address> others) {
  /**
   * The place of this node, and the other members of the ensemble.
   *
   * @param by the member that answered
   */
  record Place(ElectorSlots.Placed placed, Address by) {}

  /**
   * Requests the place of this node. Fails as the last member fails, and at once if enough nodes
   * have one.
   *
   * @param port the first of three ports
   */
  Future<Place> request(String host, int port) {
    var attempt = Future.<Place>failedFuture("no other member is known");
    for (var address : others) {
      attempt =
          attempt.recover(
              failure ->
                  isEnough(failure) ? Future.failedFuture(failure) : request(address, host, port));
    }
    return attempt;
  }

  /** Whether this node is to follow the log without a server. */
  static boolean isEnough(Throwable failure) {
    return failure instanceof Refused refused && refused.reason() == Refused.Reason.ENOUGH_SERVERS;
  }

  private Future<Place> request(Address address, String host, int port) {
    return client
        .send(
            address,
            ElectorSlots.PATH,
            new ElectorSlots.Request(host, port),
            ElectorSlots.Placed.class)
        .map(placed -> new Place(placed, address));
  }
}
