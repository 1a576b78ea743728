package verwalter.render.engine.jinja;

import com.hubspot.jinjava.interpret.JinjavaInterpreter;
import com.hubspot.jinjava.lib.tag.Tag;
import com.hubspot.jinjava.tree.TagNode;
import org.jspecify.annotations.Nullable;

/** A tag of jinjava that Jinja does not have. It is not strict, and is refused. */
record NoTag(String name) implements Tag {
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
