/**
 * What earlier applications left: releases that can be applied again, drift of the files on disk,\n
 * * and guards against renderings that lose too much.
 */
@NullMarked
package verwalter.render.release;

import org.jspecify.annotations.NullMarked;
