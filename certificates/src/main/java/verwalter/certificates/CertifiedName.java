package verwalter.certificates;

import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;

/**
 * Whom a certificate of a cluster was issued to. The certificate contains it as a URI, {@code
 * verwalter://CLUSTER/node/NAME} or {@code verwalter://CLUSTER/user/NAME}. An elector has {@code
 * verwalter://CLUSTER/elector/NAME} in addition, a node whose object is known {@code
 * verwalter://CLUSTER/object/UID}, and each group of a person is an organization of the subject.
 *
 * @param cluster id of the cluster
 * @param name name of the node or the person
 * @param elector whether the node may vote and hold the key of the authority
 * @param object the uid of the node's object, which tells it from a former node of the same name;
 *     empty for people, and for a node that had no object yet
 * @param groups the groups of a person, in order; empty for nodes
 */
public record CertifiedName(
    String cluster,
    Type type,
    String name,
    boolean elector,
    Optional<String> object,
    List<String> groups) {
  private static final Pattern CLUSTER = Pattern.compile("[0-9a-f]{32}");

  /** The names of objects, so that a node has a name that its object can have. */
  private static final Pattern NAME =
      Pattern.compile("[A-Za-z0-9]([A-Za-z0-9._@-]{0,251}[A-Za-z0-9])?");

  private static final Pattern GROUP =
      Pattern.compile("[A-Za-z0-9]([A-Za-z0-9.:_@-]{0,251}[A-Za-z0-9])?");

  private static final Pattern URI = Pattern.compile("verwalter://([^/]+)/(node|user)/([^/]+)");

  private static final Pattern UID = Pattern.compile("[A-Za-z0-9-]{1,64}");

  /** The type of a subject alternative name that is a URI. */
  private static final int URI_TYPE = 6;

  /** Nodes and people. */
  public enum Type {
    NODE,
    USER
  }

  /**
   * Checks all parts.
   *
   * @throws IllegalArgumentException if one is not valid; the message names it
   */
  public CertifiedName {
    require(CLUSTER, "a cluster id", cluster);
    require(NAME, "a name", name);
    groups = List.copyOf(groups);
    groups.forEach(group -> require(GROUP, "a group", group));
    object.ifPresent(uid -> require(UID, "a uid", uid));
    if (type == Type.NODE ? !groups.isEmpty() : elector || object.isPresent()) {
      throw new IllegalArgumentException(
          "only nodes are electors or have an object, and only people have groups");
    }
  }

  private static void require(Pattern pattern, String what, String text) {
    if (!pattern.matcher(text).matches()) {
      throw new IllegalArgumentException("not %s: \"%s\"".formatted(what, text));
    }
  }

  /** A node. */
  public static CertifiedName node(String cluster, String name, boolean elector) {
    return new CertifiedName(cluster, Type.NODE, name, elector, Optional.empty(), List.of());
  }

  /** The same node, whose object has a uid. */
  CertifiedName withObject(Optional<String> uid) {
    return new CertifiedName(cluster, type, name, elector, uid, groups);
  }

  /** A person, or a program that acts for one. */
  public static CertifiedName user(String cluster, String name, Collection<String> groups) {
    return new CertifiedName(
        cluster, Type.USER, name, false, Optional.empty(), List.copyOf(groups));
  }

  /** The name in a certificate; empty if it is not a certificate of a cluster. */
  public static Optional<CertifiedName> of(X509Certificate certificate) {
    try {
      var names = certificate.getSubjectAlternativeNames();
      if (names == null) {
        return Optional.empty();
      }
      var uris = new ArrayList<String>();
      for (var each : names) {
        if (each.get(0).equals(URI_TYPE)) {
          uris.add((String) each.get(1));
        }
      }
      return of(uris, groups(certificate));
    } catch (CertificateParsingException | InvalidNameException | IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private static Optional<CertifiedName> of(List<String> uris, List<String> groups) {
    if (uris.isEmpty()) {
      return Optional.empty();
    }
    var first = URI.matcher(uris.get(0));
    if (!first.matches()) {
      return Optional.empty();
    }
    var cluster = first.group(1);
    var rest = new ArrayList<>(uris.subList(1, uris.size()));
    boolean elector = rest.remove("verwalter://%s/elector/%s".formatted(cluster, first.group(3)));
    var prefix = "verwalter://%s/object/".formatted(cluster);
    var objects = rest.stream().filter(uri -> uri.startsWith(prefix)).toList();
    if (rest.size() > 1 || objects.size() < rest.size()) {
      return Optional.empty();
    }
    return Optional.of(
        new CertifiedName(
            cluster,
            first.group(2).equals("node") ? Type.NODE : Type.USER,
            first.group(3),
            elector,
            objects.stream().map(uri -> uri.substring(prefix.length())).findFirst(),
            groups));
  }

  private static List<String> groups(X509Certificate certificate) throws InvalidNameException {
    var groups = new ArrayList<String>();
    for (var part : new LdapName(certificate.getSubjectX500Principal().getName()).getRdns()) {
      if (part.getType().equalsIgnoreCase("O")) {
        groups.add(String.valueOf(part.getValue()));
      }
    }
    return groups;
  }

  /** The URIs in the certificate. */
  List<String> uris() {
    var uris = new ArrayList<String>();
    uris.add(uri(type == Type.NODE ? "node" : "user", name));
    if (elector) {
      uris.add(uri("elector", name));
    }
    object.ifPresent(uid -> uris.add(uri("object", uid)));
    return uris;
  }

  private String uri(String role, String id) {
    return "verwalter://%s/%s/%s".formatted(cluster, role, id);
  }

  /** For messages, such as {@code node n1} or {@code user admin}. */
  public String title() {
    return (type == Type.NODE ? "node " : "user ") + name;
  }
}
