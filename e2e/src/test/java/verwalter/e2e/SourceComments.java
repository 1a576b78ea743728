package verwalter.e2e;

import com.sun.source.doctree.DocCommentTree;
import com.sun.source.doctree.DocTree;
import com.sun.source.doctree.LinkTree;
import com.sun.source.doctree.LiteralTree;
import com.sun.source.doctree.ParamTree;
import com.sun.source.doctree.StartElementTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePathScanner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import javax.tools.ToolProvider;

/** The comments of types, components and constants in a directory of sources. */
final class SourceComments {
  /** Texts by {@code Outer.Inner}, and by {@code Outer.Inner.component} or {@code .CONSTANT}. */
  private final Map<String, String> texts = new HashMap<>();

  /** Reads all source files directly in {@code directory}. */
  static SourceComments of(Path directory) throws IOException {
    var comments = new SourceComments();
    var compiler = ToolProvider.getSystemJavaCompiler();
    try (var files = compiler.getStandardFileManager(null, null, null);
        var paths = Files.list(directory)) {
      var sources = paths.filter(path -> path.toString().endsWith(".java")).sorted().toList();
      var task =
          (JavacTask)
              compiler.getTask(
                  null, files, null, null, null, files.getJavaFileObjectsFromPaths(sources));
      var trees = DocTrees.instance(task);
      for (var unit : task.parse()) {
        comments.new Scanner(trees).scan(unit, "");
      }
    }
    return comments;
  }

  /** The text of a type, a component or a constant; empty if there is none. */
  String of(String name) {
    return texts.getOrDefault(name, "");
  }

  private final class Scanner extends TreePathScanner<Void, String> {
    private final DocTrees trees;

    Scanner(DocTrees trees) {
      this.trees = trees;
    }

    @Override
    public Void visitClass(ClassTree type, String outer) {
      var name = (outer.isEmpty() ? "" : outer + ".") + type.getSimpleName();
      var comment = trees.getDocCommentTree(getCurrentPath());
      if (comment != null) {
        texts.put(name, words(comment));
        for (var tag : comment.getBlockTags()) {
          if (tag instanceof ParamTree parameter) {
            texts.put(name + "." + parameter.getName(), text(parameter.getDescription()));
          }
        }
      }
      return super.visitClass(type, name);
    }

    @Override
    public Void visitVariable(VariableTree variable, String outer) {
      var comment = trees.getDocCommentTree(getCurrentPath());
      if (comment != null) {
        texts.put(outer + "." + variable.getName(), words(comment));
      }
      return null;
    }
  }

  private static String words(DocCommentTree comment) {
    return text(comment.getFullBody());
  }

  /** As Markdown; names of our own specifications are nothing to a reader. */
  private static String text(List<? extends DocTree> trees) {
    return trees.stream()
        .map(SourceComments::text)
        .collect(Collectors.joining())
        .replaceAll("\\s*\\([a-z/]+\\.md\\s[^)]*\\)", "")
        .replaceAll("\\s+", " ")
        .strip();
  }

  private static String text(DocTree tree) {
    if (tree instanceof LiteralTree literal) {
      return "`" + literal.getBody().getBody().strip() + "`";
    }
    if (tree instanceof LinkTree link) {
      var label = text(link.getLabel());
      var target = link.getReference().getSignature();
      return label.isEmpty() ? "`" + target.substring(target.indexOf('#') + 1) + "`" : label;
    }
    return tree instanceof StartElementTree ? " " : tree.toString();
  }

  private SourceComments() {}
}
