package verwalter.agent;

/** The version of this build. */
final class BuildVersion {
  /** What {@code --version} prints, and with a {@code v} before it what upstream's API says. */
  static final String NUMBER = "0.1.0";

  private BuildVersion() {}
}
