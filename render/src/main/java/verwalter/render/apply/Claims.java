package verwalter.render.apply;

import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import verwalter.render.recipe.Command;
import verwalter.render.recipe.Copy;
import verwalter.render.recipe.SplitText;

/** The files that a command writes. They are kept even if the command does not run. */
final class Claims {
  static Predicate<Path> of(Command command, Run.Names names) throws Run.Failed {
    if (command instanceof Copy copy) {
      return Destination.of(copy.dest(), names).path()::equals;
    }
    if (command instanceof SplitText split) {
      return FilePattern.of(split.dest(), names)::matches;
    }
    return of(command.nested(), names);
  }

  private static Predicate<Path> of(List<Command> commands, Run.Names names) throws Run.Failed {
    Predicate<Path> any = path -> false;
    for (var command : commands) {
      any = any.or(of(command, names));
    }
    return any;
  }

  private Claims() {}
}
