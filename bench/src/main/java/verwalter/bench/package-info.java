/** What is measured beside named peers; bench/README.md says how to run it and what came out. */
@NullMarked
package verwalter.bench;

import org.jspecify.annotations.NullMarked;
