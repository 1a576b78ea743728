/** Tests of modes and owners. */
@NullMarked
package verwalter.files;

import org.jspecify.annotations.NullMarked;
