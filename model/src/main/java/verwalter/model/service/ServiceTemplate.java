package verwalter.model.service;

import java.util.regex.Pattern;
import verwalter.model.codec.Described;

/**
 * A file that each node renders for the processes of a service.
 *
 * @param template the name of the template in the directory {@code roles/NAME/}
 * @param to the path of the file below the directory of the files of the service
 */
public record ServiceTemplate(
    @Described(
            value = "the name of the template in roles/NAME/, beside the file of the service",
            pattern = ServiceTemplate.TEMPLATES,
            least = 1)
        String template,
    @Described(
            value = "the path of the file below ${files}",
            pattern = ServiceTemplate.PATHS,
            least = 1)
        String to) {
  private static final String NAME = "[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}";
  static final String PATHS = NAME + "(/" + NAME + "){0,9}";
  static final String TEMPLATES = "(?=.*\\.(j2|jinja|tera|hbs|handlebars|trm|trimmer)$)" + PATHS;
  private static final Pattern TEMPLATE = Pattern.compile(TEMPLATES);
  private static final Pattern PATH = Pattern.compile(PATHS);

  public ServiceTemplate {
    if (!TEMPLATE.matcher(template).matches()) {
      throw new IllegalArgumentException(
          "template must be the name of a template beside the file, such as shop.ini.j2, not "
              + template);
    }
    if (!PATH.matcher(to).matches()) {
      throw new IllegalArgumentException(
          "to must be a relative path without dots at the beginning of a name, such as etc/shop.ini, not %s; the command finds the file at ${files}/PATH"
              .formatted(to));
    }
  }
}
