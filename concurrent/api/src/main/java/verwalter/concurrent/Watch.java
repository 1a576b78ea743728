package verwalter.concurrent;

/** Something that reports until closed; closing it twice is harmless. */
@FunctionalInterface
public interface Watch extends AutoCloseable {
  @Override
  void close();
}
