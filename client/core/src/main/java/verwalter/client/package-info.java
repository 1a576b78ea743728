/**
 * The client of the object API. This package and the packages for JSON and transports use only the
 * streaming API of Jackson, so that {@code vw} starts quickly. Typed objects are in {@code
 * verwalter.client.objects}.
 */
@NullMarked
package verwalter.client;

import org.jspecify.annotations.NullMarked;
