/** Modes and owners of the files that the agent makes for itself. */
@NullMarked
package verwalter.files;

import org.jspecify.annotations.NullMarked;
