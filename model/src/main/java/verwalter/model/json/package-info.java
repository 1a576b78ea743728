/** JSON as plain Java values: reading, canonical text, hashes. */
@NullMarked
package verwalter.model.json;

import org.jspecify.annotations.NullMarked;
