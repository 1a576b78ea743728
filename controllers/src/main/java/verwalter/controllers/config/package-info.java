/**
 * Reads the configuration directory, and reads it again when it changes. The files below {@code
 * runtime/} become {@link verwalter.model.RoleConfig} objects.
 */
@NullMarked
package verwalter.controllers.config;

import org.jspecify.annotations.NullMarked;
