package verwalter.certificates;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.SecureRandom;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The keys and certificates of this node, in files. {@link #NODE} contains the key and the
 * certificates, so that both change in one step. Programs that take PEM files, such as ZooKeeper,
 * can read {@link #NODE} and {@link #TRUST}. Thread-safe.
 *
 * <p>A file is read again when it has changed. While its content cannot be used, the previous one
 * stays in use.
 */
public final class Pki {
  /** The key of the node, its certificate and that of the authority. */
  public static final String NODE = "node.pem";

  /** The authorities that the node trusts. */
  public static final String TRUST = "trust.pem";

  /** The key and the certificate of the authority; only on electors. */
  public static final String AUTHORITY = "authority.pem";

  /** The same of the authority that is about to replace it. */
  public static final String NEXT_AUTHORITY = "next-authority.pem";

  /** The keys for which a certificate was requested, until it is installed. */
  private static final String REQUEST = "request.pem";

  private final PkiFiles files;
  private final Map<String, Loaded> loaded = new HashMap<>(); // guarded by this

  private record Loaded(Object stamp, Object content) {}

  @FunctionalInterface
  private interface Reader<T> {
    T read(String text) throws GeneralSecurityException;
  }

  public Pki(PkiFiles files) {
    this.files = files;
  }

  /**
   * The key and certificate of this node.
   *
   * @throws IOException if there is none, or it cannot be read
   */
  public CertifiedKey node() throws IOException {
    return existing(NODE, find(NODE, CertifiedKey.class, CertifiedKey::of));
  }

  /**
   * The authorities that this node trusts.
   *
   * @throws IOException if there are none, or they cannot be read
   */
  public TrustBundle trust() throws IOException {
    return existing(TRUST, find(TRUST, TrustBundle.class, TrustBundle::of));
  }

  /** The authority, if this node is an elector. */
  public Optional<CertifiedKey> authority() throws IOException {
    return find(AUTHORITY, CertifiedKey.class, CertifiedKey::of);
  }

  /** The next authority, if this node is an elector and the authority is being replaced. */
  public Optional<CertifiedKey> nextAuthority() throws IOException {
    return find(NEXT_AUTHORITY, CertifiedKey.class, CertifiedKey::of);
  }

  private <T> T existing(String name, Optional<T> found) throws IOException {
    return found.orElseThrow(
        () ->
            new IOException(
                "%s does not exist; this node is in no cluster".formatted(files.place(name))));
  }

  private synchronized <T> Optional<T> find(String name, Class<T> type, Reader<T> reader)
      throws IOException {
    var before = loaded.get(name);
    try {
      var stamp = files.stamp(name);
      if (before != null && before.stamp.equals(stamp)) {
        return Optional.of(type.cast(before.content));
      }
      var text = files.read(name);
      if (text.isEmpty()) {
        loaded.remove(name);
        return Optional.empty();
      }
      var content = reader.read(text.get());
      loaded.put(name, new Loaded(stamp, content));
      return Optional.of(content);
    } catch (IOException | GeneralSecurityException e) {
      if (before != null) {
        return Optional.of(type.cast(before.content));
      }
      throw new IOException(
          "%s cannot be used: %s".formatted(files.place(name), e.getMessage()), e);
    }
  }

  /**
   * The keys for the next certificate of this node. They stay the same until {@link #endRequest},
   * also after a crash, so that a repeated request is recognized.
   */
  public KeyPair requestKeys(SecureRandom chance) throws IOException {
    var present = files.read(REQUEST);
    if (present.isPresent()) {
      try {
        return Pem.keys(present.get());
      } catch (GeneralSecurityException damaged) {
        return newRequest(chance); // the request is a new one then
      }
    }
    return newRequest(chance);
  }

  private KeyPair newRequest(SecureRandom chance) throws IOException {
    var keys = CertifiedKey.newKeys(chance);
    files.write(REQUEST, Pem.of(keys));
    return keys;
  }

  /** Forgets the keys of {@link #requestKeys}, once their certificate is installed. */
  public void endRequest() throws IOException {
    files.delete(REQUEST);
  }

  public void installNode(CertifiedKey credential) throws IOException {
    files.write(NODE, credential.pem());
  }

  public void installTrust(TrustBundle bundle) throws IOException {
    files.write(TRUST, bundle.pem());
  }

  public void installAuthority(CertifiedKey authority) throws IOException {
    files.write(AUTHORITY, authority.pem());
  }

  public void installNextAuthority(CertifiedKey authority) throws IOException {
    files.write(NEXT_AUTHORITY, authority.pem());
  }

  /** Deletes the keys of the authority and the next one, when the node stops being an elector. */
  public void removeAuthority() throws IOException {
    files.delete(NEXT_AUTHORITY);
    files.delete(AUTHORITY);
  }

  /** Begins to issue certificates of the next authority. Does nothing if there is none. */
  public void promoteAuthority() throws IOException {
    var next = nextAuthority();
    if (next.isPresent()) {
      installAuthority(next.get());
      removeNextAuthority();
    }
  }

  /**
   * What this node reports during a rotation.
   *
   * @throws IOException if its files cannot be read
   */
  public AuthorityRotation.Progress progress(String node, boolean elector) throws IOException {
    return new AuthorityRotation.Progress(
        node,
        elector,
        trust(),
        node().chain().get(node().chain().size() - 1),
        authority().map(CertifiedKey::certificate),
        nextAuthority().map(CertifiedKey::certificate));
  }

  public void removeNextAuthority() throws IOException {
    files.delete(NEXT_AUTHORITY);
  }
}
