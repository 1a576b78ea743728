/** JSON values in the command line: JSONPath queries and merge patches. */
@NullMarked
package verwalter.cli.json;

import org.jspecify.annotations.NullMarked;
