/** Tests of the model: canonical text, reading and writing, names. */
@NullMarked
package verwalter.model;

import org.jspecify.annotations.NullMarked;
