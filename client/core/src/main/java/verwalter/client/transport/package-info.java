/**
 * How requests reach a server: the port {@link verwalter.client.transport.Transport}, and its
 * implementation over TCP, TLS and unix sockets.
 */
@NullMarked
package verwalter.client.transport;

import org.jspecify.annotations.NullMarked;
