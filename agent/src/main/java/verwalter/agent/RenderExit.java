package verwalter.agent;

/** The exit codes of {@code verwalter_render}; its {@code --help} lists them. */
enum RenderExit {
  /** Rendered, and applied if requested. */
  OK(0),
  /** The command line, or JSON in it, is invalid. */
  USAGE(2),
  /** Variables, schedule or sandbox are missing or invalid. */
  ARGUMENTS(3),
  /** The variables name no template. */
  NO_TEMPLATE(4),
  /** The variables are for another version of the program. */
  VERSION(5),
  /** A template or recipe is invalid. */
  RENDER(10),
  /** A command failed; files were restored. */
  COMMANDS(20),
  /** Everything was applied, but could not be logged. */
  LOG(81);

  private final int code;

  RenderExit(int code) {
    this.code = code;
  }

  int code() {
    return code;
  }
}
