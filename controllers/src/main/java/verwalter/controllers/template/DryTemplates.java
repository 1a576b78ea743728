package verwalter.controllers.template;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import verwalter.model.TemplateOutput;
import verwalter.render.LogPiece;
import verwalter.render.recipe.Rendered;

/** Renders and prints what an application would do. Writes no file and runs no command. */
public final class DryTemplates implements Templates {
  private final TemplateSource source;
  private final PrintStream out;

  /**
   * Creates templates of a configuration directory for a dry run.
   *
   * @param out receives the paths that would be removed
   */
  public DryTemplates(Path config, PrintStream out) {
    this.source = new TemplateSource(config);
    this.out = out;
  }

  @Override
  public Applied apply(Wanted wanted, Before before) throws Failed {
    var rendered = source.render(wanted.template(), wanted.role(), wanted.variables());
    return Applied.of(
        rendered.digest(),
        List.of(),
        List.of(),
        rendered.ofSchedule(),
        false,
        List.of(LogPiece.ofRun(text(wanted.role(), rendered))));
  }

  /** Renders only: a check may be a program, and a dry run starts none. */
  @Override
  public void prepare(Wanted wanted, Before before) throws Failed {
    source.render(wanted.template(), wanted.role(), wanted.variables());
  }

  /** All rendered texts and commands as a dry run prints them. */
  public static String text(String role, Rendered rendered) {
    var text = new StringBuilder();
    rendered
        .files()
        .forEach(
            (recipe, files) ->
                files.forEach(
                    (name, content) ->
                        text.append(
                            "(dry run) %s: %s: %s:%n%s%n".formatted(role, recipe, name, content))));
    rendered
        .commands()
        .forEach(command -> text.append("(dry run) %s: %s%n".formatted(role, command)));
    return text.toString();
  }

  @Override
  public void remove(String owner, List<TemplateOutput.File> files) {
    files.forEach(file -> out.println("(dry run) would remove " + file.path()));
  }
}
