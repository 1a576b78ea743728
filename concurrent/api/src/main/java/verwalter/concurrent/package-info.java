/**
 * What runs code: a {@link verwalter.concurrent.Loop} is one thread of control with its clock, a
 * {@link verwalter.concurrent.Watch} is a registration that ends when it is closed, and a {@link
 * verwalter.concurrent.Backoff} says how long to wait between retries.
 */
@NullMarked
package verwalter.concurrent;

import org.jspecify.annotations.NullMarked;
