/** The ports of the HTTP server: the agent that runs it implements them. */
@NullMarked
package verwalter.ui.port;

import org.jspecify.annotations.NullMarked;
