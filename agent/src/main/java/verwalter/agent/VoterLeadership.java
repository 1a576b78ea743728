package verwalter.agent;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import verwalter.cluster.Leadership;
import verwalter.cluster.Term;
import verwalter.concurrent.Loop;
import verwalter.concurrent.Watch;

/** A leadership in which this node is a candidate only while it votes. */
final class VoterLeadership implements Leadership {
  private final Leadership leadership;
  private final ElectorRole elector;

  VoterLeadership(Leadership leadership, ElectorRole elector) {
    this.leadership = leadership;
    this.elector = elector;
  }

  @Override
  public Optional<Term> term() {
    return leadership.term();
  }

  @Override
  public Watch watch(Loop loop, Listener listener) {
    return leadership.watch(loop, listener);
  }

  @Override
  public Candidacy stand(Loop loop, Candidate candidate) {
    var standing = new Standing(loop, candidate);
    var watch = elector.watch(() -> loop.execute(standing::update));
    loop.execute(standing::update);
    return () -> {
      watch.close();
      return standing.end();
    };
  }

  /** Stands while this node votes. Confined to the loop of the candidate. */
  private final class Standing {
    private final Loop loop;
    private final Candidate candidate;
    private @Nullable Candidacy candidacy;
    private boolean over;

    Standing(Loop loop, Candidate candidate) {
      this.loop = loop;
      this.candidate = candidate;
    }

    private void update() {
      var present = candidacy;
      if (!over && present == null && elector.votes()) {
        candidacy = leadership.stand(loop, candidate);
      } else if (present != null && !elector.votes()) {
        present
            .withdraw()
            .onComplete(
                done ->
                    loop.execute(
                        () -> {
                          if (candidacy == present) {
                            candidacy = null;
                            update();
                          }
                        }));
      }
    }

    private Future<Void> end() {
      var ended = Promise.<Void>promise();
      loop.execute(
          () -> {
            over = true;
            var present = candidacy;
            if (present == null) {
              ended.complete();
            } else {
              present.withdraw().onComplete(ended);
            }
          });
      return ended.future();
    }
  }
}
