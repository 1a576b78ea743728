package verwalter.concurrent;

/** A registration that reports until it is closed. Closing it twice has no effect. */
@FunctionalInterface
public interface Watch extends AutoCloseable {
  @Override
  void close();
}
