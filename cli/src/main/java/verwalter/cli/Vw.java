package verwalter.cli;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;
import verwalter.cli.yaml.ManifestException;
import verwalter.client.ApiException;
import verwalter.model.Names;

/** The command line of Verwalter. */
public final class Vw {
  /** The hidden verb that completion scripts call. */
  static final String COMPLETE = "__complete";

  /** Runs one command and ends the process with its exit code. */
  public static void main(String[] args) {
    System.exit(run(List.of(args), process()));
  }

  /** Runs one command; errors go to standard error. */
  static int run(List<String> words, Environment environment) {
    try {
      if (!words.isEmpty() && words.get(0).equals(COMPLETE)) {
        return new Completer(environment).complete(words.subList(1, words.size())).code();
      }
      return command(words, environment).code();
    } catch (Failure failure) {
      ErrorReport.of(failure).to(environment.err());
      return failure.exit().code();
    } catch (ApiException refused) {
      ErrorReport.of(refused).to(environment.err());
    } catch (ManifestException e) {
      environment.err().println("error: " + e.getMessage());
    } catch (IOException e) {
      ErrorReport.of(e).to(environment.err());
    } catch (RuntimeException e) {
      bug(e, words, environment.err());
    } finally {
      environment.out().flush();
      environment.err().flush();
    }
    return Exit.ERROR.code();
  }

  /** Reports a bug of vw: one line for the operator, the stack trace with {@code -v}. */
  private static void bug(RuntimeException e, List<String> words, PrintStream err) {
    err.println("error: vw itself failed: " + e);
    if (words.contains("-v") || words.contains("--verbose")) {
      e.printStackTrace(err);
    } else {
      err.println("please report this with the output of the same command with -v");
    }
  }

  private static VerbResult command(List<String> words, Environment environment)
      throws IOException {
    int place = verbPlace(words);
    if (place < 0) {
      return withoutVerb(words, environment);
    }
    var chosen = Verbs.named(words.get(place)).orElseThrow(() -> Help.unknown(words.get(place)));
    var rest = new ArrayList<>(words);
    rest.remove(place);
    var verb = chosen.verb();
    var spec = chosen.spec(verb);
    var args = parse(new CommandLine(spec), chosen, rest);
    if (args.isUsageHelpRequested()) {
      environment.out().print(Help.of(spec));
      return Exit.OK;
    }
    try (var session = new Session(args, environment)) {
      return verb.run(args, session);
    }
  }

  private static Exit withoutVerb(List<String> words, Environment environment) {
    var known = List.of("-h", "--help");
    if (words.isEmpty() || known.contains(words.get(0))) {
      environment.out().print(Help.overview());
      return Exit.OK;
    }
    throw Failure.usage("a verb is missing, such as get", "list the verbs: vw help");
  }

  /** The index of the verb: the first word that is neither an option nor its value. */
  static int verbPlace(List<String> words) {
    for (int i = 0; i < words.size(); i++) {
      var word = words.get(i);
      if (Flags.GLOBAL_VALUES.contains(word)) {
        i++;
      } else if (!word.startsWith("-")) {
        return i;
      }
    }
    return -1;
  }

  private static ParseResult parse(CommandLine line, Verbs verb, List<String> words) {
    var help = "see its usage: vw help " + verb.word();
    try {
      return line.setPosixClusteredShortOptionsAllowed(true)
          .setOverwrittenOptionsAllowed(true)
          .parseArgs(words.toArray(String[]::new));
    } catch (UnmatchedArgumentException e) {
      var first = e.getUnmatched().get(0);
      var options =
          line.getCommandSpec().options().stream()
              .flatMap(option -> List.of(option.names()).stream())
              .filter(name -> name.startsWith("--"))
              .toList();
      throw Failure.usage(
          (first.startsWith("-") ? "unknown flag: " : "unexpected argument: ") + first,
          Names.nearest(first, options)
              .map(near -> "did you mean " + near + "? " + help)
              .orElse(help));
    } catch (ParameterException e) {
      throw Failure.usage(lower(String.valueOf(e.getMessage())), help);
    }
  }

  private static String lower(String sentence) {
    return sentence.isEmpty()
        ? sentence
        : Character.toLowerCase(sentence.charAt(0)) + sentence.substring(1);
  }

  /** The environment of this process. No other class of {@code vw} uses the process. */
  private static Environment process() {
    var terminals = new Environment.Terminals(isTerminal(0), isTerminal(1), isTerminal(2));
    return new Environment(
        new FileInputStream(FileDescriptor.in),
        new PrintStream(new FileOutputStream(FileDescriptor.out), false, StandardCharsets.UTF_8),
        new PrintStream(new FileOutputStream(FileDescriptor.err), false, StandardCharsets.UTF_8),
        System.getenv(),
        terminals,
        InstantSource.system(),
        Vw::pause,
        Vw::onTerminal,
        SecureRandom::new,
        new SttyTerminal(Path.of("/dev/tty")));
  }

  /**
   * Whether a stream of this process is a terminal. Java reports this only for two of them
   * together.
   */
  private static boolean isTerminal(int descriptor) {
    try {
      var target = Files.readSymbolicLink(Path.of("/proc/self/fd/" + descriptor)).toString();
      return target.startsWith("/dev/pts/")
          || target.startsWith("/dev/tty")
          || target.startsWith("/dev/console");
    } catch (IOException e) {
      return false; // not Linux: prefer plain output to escape sequences in a file
    }
  }

  /** Random numbers for secrets. */
  static RandomGenerator chance() {
    return new SecureRandom();
  }

  private static void pause(Duration time) {
    try {
      Thread.sleep(time.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static int onTerminal(List<String> command, Path file) throws IOException {
    var whole = new ArrayList<>(command);
    whole.add(file.toString());
    try {
      return new ProcessBuilder(whole).inheritIO().start().waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return 130;
    }
  }

  private Vw() {}
}
