/** JSON as plain Java values, read and written with the streaming API of Jackson. */
@NullMarked
package verwalter.client.json;

import org.jspecify.annotations.NullMarked;
