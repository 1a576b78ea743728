/**
 * JSON values and what the command line does with them: reading, printing, asking by JSONPath, and
 * the merge patch between two of them.
 */
@NullMarked
package verwalter.cli.json;

import org.jspecify.annotations.NullMarked;
