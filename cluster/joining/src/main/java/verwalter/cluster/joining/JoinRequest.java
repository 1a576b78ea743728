package verwalter.cluster.joining;

import java.util.List;

/**
 * A machine asks to become a node of the cluster.
 *
 * @param token id of the join token
 * @param secret its secret
 * @param request a certificate request for the machine's key, in PEM
 * @param node the name that the machine wants
 * @param machine its machine id, lower-case hex
 * @param addresses addresses at which other members reach it, {@code host:port}
 * @param time its clock, in milliseconds since 1970
 */
record JoinRequest(
    String token,
    String secret,
    String request,
    String node,
    String machine,
    List<String> addresses,
    long time) {
  JoinRequest {
    addresses = List.copyOf(addresses);
  }

  /** Without the secret. */
  @Override
  public String toString() {
    return "JoinRequest[token=%s, node=%s, machine=%s]".formatted(token, node, machine);
  }
}
