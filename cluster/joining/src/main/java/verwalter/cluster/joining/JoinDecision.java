package verwalter.cluster.joining;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import verwalter.certificates.CertificateAuthority;
import verwalter.cluster.joining.ClusterMember.Address;
import verwalter.cluster.joining.ClusterMember.Peer;
import verwalter.model.JoinToken;
import verwalter.model.JoinTokenText;
import verwalter.model.Names;
import verwalter.model.Node;
import verwalter.model.Resource;

/**
 * Decides whether a machine may join. Pure.
 *
 * <ol>
 *   <li>A request with a token that does not exist learns no more than one with a wrong secret.
 *       Nothing else is looked at before the token is known to be right.
 *   <li>A repeated request of the same machine with the same key and name is the same use.
 *   <li>A name that exists is given again only to its machine, and only with a token that names it:
 *       machine ids are no secrets.
 *   <li>Two nodes never have the same host, except for loopback addresses, so no node can act as
 *       another one for programs that check addresses.
 * </ol>
 *
 * @param spent the status of the token after this use; empty for a repeated request
 */
record JoinDecision(Optional<JoinToken.Status> spent) {
  /** How much clocks may differ: half of what certificates allow for. */
  static final Duration MOST_DIFFERENCE = Duration.ofHours(12);

  private static final int MOST_ADDRESSES = 16;
  private static final Pattern MACHINE = Pattern.compile("([0-9a-f]{2}){1,64}");
  private static final String CREATE = "vw token create";

  /**
   * What the cluster knows.
   *
   * @param token the token of the request
   * @param node the node of the requested name
   * @param members all members
   */
  record Situation(
      Optional<Resource<JoinToken.Spec, JoinToken.Status>> token,
      Optional<Resource<Node.Spec, Node.Status>> node,
      Collection<Peer> members,
      Instant now) {}

  /**
   * Decides.
   *
   * @param key SHA-256 of the key of the request
   */
  static JoinDecision decide(JoinRequest request, String key, Situation situation) throws Refused {
    var now = situation.now();
    var token =
        situation
            .token()
            .filter(it -> JoinTokenText.isSecret(request.secret(), it.spec()))
            .filter(it -> !it.meta().deleting())
            .orElseThrow(
                () ->
                    new Refused(
                        Refused.Reason.WRONG_TOKEN,
                        "the cluster does not know this token, or it was revoked",
                        CREATE));
    var use = new JoinToken.Use(request.node(), request.machine(), key, now);
    boolean repeated = uses(token).stream().anyMatch(use::isSame);
    checkToken(token, repeated, now);
    checkClock(request, now);
    checkNames(request);
    checkName(request, token, repeated, situation.node());
    checkAddresses(request.node(), request.addresses(), situation.members());
    return new JoinDecision(repeated ? Optional.empty() : Optional.of(spent(token, use)));
  }

  private static List<JoinToken.Use> uses(Resource<JoinToken.Spec, JoinToken.Status> token) {
    return token.status().map(JoinToken.Status::uses).orElse(List.of());
  }

  private static void checkToken(
      Resource<JoinToken.Spec, JoinToken.Status> token, boolean repeated, Instant now)
      throws Refused {
    if (token.spec().purpose() != JoinToken.Purpose.NODE) {
      throw new Refused(
          Refused.Reason.OTHER_PURPOSE, "the token is for a channel, not for a node", CREATE);
    }
    if (!now.isBefore(token.spec().expires())) {
      throw new Refused(
          Refused.Reason.EXPIRED_TOKEN,
          "the token has expired at " + token.spec().expires(),
          CREATE);
    }
    if (!repeated && JoinToken.used(token) >= token.spec().uses()) {
      throw new Refused(
          Refused.Reason.USED_UP,
          "the token was used %d of %d times".formatted(JoinToken.used(token), token.spec().uses()),
          CREATE);
    }
  }

  private static void checkClock(JoinRequest request, Instant now) throws Refused {
    var difference = Duration.between(now, Instant.ofEpochMilli(request.time()));
    if (difference.abs().compareTo(MOST_DIFFERENCE) > 0) {
      throw new Refused(
          Refused.Reason.CLOCK_DIFFERS,
          "the clock of this machine says %s, and that of the cluster %s"
              .formatted(Instant.ofEpochMilli(request.time()), now),
          "timedatectl set-ntp true");
    }
  }

  private static void checkNames(JoinRequest request) throws Refused {
    if (!Names.isValid(request.node())) {
      throw invalid("\"%s\" is not a name of a node: %s".formatted(request.node(), Names.RULE));
    }
    if (!MACHINE.matcher(request.machine()).matches()) {
      throw invalid("\"%s\" is not a machine id in lower-case hex".formatted(request.machine()));
    }
  }

  private static Refused invalid(String message) {
    return new Refused(Refused.Reason.INVALID, message, "");
  }

  private static void checkName(
      JoinRequest request,
      Resource<JoinToken.Spec, JoinToken.Status> token,
      boolean repeated,
      Optional<Resource<Node.Spec, Node.Status>> node)
      throws Refused {
    var name = request.node();
    var only = token.spec().name();
    if (only.isPresent() && !only.get().equals(name)) {
      throw new Refused(
          Refused.Reason.OTHER_PURPOSE,
          "the token is for node %s, not for %s".formatted(only.get(), name),
          "verwalter join --name " + only.get());
    }
    var machine = node.flatMap(Node::machineId);
    if (machine.isEmpty() || (repeated && machine.get().equals(request.machine()))) {
      return;
    }
    if (!machine.get().equals(request.machine())) {
      throw new Refused(
          Refused.Reason.NAME_TAKEN,
          "node %s is another machine (machine id %s)".formatted(name, machine.get()),
          "verwalter join --name OTHER, or if that machine is gone: vw node remove " + name);
    }
    if (only.isEmpty()) {
      throw new Refused(
          Refused.Reason.NAME_TAKEN,
          "node %s is in the cluster already; a machine that lost its disk needs a token for its name"
              .formatted(name),
          CREATE + " --name " + name);
    }
  }

  /** Checks that addresses are valid, and not those of other members. */
  static void checkAddresses(String node, Collection<String> addresses, Collection<Peer> members)
      throws Refused {
    if (addresses.isEmpty() || addresses.size() > MOST_ADDRESSES) {
      throw invalid("a node has 1 to %d addresses".formatted(MOST_ADDRESSES));
    }
    for (var each : addresses) {
      var wanted = address(each);
      for (var peer : members) {
        if (!peer.node().equals(node) && isTaken(wanted, peer)) {
          throw new Refused(
              Refused.Reason.ADDRESS_TAKEN,
              "%s is an address of node %s".formatted(each, peer.node()),
              "verwalter join --address HOST:PORT");
        }
      }
    }
  }

  private static boolean isTaken(Address wanted, Peer peer) {
    var host = canonical(wanted.host());
    return host.equals(canonical(peer.node()))
        || peer.addresses().stream()
            .map(Address::of)
            .anyMatch(
                it ->
                    canonical(it.host()).equals(host)
                        && (!isLoopback(host) || it.port() == wanted.port()));
  }

  private static boolean isLoopback(String host) {
    return host.equals("localhost") || host.startsWith("127.") || host.equals("0:0:0:0:0:0:0:1");
  }

  /** One text for each spelling of an address. Never asks a name server. */
  private static String canonical(String host) {
    if (!CertificateAuthority.isAddress(host)) {
      return host.toLowerCase(Locale.ROOT);
    }
    try {
      return InetAddress.getByName(host).getHostAddress();
    } catch (UnknownHostException e) {
      return host;
    }
  }

  private static Address address(String text) throws Refused {
    try {
      return Address.of(text);
    } catch (IllegalArgumentException e) {
      throw invalid(String.valueOf(e.getMessage()));
    }
  }

  /** The hosts of addresses, which are checked. */
  static List<String> hosts(Collection<String> addresses) {
    return addresses.stream().map(it -> Address.of(it).host()).distinct().toList();
  }

  private static JoinToken.Status spent(
      Resource<JoinToken.Spec, JoinToken.Status> token, JoinToken.Use use) {
    var uses = new ArrayList<>(uses(token));
    uses.add(use);
    int first = Math.max(0, uses.size() - JoinToken.MOST_LISTED);
    return new JoinToken.Status(
        token.meta().generation(), JoinToken.used(token) + 1, uses.subList(first, uses.size()));
  }
}
