/**
 * The objects of Verwalter: immutable records, their kinds, and their JSON and YAML forms. This
 * package uses no I/O, threads or clocks.
 */
@NullMarked
package verwalter.model;

import org.jspecify.annotations.NullMarked;
