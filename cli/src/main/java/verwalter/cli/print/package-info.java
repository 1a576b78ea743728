/** Output of the command line: columns, ages, colours. All functions are pure. */
@NullMarked
package verwalter.cli.print;

import org.jspecify.annotations.NullMarked;
