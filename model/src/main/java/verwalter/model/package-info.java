/**
 * What Verwalter says about the world: immutable records, their kinds, and how they read and write
 * as JSON and YAML. No I/O, no threads, no clock.
 */
@NullMarked
package verwalter.model;

import org.jspecify.annotations.NullMarked;
