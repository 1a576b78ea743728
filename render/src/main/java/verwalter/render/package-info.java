/**
 * Turns the variables of one role on one node into local files.
 *
 * <ul>
 *   <li>{@code engine} renders one template; each language is a package of its own.
 *   <li>{@code recipe} reads the {@code *.render.yaml} files of a template directory and renders
 *       the templates that they name. It writes nothing.
 *   <li>{@code disk} makes the few changes to a disk that the others need.
 *   <li>{@code apply} carries out the commands of the recipes as one transaction.
 *   <li>{@code release} keeps applied releases, compares them with the files on disk, and guards
 *       against a rendering that loses too much.
 * </ul>
 *
 * <p>None of them knows the store or the supervisor.
 */
@NullMarked
package verwalter.render;

import org.jspecify.annotations.NullMarked;
