package verwalter.ui.port;

import java.nio.file.Path;
import java.util.Optional;

/**
 * The files of a TLS server, in PEM. They are read again when they change.
 *
 * @param certificate the server's certificate, followed by those of its authorities
 * @param key the private key of the certificate
 * @param clientAuthorities certificates of the authorities of client certificates; empty if there
 *     are no client certificates
 */
public record ServerTlsFiles(Path certificate, Path key, Optional<Path> clientAuthorities) {}
