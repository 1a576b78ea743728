/**
 * What runs code: a {@link verwalter.concurrent.Loop} is one thread of control with its clock, and
 * a {@link verwalter.concurrent.Watch} is a registration that ends when it is closed.
 */
@NullMarked
package verwalter.concurrent;

import org.jspecify.annotations.NullMarked;
