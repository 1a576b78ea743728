/**
 * What tests are made of: a world with virtual time and a seed, the kits that hold every store and
 * every loop to its numbered promises, and stores that misbehave or count. Part of the product, so
 * that whoever writes another store can test it; never on the agent's class path.
 */
@NullMarked
package verwalter.stores.testkit;

import org.jspecify.annotations.NullMarked;
