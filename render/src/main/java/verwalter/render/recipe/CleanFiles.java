package verwalter.render.recipe;

import java.util.List;
import java.util.Set;

/**
 * Removes the files that match a pattern and are not on a list.
 *
 * @param pattern its first group is compared with the list
 * @param keepList a file with one name per line
 */
public record CleanFiles(Place place, String pattern, String keepList) implements Command {

  static Command read(LegacyYaml payload, RecipeReader reader) throws RecipeError {
    var fields = payload.fields(Set.of("pattern", "keep-list"));
    var pattern = payload.required(fields, "pattern");
    if (reader.pattern(pattern).groups() == 0) {
      throw pattern.error(
          "`pattern` needs parentheses around the part that is compared with the keep-list");
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
  public <X extends Exception> void accept(Visitor<X> visitor) throws X {
    visitor.cleanFiles(this);
  }
}
