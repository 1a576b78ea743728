/**
 * Reads the configuration directory and keeps reading it as it changes. What the files below {@code
 * runtime/} say becomes {@link verwalter.model.RoleConfig} objects.
 */
@NullMarked
package verwalter.controllers.config;

import org.jspecify.annotations.NullMarked;
