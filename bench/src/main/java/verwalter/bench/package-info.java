/** Measurements beside other programs; bench/README.md has the commands and the results. */
@NullMarked
package verwalter.bench;

import org.jspecify.annotations.NullMarked;
