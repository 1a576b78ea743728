/** Renders the templates of role instances, switches the files, and writes down what it did. */
@NullMarked
package verwalter.controllers.template;

import org.jspecify.annotations.NullMarked;
