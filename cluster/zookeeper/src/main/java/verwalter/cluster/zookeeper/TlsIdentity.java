package verwalter.cluster.zookeeper;

import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * With what an elector identifies itself to the others and to its clients, and whom it trusts. Both
 * may change while the server runs; each new connection uses the present key and authorities.
 *
 * @param keys holds the certificate of this elector
 * @param trust accepts the certificates of electors, and no others
 */
public record TlsIdentity(X509ExtendedKeyManager keys, X509ExtendedTrustManager trust) {}
