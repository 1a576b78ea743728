package verwalter.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/**
 * {@code vw completion}: prints scripts with which a shell completes lines by {@link Completer}.
 */
final class Completion implements Verb {
  private static final List<String> SHELLS = List.of("bash", "zsh", "fish");

  @Override
  public void describe(CommandSpec spec) {
    Flags.help(
        spec,
        "vw completion bash|zsh|fish",
        "In the current shell",
        "source <(vw completion bash)",
        "Permanently, in zsh",
        "vw completion zsh > \"${fpath[1]}/_vw\"",
        "Permanently, in fish",
        "vw completion fish > ~/.config/fish/completions/vw.fish");
    Flags.arguments(spec);
  }

  @Override
  public Exit run(ParseResult args, Session session) throws IOException {
    List<String> words = args.matchedPositionalValue(0, List.of());
    if (words.size() != 1 || !SHELLS.contains(words.get(0))) {
      throw Failure.usage(
          "completion takes a shell: bash, zsh or fish", "source <(vw completion bash)");
    }
    session.print(script(words.get(0)));
    return Exit.OK;
  }

  private static String script(String shell) throws IOException {
    try (var in = Completion.class.getResourceAsStream("completion." + shell)) {
      if (in == null) {
        throw new IOException("the completion script for " + shell + " is missing in this build");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
