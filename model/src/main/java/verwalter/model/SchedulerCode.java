package verwalter.model;

/** A piece of the scheduler's files in force, since an object has a limited size. */
public final class SchedulerCode {
  public static final Kind<Spec, Kind.None> KIND =
      Kind.of("SchedulerCode", "scode", Spec.class, Kind.None.class)
          .in(Scope.CLUSTER)
          .specBy(Writer.CONFIG);

  /** The name of a piece of the code with this hash. */
  public static String name(String hash, int piece) {
    return hash + "." + piece;
  }

  /**
   * A piece.
   *
   * @param data the bytes of this piece of the compressed files, in Base64
   */
  public record Spec(String data) {}

  private SchedulerCode() {}
}
