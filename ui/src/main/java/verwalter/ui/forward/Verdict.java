package verwalter.ui.forward;

import java.util.Optional;

/** What a node does with a request. */
public sealed interface Verdict {
  /**
   * Answers it.
   *
   * @param partial whether the answer shows the objects of this node only, although it should show
   *     those of all nodes
   */
  record Answer(boolean partial) implements Verdict {}

  /**
   * Forwards it to the leader.
   *
   * @param address the leader's address, {@code host:port}
   */
  record Forward(String address) implements Verdict {}

  /** Refuses it with 503. */
  record Refuse(String why) implements Verdict {}

  /**
   * The node as it is when a request arrives.
   *
   * @param leads whether it leads
   * @param leader name of the leader, if there is one
   * @param address where the leader takes forwarded requests
   * @param hasCluster whether it has the objects of the cluster itself
   * @param forwarded whether another node has forwarded the request to it
   */
  record Situation(
      boolean leads,
      Optional<String> leader,
      Optional<String> address,
      boolean hasCluster,
      boolean forwarded) {}

  /** Decides. Pure. A forwarded request is never forwarded again. */
  static Verdict of(Need need, Situation now) {
    if (now.leads() || need == Need.NOTHING || (need == Need.CLUSTER && now.hasCluster())) {
      return new Answer(false);
    }
    if (now.forwarded()) {
      return new Refuse("this node does not lead any more");
    }
    if (now.leader().isPresent() && now.address().isPresent()) {
      return new Forward(now.address().get());
    }
    if (need != Need.LEADER) {
      return new Answer(true);
    }
    return new Refuse(
        now.leader()
            .map(
                leader ->
                    "the leader is node %s, but where it takes requests is not known yet"
                        .formatted(leader))
            .orElse(
                "there is no leader, which has to accept this; running processes are not affected,"
                    + " try again when a leader is elected"));
  }
}
