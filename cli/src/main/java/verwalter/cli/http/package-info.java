/**
 * A small HTTP/1.1 client on a socket. It exists because it answers 15 to 25 ms sooner than {@code
 * HttpURLConnection} in a process that lives for a tenth of a second, and because a watch needs to
 * see a connection die.
 */
@NullMarked
package verwalter.cli.http;

import org.jspecify.annotations.NullMarked;
