package verwalter.render;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Removes the files that match a pattern and are not on a list.
 *
 * @param pattern whose first group is what must be on the list
 * @param keepList a file with one name in each line
 */
record CleanFiles(Place place, String pattern, String keepList) implements Command {

  static Command read(LegacyYaml payload, RecipeReader reader) throws RecipeError {
    var fields = payload.fields(Set.of("pattern", "keep-list"));
    var pattern = payload.required(fields, "pattern");
    if (reader.pattern(pattern).groups() == 0) {
      throw pattern.error("`pattern` needs parentheses around what is looked for in the keep-list");
    }
    return new CleanFiles(
        payload.place(), pattern.text(), reader.expandable(payload.required(fields, "keep-list")));
  }

  @Override
  public List<String> words() {
    return List.of("CleanFiles", pattern, keepList);
  }

  @Override
  public boolean writesFiles() {
    return true;
  }

  @Override
  public void run(Run run) throws Run.Failed {
    var keep = new HashSet<>(Sections.lines(run.text(run.expand(keepList))));
    run.files().clean(FilePattern.of(pattern, run.names()), keep);
  }
}
