/** JSON as plain Java values, read and written with the streaming half of Jackson only. */
@NullMarked
package verwalter.client.json;

import org.jspecify.annotations.NullMarked;
