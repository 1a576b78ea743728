package verwalter.cluster.joining;

import io.vertx.core.Future;
import verwalter.certificates.CertifiedName;

/**
 * Answers messages of members. Called on the loop of the server; never blocks.
 *
 * @param <Q> the message, a record
 */
@FunctionalInterface
public interface PeerCall<Q> {
  /**
   * Answers a message.
   *
   * @param peer whom the client's certificate names; its certificate is trusted now
   * @return the answer, a record; or fails with a {@link Refused}
   * @throws Refused at once
   */
  Future<?> call(CertifiedName peer, Q message) throws Refused;
}
