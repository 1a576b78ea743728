package verwalter.supervisor.embedded;

import java.util.List;

/** Linux's signal numbers by name. */
final class Signals {
  private static final List<String> NAMES =
      List.of(
          "",
          "SIGHUP",
          "SIGINT",
          "SIGQUIT",
          "SIGILL",
          "SIGTRAP",
          "SIGABRT",
          "SIGBUS",
          "SIGFPE",
          "SIGKILL",
          "SIGUSR1",
          "SIGSEGV",
          "SIGUSR2",
          "SIGPIPE",
          "SIGALRM",
          "SIGTERM",
          "SIGSTKFLT",
          "SIGCHLD",
          "SIGCONT",
          "SIGSTOP",
          "SIGTSTP",
          "SIGTTIN",
          "SIGTTOU",
          "SIGURG",
          "SIGXCPU",
          "SIGXFSZ",
          "SIGVTALRM",
          "SIGPROF",
          "SIGWINCH",
          "SIGIO",
          "SIGPWR",
          "SIGSYS");

  /** {@code SIGTERM[15]}, the format of lithos's log. */
  static String name(int signal) {
    var name = signal > 0 && signal < NAMES.size() ? NAMES.get(signal) : "SIGRT";
    return name + "[" + signal + "]";
  }

  private Signals() {}
}
