/**
 * Earlier applications: releases that can be applied again, drift of the files on disk, and guards
 * against renderings that remove too much.
 */
@NullMarked
package verwalter.render.release;

import org.jspecify.annotations.NullMarked;
