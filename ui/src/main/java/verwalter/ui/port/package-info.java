/** What the HTTP server asks of whoever runs it: who this node is, who leads, what is ready. */
@NullMarked
package verwalter.ui.port;

import org.jspecify.annotations.NullMarked;
