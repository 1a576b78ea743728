package verwalter.render;

import com.google.re2j.Pattern;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Puts each section of a text into a file of its own, and removes the files of sections that are
 * gone.
 *
 * @param dest a pattern whose only group stands for the section's name
 */
record SplitText(
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
        Mode.optional(fields));
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
  public Predicate<Path> claims(Run.Names names) throws Run.Failed {
    return FilePattern.of(dest, names)::matches;
  }

  @Override
  public void run(Run run) throws Run.Failed {
    var pattern = FilePattern.of(dest, run.names());
    var sections = Sections.of(run.text(run.expand(src)), section, validate);
    run.files().split(sections, pattern, mode.orElse(Mode.DEFAULT));
  }
}
