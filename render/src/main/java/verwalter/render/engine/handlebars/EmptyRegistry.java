package verwalter.render.engine.handlebars;

import com.github.jknack.handlebars.Decorator;
import com.github.jknack.handlebars.Helper;
import com.github.jknack.handlebars.HelperRegistry;
import com.github.jknack.handlebars.helper.DefaultHelperRegistry;

/**
 * A registry without the library's own helpers, some of which read files or resources. Replacing
 * them one by one would log a warning for each.
 */
final class EmptyRegistry extends DefaultHelperRegistry {
  private final boolean open;

  /** The library registers its helpers in the constructor, before this one is open. */
  EmptyRegistry() {
    open = true;
  }

  @Override
  public <H> HelperRegistry registerHelper(String name, Helper<H> helper) {
    return open ? super.registerHelper(name, helper) : this;
  }

  @Override
  public HelperRegistry registerDecorator(String name, Decorator decorator) {
    return open ? super.registerDecorator(name, decorator) : this;
  }
}
