/** YAML: objects as people read them, and manifests that know on which line each field stands. */
@NullMarked
package verwalter.cli.yaml;

import org.jspecify.annotations.NullMarked;
