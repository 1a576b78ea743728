package verwalter.access;

import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import verwalter.model.AccessRule.Grant;

/**
 * A caller of the API.
 *
 * @param name such as {@code ada} or {@code unix:root}; for a node, the name of the node
 * @param groups names of groups, see {@link #groupOf}
 * @param credential how the name is known
 * @param through the node that names the caller and is no elector, so that the caller may do only
 *     what that node may do too; usually empty
 */
public record Caller(
    String name, Set<String> groups, Credential credential, Optional<String> through) {
  /** The name of callers without a credential. */
  public static final String ANONYMOUS = "anonymous";

  private static final String PREFIX = "verwalter:";

  public Caller {
    groups = Set.copyOf(groups);
  }

  /** A caller whose credential is known here. */
  public Caller(String name, Set<String> groups, Credential credential) {
    this(name, groups, credential, Optional.empty());
  }

  /** The same caller, named by a node that is no elector. */
  public Caller through(String node) {
    return new Caller(name, groups, credential, Optional.of(node));
  }

  /** The group whose members have a grant for everything: {@code verwalter:admin} for admins. */
  public static String groupOf(Grant grant) {
    return PREFIX + grant.word();
  }

  /** A caller without a credential, who has {@code grant}, but never that of admins. */
  public static Caller anonymous(Optional<Grant> grant) {
    return new Caller(
        ANONYMOUS, grant.map(Caller::groupOf).map(Set::of).orElse(Set.of()), Credential.NONE);
  }

  /** A user of this machine who is connected to the unix socket. */
  public static Caller ofSocket(String user, Optional<Grant> grant) {
    return new Caller(
        "unix:" + user,
        grant.map(Caller::groupOf).map(Set::of).orElse(Set.of()),
        Credential.SOCKET_PEER);
  }

  /** The bearer of a client certificate. */
  public static Caller ofCertificate(String name, Set<String> groups) {
    return new Caller(name, groups, Credential.CLIENT_CERTIFICATE);
  }

  /** The bearer of an access token. */
  public static Caller ofToken(String name, Set<String> groups) {
    return new Caller(name, groups, Credential.BEARER_TOKEN);
  }

  /** Another node of the cluster. */
  public static Caller ofNode(String node) {
    return new Caller(node, Set.of(), Credential.NODE_CERTIFICATE);
  }

  /** Whether a credential proves the name. */
  public boolean isKnown() {
    return credential != Credential.NONE;
  }

  /** Whether the caller is another node. */
  public boolean isNode() {
    return credential == Credential.NODE_CERTIFICATE;
  }

  /** The grants of the caller's groups. Nodes have none. */
  Set<Grant> grants() {
    var grants = EnumSet.noneOf(Grant.class);
    for (var grant : Grant.values()) {
      if (!isNode() && groups.contains(groupOf(grant))) {
        grants.add(grant);
      }
    }
    return grants;
  }

  /** For messages: the name, and how it is known. */
  public String title() {
    return isKnown() ? "%s (%s)".formatted(name, credential.title()) : ANONYMOUS;
  }

  /** The groups in alphabetical order. */
  public Set<String> sortedGroups() {
    return new TreeSet<>(groups);
  }
}
