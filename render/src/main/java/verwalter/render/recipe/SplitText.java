package verwalter.render.recipe;

import com.google.re2j.Pattern;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import verwalter.render.disk.Mode;

/**
 * Writes each section of a text to its own file, and removes the files of sections that no longer
 * exist.
 *
 * @param dest a pattern whose only group stands for the section's name
 */
public record SplitText(
    Place place, String src, String dest, Pattern section, Pattern validate, Optional<Mode> mode)
    implements Command {

  static Command read(LegacyYaml payload, RecipeReader reader) throws RecipeError {
    var fields = payload.fields(Set.of("src", "dest", "section", "validate", "mode"));
    var section = payload.required(fields, "section");
    var validate = payload.required(fields, "validate");
    var dest = payload.required(fields, "dest");
    var glob = reader.pattern(dest);
    if (glob.groups() != 1) {
      throw dest.error(
          "`dest` needs exactly one group in parentheses, which stands for the section's name");
    }
    if (glob.isWildOutsideGroups()) {
      throw dest.error("`dest` may have wildcards only within its group");
    }
    return new SplitText(
        payload.place(),
        reader.source(payload, fields),
        dest.text(),
        reader.expression(section),
        reader.expression(validate),
        ModeField.optional(fields));
  }

  @Override
  public List<String> words() {
    return List.of(
        "SplitText",
        src,
        dest,
        section.pattern(),
        validate.pattern(),
        mode.map(Mode::toString).orElse("default mode"));
  }

  @Override
  public boolean writesFiles() {
    return true;
  }

  @Override
  public <X extends Exception> void accept(Visitor<X> visitor) throws X {
    visitor.splitText(this);
  }
}
