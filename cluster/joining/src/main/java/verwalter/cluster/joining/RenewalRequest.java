package verwalter.cluster.joining;

import java.util.List;

/**
 * A node asks for a new certificate. Its name is that of its present one.
 *
 * @param request a certificate request for its next key, in PEM
 * @param addresses addresses at which other members reach it, {@code host:port}
 */
record RenewalRequest(String request, List<String> addresses) {
  RenewalRequest {
    addresses = List.copyOf(addresses);
  }
}
