/**
 * Typed calls that return futures on a loop, and a cache of the objects of a kind. The commands of
 * {@code vw} do not load this package, since it needs Jackson's data binding.
 */
@NullMarked
package verwalter.client.objects;

import org.jspecify.annotations.NullMarked;
