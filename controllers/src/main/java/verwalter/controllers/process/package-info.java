/** Makes the supervisor run what process groups ask for, and writes down what it says of them. */
@NullMarked
package verwalter.controllers.process;

import org.jspecify.annotations.NullMarked;
