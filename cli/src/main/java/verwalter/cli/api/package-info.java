/** The agent's Kubernetes-shaped API: types, objects, tables, watches, and its refusals. */
@NullMarked
package verwalter.cli.api;

import org.jspecify.annotations.NullMarked;
