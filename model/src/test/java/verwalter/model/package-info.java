/** Tests of the model. */
@NullMarked
package verwalter.model;

import org.jspecify.annotations.NullMarked;
