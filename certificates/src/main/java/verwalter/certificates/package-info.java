/**
 * The certificates of a cluster: its authority, the certificates of nodes and people, the files
 * that contain them, and the key and trust managers that use these files for TLS. Certificates are
 * read by the JDK. Only signing uses Bouncy Castle, whose classes are loaded for it.
 */
@NullMarked
package verwalter.certificates;

import org.jspecify.annotations.NullMarked;
