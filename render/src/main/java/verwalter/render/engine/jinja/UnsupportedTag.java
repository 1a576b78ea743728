package verwalter.render.engine.jinja;

import com.hubspot.jinjava.interpret.JinjavaInterpreter;
import com.hubspot.jinjava.lib.tag.Tag;
import com.hubspot.jinjava.tree.TagNode;
import org.jspecify.annotations.Nullable;

/** Refuses a tag of jinjava that Jinja does not have, since it is not strict. */
record UnsupportedTag(String name) implements Tag {
  @Override
  public String getName() {
    return name;
  }

  @Override
  public @Nullable String getEndTagName() {
    return null;
  }

  @Override
  public String interpret(TagNode node, JinjavaInterpreter interpreter) {
    StrictInterpreter.of(interpreter).fail(node.getLineNumber(), "Jinja has no tag `" + name + "`");
    return "";
  }
}
