package verwalter.stores.zookeeper;

import java.nio.file.Path;

/**
 * The files with which a process identifies itself, and by which it checks others. Both are PEM
 * files. They are read for each client and may be replaced.
 *
 * @param key a private key in PKCS #8, and behind it its certificate and those of intermediate
 *     authorities
 * @param authorities the certificates of the authorities that issue the certificates of others
 */
public record TlsFiles(Path key, Path authorities) {
  @Override
  public String toString() {
    return "%s and %s".formatted(key, authorities);
  }
}
