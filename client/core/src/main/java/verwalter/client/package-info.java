/**
 * The client of the object API. This package and those for JSON and transports need the streaming
 * half of Jackson only, so that {@code vw} starts quickly; objects as records are in {@code
 * verwalter.client.objects}.
 */
@NullMarked
package verwalter.client;

import org.jspecify.annotations.NullMarked;
