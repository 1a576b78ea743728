/** Contract tests of transports, and servers whose answers tests define. */
@NullMarked
package verwalter.client.testkit;

import org.jspecify.annotations.NullMarked;
