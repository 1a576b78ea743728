/** Tests of sources, downloads, archives and releases. */
@NullMarked
package verwalter.artifacts;

import org.jspecify.annotations.NullMarked;
