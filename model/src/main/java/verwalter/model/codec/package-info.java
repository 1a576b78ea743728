/** Reads and writes objects as JSON and YAML, strictly, with the line of every error. */
@NullMarked
package verwalter.model.codec;

import org.jspecify.annotations.NullMarked;
