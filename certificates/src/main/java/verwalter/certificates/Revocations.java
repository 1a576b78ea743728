package verwalter.certificates;

import java.time.Instant;

/** Says which certificates are not accepted any more, though their authority is trusted. */
@FunctionalInterface
public interface Revocations {
  /** No certificate is revoked. */
  Revocations NONE = (name, issued) -> false;

  /**
   * Whether a certificate is revoked. Called by any thread, and must not block.
   *
   * @param issued when it was issued
   */
  boolean isRevoked(CertifiedName name, Instant issued);
}
