/** The contract of every transport, and servers that answer as a test says. */
@NullMarked
package verwalter.client.testkit;

import org.jspecify.annotations.NullMarked;
