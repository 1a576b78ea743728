/** Services that one file describes, and what the scheduler and the nodes read of it. */
@NullMarked
package verwalter.model.service;

import org.jspecify.annotations.NullMarked;
