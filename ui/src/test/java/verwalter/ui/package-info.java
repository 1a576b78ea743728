/** The server's tests: a real server on a loopback port, asked by a real client. */
@NullMarked
package verwalter.ui;

import org.jspecify.annotations.NullMarked;
