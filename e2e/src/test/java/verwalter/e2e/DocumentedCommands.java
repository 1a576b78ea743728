package verwalter.e2e;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** The commands of a page: every line of every block marked as shell. */
final class DocumentedCommands {
  /**
   * A command.
   *
   * @param place {@code file:line}
   * @param text without the comment at its end
   */
  record Command(String place, String text) {
    @Override
    public String toString() {
      return place + ": " + text;
    }
  }

  /** A command with a here-document, which ends with a line that contains only the word. */
  private static final Pattern HERE = Pattern.compile(".*<<'?(\\w+)'?");

  /** All commands of a page below {@code root}, in order. */
  static List<Command> of(Path root, String page) throws IOException {
    var commands = new ArrayList<Command>();
    boolean shell = false;
    var lines = Files.readAllLines(root.resolve(page));
    for (int i = 0; i < lines.size(); i++) {
      var line = lines.get(i).strip();
      if (line.startsWith("```")) {
        shell = line.equals("```sh") || line.equals("```console");
        continue;
      }
      var text = line.replaceFirst("^\\$ ", "").replaceFirst("(^|\\s+)#\\s.*$", "");
      if (!shell || text.isEmpty()) {
        continue;
      }
      var place = page + ":" + (i + 1);
      var here = HERE.matcher(text);
      if (here.matches()) {
        var whole = new StringBuilder(text);
        do {
          whole.append('\n').append(lines.get(++i));
        } while (!lines.get(i).equals(here.group(1)));
        text = whole.toString();
      }
      commands.add(new Command(place, text));
    }
    return commands;
  }

  private DocumentedCommands() {}
}
