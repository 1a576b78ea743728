package verwalter.cli;

import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** The terminal of this process, by the program {@code stty}. */
record SttyTerminal(Path device) implements OwnTerminal {
  private static final Pattern SIZE = Pattern.compile("(\\d{1,5}) (\\d{1,5})");

  @Override
  public Closeable raw() throws IOException {
    var before = stty("-g");
    var hook =
        new Thread(
            () -> {
              try {
                stty(before);
              } catch (IOException gone) {
                throw new UncheckedIOException(gone);
              }
            },
            "terminal");
    Runtime.getRuntime().addShutdownHook(hook); // also after a signal
    stty("raw", "-echo");
    return () -> {
      stty(before);
      Runtime.getRuntime().removeShutdownHook(hook);
    };
  }

  @Override
  public Optional<Size> size() {
    try {
      var size = SIZE.matcher(stty("size"));
      return size.matches()
          ? Optional.of(new Size(Integer.parseInt(size.group(1)), Integer.parseInt(size.group(2))))
              .filter(it -> it.rows() > 0 && it.columns() > 0)
          : Optional.empty();
    } catch (IOException none) {
      return Optional.empty();
    }
  }

  private String stty(String... words) throws IOException {
    var command = new ArrayList<>(List.of("stty"));
    command.addAll(List.of(words));
    var builder = new ProcessBuilder(command);
    builder.redirectInput(new File(device.toString()));
    builder.redirectError(ProcessBuilder.Redirect.DISCARD);
    var process = builder.start();
    try {
      var text = new String(process.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
      if (process.waitFor() != 0) {
        throw new IOException("stty cannot change the terminal");
      }
      return text.strip();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }
}
