/** What the command line prints: columns, ages, colours. Everything here is pure text. */
@NullMarked
package verwalter.cli.print;

import org.jspecify.annotations.NullMarked;
