package verwalter.certificates;

import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** Issues the certificates of a cluster. */
public final class CertificateAuthority {
  /** How long an authority is valid. */
  public static final Duration AUTHORITY_LIFE = Duration.ofDays(3652);

  /**
   * How long the certificate of a node is valid. It is renewed in its last third, so a cluster
   * without a leader, or a node that is switched off, has 30 days. A node that was away for longer
   * joins again with a token. It is not shorter because a removed node is refused by its name, not
   * by waiting for its certificate to expire.
   */
  public static final Duration NODE_LIFE = Duration.ofDays(90);

  /** How long the certificate of a person is valid, unless a shorter time is asked for. */
  public static final Duration USER_LIFE = Duration.ofDays(365);

  /**
   * How far a clock may be behind that of the issuer: certificates are valid from so long before
   * they are issued. A machine that restores a wrong time zone or has a stopped clock is within it.
   */
  public static final Duration SKEW = Duration.ofDays(1);

  /** The address of ZooKeeper's server for the clients of its own machine. */
  private static final String LOOPBACK = "127.0.0.1";

  private static final String SUBJECT = "verwalter cluster ";
  private static final int MOST_ADDRESSES = 32;
  private static final int CLUSTER_BYTES = 16;
  private static final Pattern HOST =
      Pattern.compile(
          "(?=.{1,253}$)[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
              + "(\\.[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*");
  private static final Pattern IP4 =
      Pattern.compile("((25[0-5]|2[0-4]\\d|1?\\d?\\d)(\\.(?!$)|$)){4}");
  private static final Pattern IP6 = Pattern.compile("[0-9A-Fa-f:]{2,39}");

  private final String cluster;
  private final CertifiedKey credential;
  private final SecureRandom chance;

  /**
   * @param cluster id of the cluster
   * @param credential key and certificate of the authority
   */
  public CertificateAuthority(String cluster, CertifiedKey credential, SecureRandom chance) {
    this.cluster = cluster;
    this.credential = credential;
    this.chance = chance;
  }

  /** A new random id of a cluster: 32 digits of lower-case hex. */
  public static String newCluster(SecureRandom chance) {
    var bytes = new byte[CLUSTER_BYTES];
    chance.nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }

  /** Key and certificate of a new authority for a cluster. */
  public static CertifiedKey create(String cluster, Instant now, SecureRandom chance) {
    var keys = CertifiedKey.newKeys(chance);
    var content =
        new Signing.Content(
            keys.getPublic(),
            SUBJECT + cluster,
            List.of(),
            now.minus(SKEW),
            now.plus(AUTHORITY_LIFE));
    return new CertifiedKey(keys.getPrivate(), List.of(Signing.authority(keys, content, chance)));
  }

  /** The id of the cluster whose authority has this certificate. */
  public static Optional<String> cluster(X509Certificate authority) {
    var name = authority.getSubjectX500Principal().getName();
    var prefix = "CN=" + SUBJECT;
    return name.startsWith(prefix)
        ? Optional.of(name.substring(prefix.length()))
        : Optional.empty();
  }

  /** The certificate of this authority. */
  public X509Certificate certificate() {
    return credential.certificate();
  }

  /**
   * Issues the certificate of a node. That of an elector is also valid for the loopback address, at
   * which the elector's ZooKeeper server takes the connections of its own machine.
   *
   * @param key a checked key, see {@link CertificateRequest#key}
   * @param uid that of the node's object; empty if there is none yet
   * @param hosts host names and IP addresses of the node, without ports
   * @throws IllegalArgumentException if a name is not valid; the message names it
   */
  public X509Certificate node(
      PublicKey key,
      String name,
      boolean elector,
      Optional<String> uid,
      Collection<String> hosts,
      Instant now) {
    var names = new LinkedHashSet<String>();
    var addresses = new LinkedHashSet<String>();
    for (var host : hosts) {
      (isAddress(host) ? addresses : names).add(checked(host));
    }
    if (names.size() + addresses.size() > MOST_ADDRESSES) {
      throw new IllegalArgumentException(
          "a node has %d addresses at most".formatted(MOST_ADDRESSES));
    }
    if (HOST.matcher(name).matches() && !isAddress(name)) {
      names.add(name);
    }
    if (elector) {
      addresses.add(LOOPBACK);
    }
    return issue(
        CertifiedName.node(cluster, name, elector).withObject(uid),
        key,
        names,
        addresses,
        NODE_LIFE,
        now);
  }

  private static String checked(String host) {
    if (!isAddress(host) && !HOST.matcher(host).matches()) {
      throw new IllegalArgumentException(
          "\"%s\" is neither an IP address nor a host name".formatted(host));
    }
    return host;
  }

  /** Whether a text is an IP address, as opposed to a host name. */
  public static boolean isAddress(String host) {
    return IP4.matcher(host).matches() || (host.contains(":") && IP6.matcher(host).matches());
  }

  /**
   * Issues the certificate of a person.
   *
   * @param life how long it is valid, at most {@link #USER_LIFE}
   * @throws IllegalArgumentException if a name is not valid; the message names it
   */
  public X509Certificate user(
      PublicKey key, String name, Collection<String> groups, Duration life, Instant now) {
    var shorter = life.compareTo(USER_LIFE) < 0 ? life : USER_LIFE;
    return issue(CertifiedName.user(cluster, name, groups), key, Set.of(), Set.of(), shorter, now);
  }

  private X509Certificate issue(
      CertifiedName name,
      PublicKey key,
      Set<String> hosts,
      Set<String> addresses,
      Duration life,
      Instant now) {
    var last = credential.certificate().getNotAfter().toInstant();
    var until = now.plus(life);
    var content =
        new Signing.Content(
            key, name.name(), name.groups(), now.minus(SKEW), until.isBefore(last) ? until : last);
    return Signing.leaf(
        credential,
        content,
        name.uris(),
        new ArrayList<>(hosts),
        new ArrayList<>(addresses),
        chance);
  }
}
