package verwalter.cluster.following;

import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import verwalter.cluster.Leadership;
import verwalter.cluster.Term;
import verwalter.concurrent.Loop;
import verwalter.concurrent.Watch;

/** A leadership that a test sets. */
final class TestLeader implements Leadership {
  private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
  private volatile Optional<Term> term = Optional.empty();

  void set(Optional<Term> next) {
    term = next;
    listeners.forEach(Runnable::run);
  }

  @Override
  public Optional<Term> term() {
    return term;
  }

  @Override
  public Watch watch(Loop loop, Listener listener) {
    Runnable told = () -> loop.execute(() -> listener.changed(term));
    listeners.add(told);
    told.run();
    return () -> listeners.remove(told);
  }

  @Override
  public Candidacy stand(Loop loop, Candidate candidate) {
    return Future::succeededFuture;
  }
}
