/** YAML output for people, and manifests that know the line of each field. */
@NullMarked
package verwalter.cli.yaml;

import org.jspecify.annotations.NullMarked;
