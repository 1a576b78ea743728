package verwalter.certificates;

import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** An authority with the credentials and files that tests need. */
final class TestAuthority {
  static final Instant NOW = Instant.parse("2026-11-22T12:00:00Z");
  static final String CLUSTER = "0123456789abcdef0123456789abcdef";
  static final SecureRandom CHANCE = new SecureRandom();

  final CertifiedKey credential;
  final CertificateAuthority authority;

  TestAuthority() {
    this(NOW);
  }

  TestAuthority(Instant now) {
    this(CLUSTER, now);
  }

  private TestAuthority(String cluster, Instant now) {
    credential = CertificateAuthority.create(cluster, now, CHANCE);
    authority = new CertificateAuthority(cluster, credential, CHANCE);
  }

  static TestAuthority ofOtherCluster() {
    return new TestAuthority("f".repeat(32), NOW);
  }

  TrustBundle trust() {
    return new TrustBundle(List.of(credential.certificate()));
  }

  CertifiedKey node(String name) {
    return node(name, false, NOW);
  }

  CertifiedKey node(String name, boolean elector, Instant now) {
    var keys = CertifiedKey.newKeys(CHANCE);
    var issued =
        authority.node(
            keys.getPublic(), name, elector, Optional.empty(), List.of("10.0.0.1", "fd00::1"), now);
    return new CertifiedKey(keys.getPrivate(), List.of(issued, credential.certificate()));
  }

  CertifiedKey user(String name, String... groups) {
    var keys = CertifiedKey.newKeys(CHANCE);
    var issued = authority.user(keys.getPublic(), name, List.of(groups), Duration.ofDays(1), NOW);
    return new CertifiedKey(keys.getPrivate(), List.of(issued, credential.certificate()));
  }

  /** The files of a node with this credential. */
  Pki pki(CertifiedKey node) throws IOException {
    var pki = new Pki(new MemoryFiles());
    pki.installTrust(trust());
    pki.installNode(node);
    return pki;
  }

  /** Files in memory. */
  static class MemoryFiles implements PkiFiles {
    final Map<String, String> contents = new HashMap<>();
    private int writes;
    private final Map<String, Integer> stamps = new HashMap<>();

    @Override
    public Optional<String> read(String name) throws IOException {
      return Optional.ofNullable(contents.get(name));
    }

    @Override
    public Object stamp(String name) {
      return stamps.getOrDefault(name, 0);
    }

    @Override
    public void write(String name, String content) throws IOException {
      contents.put(name, content);
      stamps.put(name, ++writes);
    }

    @Override
    public void delete(String name) throws IOException {
      contents.remove(name);
      stamps.put(name, ++writes);
    }

    @Override
    public String place(String name) {
      return name;
    }
  }
}
