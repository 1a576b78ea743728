package verwalter.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import verwalter.client.testkit.ScriptedServer;

class CompletionTest {
  private final ScriptedServer server = new ScriptedServer(new Recorded());
  private final Shell shell = new Shell(server);
  @TempDir Path directory;

  @AfterEach
  void close() {
    server.close();
  }

  /** The candidates for a line. The word after the last blank is the one being typed. */
  private List<String> candidates(String line) {
    var words = new ArrayList<>(List.of(Vw.COMPLETE));
    words.addAll(Arrays.asList(line.split(" ", -1)));
    shell.vw(words.toArray(String[]::new));
    return shell.out().lines().map(each -> each.replaceAll("\t.*", "")).toList();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "de | describe delete",
        "get no | nodes nodeschedules no",
        "get nodes,ro | nodes,roleconfigs nodes,roleinstances",
        "get no al | alpha",
        "get no alpha _ | beta gamma",
        "get -o wide no g | gamma",
        "get no/ | no/alpha no/beta no/gamma",
        "get ri/shop-web@ | ri/shop-web@alpha ri/shop-web@beta",
        "delete ri shop-worker@g | shop-worker@gamma",
        "get -o j | json jsonpath=",
        "get --output=y | --output=yaml",
        "get --color a | auto always",
        "apply --dry-run s | server",
        "apply -f x | :files",
        "get --sh | --show-labels",
        "--serv | --server",
        "completion _ | bash zsh fish",
        "scheduler t | test",
        "files u | undo",
        "files l | logs",
        "files logs web --p | --previous",
        "top _ | nodes processes",
        "top p | processes",
        "why shop --node a | alpha",
        "explain _ | vars",
        "scheduler test x | :files",
        "help e | exec edit explain exit-codes",
        "nothing x | ``",
        "get nope _ | ``",
        "version _ | ``",
      })
  void completesCandidatesForLine(String line, String candidates) {
    assertThat(String.join(" ", candidates(line.replaceFirst("_$", ""))))
        .isEqualTo(candidates.strip());
  }

  @Test
  void printsNothingIfServerDoesNotAnswer() {
    server.close();
    assertThat(candidates("get n")).isEmpty();
    assertThat(shell.err()).isEmpty();
  }

  @Test
  void asksServerThatLineNames() {
    shell.environment.put("VERWALTER_SERVER", "127.0.0.1:1");
    assertThat(candidates("-s " + server.url() + " get no al")).containsExactly("alpha");
    assertThat(candidates("get --server=" + server.url() + " no al")).containsExactly("alpha");
  }

  @ParameterizedTest
  @CsvSource({"bash", "zsh", "fish"})
  void printsScriptForEachShell(String name) {
    assertThat(shell.vw("completion", name)).isZero();
    assertThat(shell.out()).contains(Vw.COMPLETE);
  }

  /** Runs the script in a real bash, which offers candidates from the last word break on. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "vw get ri web@ | web@a web@b | a b",
        "vw get ri we | web@a web@b | web@a web@b",
        "vw get --color=a | --color=auto --color=always | auto always",
        "vw apply -f x | :files | ",
      })
  void bashInsertsCandidatesAtWordBreaks(String line, String candidates, String replies)
      throws IOException, InterruptedException {
    assertThat(shell.vw("completion", "bash")).isZero();
    var script = Files.writeString(directory.resolve("vw.bash"), shell.out());
    var bin = Files.createDirectory(directory.resolve("bin"));
    var fake =
        Files.writeString(
            bin.resolve("vw"),
            "#!/bin/sh\necho \"$@\" >&2\nprintf '%s\\ttext\\n' "
                + candidates.replace(":files", "':files'")
                + "\n");
    assertThat(fake.toFile().setExecutable(true)).isTrue();
    var asking =
        "PATH=%s:$PATH; source %s; COMP_LINE='%s'; COMP_POINT=${#COMP_LINE}; _vw; echo \"${COMPREPLY[*]}\""
            .formatted(bin, script, line);
    var bash = new ProcessBuilder("bash", "--norc", "-c", asking).start();
    assertThat(new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip())
        .isEqualTo(replies == null ? "" : replies.strip());
    assertThat(bash.waitFor()).isZero();
  }
}
