/**
 * Concurrency primitives: a {@link verwalter.concurrent.Loop} is an event loop with a clock, a
 * {@link verwalter.concurrent.Watch} is a registration that ends when it is closed, and a {@link
 * verwalter.concurrent.Backoff} is the delay between retries.
 */
@NullMarked
package verwalter.concurrent;

import org.jspecify.annotations.NullMarked;
