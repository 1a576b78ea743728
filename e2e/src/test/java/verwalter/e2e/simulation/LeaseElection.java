package verwalter.e2e.simulation;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import verwalter.cluster.Leadership;
import verwalter.cluster.Term;
import verwalter.concurrent.Loop;
import verwalter.concurrent.TimedExecutor.Timer;
import verwalter.concurrent.Watch;
import verwalter.concurrent.testkit.VirtualWorld;

/**
 * A model of an election by sessions at the servers of the log. It keeps the promises of {@link
 * Leadership} and no more: messages to and from the servers are late and may be lost, a leader
 * counts its lease from the moment it sent the renewal, and the servers count from the moment they
 * received it.
 */
final class LeaseElection {
  /** How long the servers wait for a renewal. */
  static final Duration SESSION = Duration.ofSeconds(4);

  private static final Duration RENEWAL = SESSION.dividedBy(6);
  private static final Duration LEASE =
      SESSION.multipliedBy(7).dividedBy(8).minus(Leadership.STOP_LIMIT);

  private final VirtualWorld world;
  private final Loop servers;
  private final Quorum quorum;
  private final Links links;
  private final Map<String, Session> sessions = new TreeMap<>();
  private final List<Term> terms = new ArrayList<>();
  private Optional<Term> term = Optional.empty();
  private @Nullable Session leading;

  /** Grows with each change of the term. */
  private long state;

  private long epoch;

  LeaseElection(VirtualWorld world, Quorum quorum, Links links) {
    this.world = world;
    this.quorum = quorum;
    this.links = links;
    this.servers = world.loop("sessions");
    quorum.onReturn(() -> sessions.values().forEach(Session::touch));
  }

  /** The leadership as a new process of a machine sees it; ends with the loop. */
  Leadership join(String machine, Loop process) {
    var seat = new Seat(machine, process);
    seat.renew();
    return seat;
  }

  /** All terms so far. */
  List<Term> terms() {
    return terms;
  }

  /** What the servers know of one process. */
  private final class Session {
    private final Seat seat;
    private Instant end = Instant.MIN;
    private boolean awaited;

    private Session(Seat seat) {
      this.seat = seat;
    }

    private void touch() {
      end = world.now().plus(SESSION);
      awaitEnd();
    }

    private void awaitEnd() {
      if (!awaited) {
        awaited = true;
        servers.after(Duration.between(world.now(), end), this::expire);
      }
    }

    private void expire() {
      awaited = false;
      if (sessions.get(seat.machine) != this) {
        return;
      }
      if (world.now().isBefore(end)) {
        awaitEnd();
        return;
      }
      if (quorum.answers(seat.machine) || sessions.keySet().stream().anyMatch(quorum::answers)) {
        sessions.remove(seat.machine);
        leave(this);
      } else {
        touch(); // without a leading server no session ends
      }
    }
  }

  private void leave(Session session) {
    if (leading == session) {
      become(null, Optional.empty());
    }
  }

  private void become(@Nullable Session session, Optional<Term> next) {
    leading = session;
    term = next;
    state++;
    next.ifPresent(terms::add);
    sessions.values().forEach(each -> answer(each.seat, Optional.empty()));
  }

  /** Sends the present state to a process. */
  private void answer(Seat to, Optional<Instant> sent) {
    if (quorum.answers(to.machine)) {
      var now = term;
      long number = state;
      boolean own = leading != null && leading.seat == to;
      servers.after(
          links.delay(),
          () -> {
            if (quorum.answers(to.machine)) {
              to.process.execute(() -> to.received(number, now, own, sent));
            }
          });
    }
  }

  /** A process renews its session. */
  private void renewed(Seat from, boolean stands, Instant sent) {
    if (!quorum.answers(from.machine)) {
      return;
    }
    var session = sessions.get(from.machine);
    if (session == null || session.seat != from) {
      if (session != null) { // of an earlier process of this machine, which has ended
        sessions.remove(from.machine);
        leave(session);
      }
      session = new Session(from);
      sessions.put(from.machine, session);
    }
    session.touch();
    if (term.isEmpty() && stands) {
      become(session, Optional.of(new Term(from.machine, ++epoch)));
    }
    answer(from, Optional.of(sent));
  }

  private void released(Seat from) {
    if (leading != null && leading.seat == from && quorum.answers(from.machine)) {
      leave(leading);
    }
  }

  /** The election as one process sees it. All but {@link #term} belongs to its loop. */
  private final class Seat implements Leadership {
    private final String machine;
    private final Loop process;
    private final List<Listening> listeners = new ArrayList<>();
    private volatile Optional<Term> seen = Optional.empty();
    private @Nullable Standing standing;
    private Instant confirmed = Instant.MIN;
    private long known = -1;
    private long highest;
    private boolean stopping;
    private Timer next = () -> {};
    private Timer lapse = () -> {};
    private Timer forget = () -> {};

    private Seat(String machine, Loop process) {
      this.machine = machine;
      this.process = process;
    }

    private void renew() {
      next.cancel();
      next = process.after(RENEWAL, this::renew);
      var sent = world.now();
      boolean stands = standing != null && !stopping;
      servers.after(links.delay(), () -> renewed(this, stands, sent));
    }

    /** A renewal that was sent at that time was answered. */
    private void confirm(Instant sent) {
      confirmed = sent;
      lapse.cancel();
      lapse = process.after(left(sent, LEASE), this::lapse);
      forget.cancel();
      forget = process.after(left(sent, SESSION), this::forget);
    }

    private Duration left(Instant since, Duration span) {
      return Duration.between(world.now(), since.plus(span));
    }

    /** Nothing that was sent after the confirmed renewal was answered. */
    private void lapse() {
      if (leads()) {
        lose();
      }
    }

    private void forget() {
      forget = process.after(SESSION, this::forget); // it may hear of a leader without an answer
      if (!leads()) {
        see(Optional.empty());
      }
    }

    private boolean leads() {
      return seen.filter(it -> it.leader().equals(machine)).isPresent();
    }

    private void received(long number, Optional<Term> now, boolean own, Optional<Instant> sent) {
      sent.filter(confirmed::isBefore).ifPresent(this::confirm);
      if (number < known) {
        return;
      }
      boolean fresh = number > known;
      known = number;
      if (own) {
        elected(now.orElseThrow());
      } else if (fresh || !seen.equals(now)) {
        if (leads()) {
          lose();
        }
        if (now.filter(it -> it.epoch() < highest).isEmpty()) {
          see(now);
        }
        if (now.isEmpty() && standing != null) {
          renew();
        }
      }
    }

    private void elected(Term now) {
      if (leads()) {
        if (!seen.equals(Optional.of(now))) {
          lose(); // the servers have ended the term that this node sees
        }
        return;
      }
      if (stopping) {
        return;
      }
      var stands = standing;
      boolean late = !world.now().isBefore(confirmed.plus(LEASE));
      if (stands == null || late || now.epoch() <= highest) {
        highest = Math.max(highest, now.epoch());
        release();
      } else {
        see(Optional.of(now));
        stands.lead(now);
      }
    }

    private Future<Void> lose() {
      see(Optional.empty());
      var stands = standing;
      if (stands == null) {
        return Future.succeededFuture();
      }
      stopping = true;
      return stands
          .stop()
          .onComplete(
              done -> {
                stopping = false;
                release();
              });
    }

    private void release() {
      servers.after(links.delay(), () -> released(this));
    }

    private void see(Optional<Term> now) {
      now.ifPresent(it -> highest = Math.max(highest, it.epoch()));
      if (!seen.equals(now)) {
        seen = now;
        listeners.forEach(each -> each.report(now));
      }
    }

    @Override
    public Optional<Term> term() {
      return seen;
    }

    @Override
    public Watch watch(Loop on, Listener listener) {
      var listening = new Listening(on, listener);
      process.execute(
          () -> {
            listeners.add(listening);
            listening.report(seen);
          });
      return () -> {
        listening.open = false;
        process.execute(() -> listeners.remove(listening));
      };
    }

    @Override
    public Candidacy stand(Loop on, Candidate candidate) {
      var stands = new Standing(on, candidate);
      process.execute(
          () -> {
            standing = stands;
            renew();
          });
      return () -> {
        var done = Promise.<Void>promise();
        process.execute(
            () -> {
              var stopped = leads() ? lose() : stands.stopped;
              standing = null;
              stopped.onComplete(done);
            });
        return done.future();
      };
    }

    /** A candidacy. */
    private final class Standing {
      private final Loop on;
      private final Candidate candidate;
      private Future<Void> stopped = Future.succeededFuture();
      private @Nullable Term granted;
      private boolean leads;

      private Standing(Loop on, Candidate candidate) {
        this.on = on;
        this.candidate = candidate;
      }

      private void lead(Term now) {
        granted = now;
        on.execute(
            () -> {
              if (now.equals(granted)) {
                leads = true;
                candidate.lead(now);
              }
            });
      }

      private Future<Void> stop() {
        granted = null;
        var done = Promise.<Void>promise();
        process.after(STOP_LIMIT, done::tryComplete);
        on.execute(
            () -> {
              var stops = leads ? candidate.stop() : Future.<Void>succeededFuture();
              leads = false;
              stops.onComplete(any -> process.execute(done::tryComplete));
            });
        stopped = done.future();
        return stopped;
      }
    }
  }

  private static final class Listening {
    private final Loop loop;
    private final Leadership.Listener listener;
    private boolean open = true;

    private Listening(Loop loop, Leadership.Listener listener) {
      this.loop = loop;
      this.listener = listener;
    }

    private void report(Optional<Term> now) {
      loop.execute(
          () -> {
            if (open) {
              listener.changed(now);
            }
          });
    }
  }
}
