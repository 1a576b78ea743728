package verwalter.artifacts;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** Computes SHA-256. */
final class Sha256 {
  static MessageDigest start() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /** Called with the number of bytes before each buffer is used. */
  @FunctionalInterface
  interface Check {
    void reading(int bytes) throws ArtifactException;
  }

  /** Adds the content of a file; returns its size. */
  static long add(MessageDigest digest, Path file, Check check)
      throws IOException, ArtifactException {
    var buffer = new byte[1 << 16];
    long size = 0;
    try (var in = Files.newInputStream(file)) {
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        check.reading(n);
        digest.update(buffer, 0, n);
        size += n;
      }
    }
    return size;
  }

  private Sha256() {}
}
