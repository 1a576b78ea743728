package verwalter.controllers.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import verwalter.concurrent.Loop;
import verwalter.controllers.deployment.ReleaseFiles.Contents;
import verwalter.controllers.deployment.ReleaseFiles.Found;
import verwalter.controllers.deployment.ReleaseFiles.Named;
import verwalter.controllers.deployment.ReleaseFiles.Wanted;
import verwalter.model.Reason;

/** The promises of {@link ReleaseFiles}. */
public abstract class ReleaseFilesContract {
  protected static final String KEY = "web@1@main@g1.l0";
  private static final Duration OLD = Duration.ofDays(8);
  private static final Found NOTHING = new Found(Optional.empty(), Optional.empty());

  /** The files as an agent has them after a start, with the disk of this test. */
  protected abstract ReleaseFiles open() throws Exception;

  /** The source of a complete archive with this content. */
  protected abstract String source(String content) throws Exception;

  /** A source that sends a part of the archive with this content, and then nothing for long. */
  protected abstract String slowSource(String content) throws Exception;

  /** The digest of the archive with this content. */
  protected abstract String digest(String content) throws Exception;

  /** A source that has nothing. */
  protected abstract String noSource();

  /** Makes everything on the disk older. */
  protected abstract void age(Duration time) throws Exception;

  /** Whether the disk has parts of archives. */
  protected abstract boolean hasRests() throws Exception;

  /** The loop of the files. */
  protected abstract Loop loop();

  /** Whether the caller is on that loop. */
  protected abstract boolean isOnLoop();

  protected abstract <V> V await(Future<V> future) throws Exception;

  protected abstract Throwable failure(Future<?> future) throws Exception;

  protected abstract void until(BooleanSupplier goal) throws Exception;

  private ReleaseFailure failed(Future<?> future) throws Exception {
    var failure = failure(future);
    assertThat(failure).isInstanceOf(ReleaseFailure.class);
    return (ReleaseFailure) failure;
  }

  private Wanted wanted(String content) throws Exception {
    return new Wanted(source(content), Optional.of(digest(content)));
  }

  private Found found(ReleaseFiles files, String content) throws Exception {
    return await(files.find(KEY, source(content), Optional.of(digest(content))));
  }

  /** An archive that is on the disk, and its release. */
  private ReleaseFiles.Release created(ReleaseFiles files, String content) throws Exception {
    await(files.fetch(wanted(content)).done());
    return await(files.create(KEY, digest(content)).done());
  }

  @Test
  void whatIsCompleteIsFoundAlsoAfterACrash() throws Exception {
    var files = open();
    assertThat(found(files, "a")).isEqualTo(NOTHING);
    var fetch = files.fetch(wanted("a"));
    assertThat(await(fetch.done())).isEqualTo(digest("a"));
    assertThat(fetch.progress().total()).contains(fetch.progress().done());
    var size = await(files.archive(digest("a")));
    assertThat(size).isPresent();
    var release = await(files.create(KEY, digest("a")).done());
    assertThat(release.digest()).contains(digest("a"));
    var next = open();
    await(next.recover(List.of()));
    assertThat(found(next, "a")).isEqualTo(new Found(Optional.of(release), size));
    assertThat(await(next.contents()))
        .isEqualTo(new Contents(Map.of(KEY, release.path()), Set.of(digest("a"))));
  }

  @Test
  void whatExistsIsFetchedAndCreatedAtOnce() throws Exception {
    var files = open();
    var release = created(files, "a");
    var again = new Wanted(noSource(), Optional.of(digest("a")));
    assertThat(await(files.fetch(again).done())).isEqualTo(digest("a"));
    assertThat(await(files.create(KEY, digest("a")).done())).isEqualTo(release);
  }

  @Test
  void withoutADigestTheFetchSaysIt() throws Exception {
    var fetch = open().fetch(new Wanted(source("a"), Optional.empty()));
    assertThat(await(fetch.done())).isEqualTo(digest("a"));
  }

  @Test
  void otherBytesAreNoArchive() throws Exception {
    var files = open();
    var failure = failed(files.fetch(new Wanted(source("b"), Optional.of(digest("a")))).done());
    assertThat(failure.reason()).isEqualTo(Reason.DIGEST_MISMATCH);
    assertThat(await(files.contents()).archives()).doesNotContain(digest("a"));
  }

  @Test
  void aSourceWithoutAnArchiveMayHaveOneLater() throws Exception {
    var failure = failed(open().fetch(new Wanted(noSource(), Optional.of(digest("a")))).done());
    assertThat(failure.reason()).isEqualTo(Reason.NOT_FOUND);
    assertThat(failure.mayPass()).isTrue();
  }

  @Test
  void aReleaseNeedsItsArchive() throws Exception {
    var files = open();
    assertThat(failed(files.create(KEY, digest("a")).done()).reason()).isEqualTo(Reason.NOT_FOUND);
    assertThat(await(files.contents()).releases()).isEmpty();
  }

  @Test
  void aReleaseOfAnotherArchiveStays() throws Exception {
    var files = open();
    var release = created(files, "a");
    await(files.fetch(wanted("b")).done());
    var refused = failed(files.create(KEY, digest("b")).done());
    assertThat(refused.reason()).isEqualTo(Reason.BAD_KEY);
    assertThat(refused.mayPass()).isFalse();
    assertThat(found(files, "a").release()).contains(release);
  }

  @Test
  void aCancelledFetchEndsAndItsRestCanBeRemoved() throws Exception {
    var files = open();
    var wanted = new Wanted(slowSource("a"), Optional.of(digest("a")));
    var fetch = files.fetch(wanted);
    until(() -> fetch.progress().done() > 0);
    fetch.cancel();
    assertThat(failed(fetch.done()).reason()).isEqualTo(Reason.CANCELLED);
    await(files.abandon(wanted));
    assertThat(hasRests()).isFalse();
  }

  @Test
  void aCancelledUnpackingLeavesAReleaseOrNothing() throws Exception {
    var files = open();
    await(files.fetch(wanted("a")).done());
    var create = files.create(KEY, digest("a"));
    create.cancel();
    until(() -> create.done().isComplete());
    assertThat(found(files, "a").release().isPresent()).isEqualTo(create.done().succeeded());
  }

  @Test
  void whatDoesNotExistCanBeRemoved() throws Exception {
    var files = open();
    created(files, "a");
    for (int i = 0; i < 2; i++) {
      await(files.removeRelease(KEY));
      await(files.removeArchive(digest("a")));
      await(files.abandon(wanted("a")));
      assertThat(found(files, "a")).isEqualTo(NOTHING);
    }
  }

  @Test
  void whatDoesNotExistIsNoFailure() throws Exception {
    var files = open();
    assertThat(await(files.find(KEY, noSource(), Optional.of("malformed")))).isEqualTo(NOTHING);
    assertThat(await(files.find(KEY, noSource(), Optional.empty()))).isEqualTo(NOTHING);
    assertThat(await(files.archive(digest("a")))).isEmpty();
    assertThat(await(files.contents())).isEqualTo(new Contents(Map.of(), Set.of()));
  }

  @Test
  void recoveryKeepsRestsThatAreContinuedAndIsMadeOnce() throws Exception {
    var wanted = new Wanted(slowSource("a"), Optional.of(digest("a")));
    var fetch = open().fetch(wanted);
    until(() -> fetch.progress().done() > 0);
    fetch.cancel();
    failed(fetch.done());
    var next = open();
    await(next.recover(List.of(wanted)));
    await(next.recover(List.of()));
    assertThat(hasRests()).isTrue();
    await(open().recover(List.of()));
    assertThat(hasRests()).isFalse();
  }

  @Test
  void aRestStaysForEverySourceOfItsDigest() throws Exception {
    var files = open();
    var wanted = new Wanted(slowSource("a"), Optional.of(digest("a")));
    var fetch = files.fetch(wanted);
    until(() -> fetch.progress().done() > 0);
    fetch.cancel();
    failed(fetch.done());
    var other = new Wanted(source("a"), wanted.digest());
    await(open().recover(List.of(other)));
    assertThat(hasRests()).isTrue();
    await(files.abandon(other));
    assertThat(hasRests()).isFalse();
  }

  @Test
  void whatIsNotNamedGoesOnceItIsOld() throws Exception {
    var files = open();
    created(files, "a");
    var nothing = new Named(Set.of(), Set.of("malformed"));
    assertThat(await(files.collect(nothing))).isEmpty();
    age(OLD);
    assertThat(await(files.collect(new Named(Set.of(KEY), Set.of(digest("a")))))).isEmpty();
    assertThat(await(files.collect(nothing))).isEmpty(); // it was named a moment ago
    age(OLD);
    assertThat(await(files.collect(new Named(Set.of(KEY), Set.of())))).hasSize(1);
    assertThat(await(files.archive(digest("a")))).isEmpty();
    age(OLD);
    assertThat(await(files.collect(nothing))).hasSize(1);
    assertThat(await(files.contents())).isEqualTo(new Contents(Map.of(), Set.of()));
  }

  @Test
  void aReleaseAsItWasUnpackedDoesNotDiffer() throws Exception {
    var files = open();
    created(files, "a");
    assertThat(await(files.verify(KEY).done())).isEmpty();
    assertThat(failed(files.verify("none").done()).reason()).isEqualTo(Reason.NOT_FOUND);
  }

  @Test
  void futuresCompleteOnTheLoop() throws Exception {
    var files = open();
    var places = new CopyOnWriteArrayList<Boolean>();
    var wanted = wanted("a");
    var other = wanted("b");
    var digest = digest("b");
    loop()
        .execute(
            () ->
                List.<Future<?>>of(
                        files.recover(List.of()),
                        files.find(KEY, wanted.source(), Optional.empty()),
                        files.archive(digest),
                        files.fetch(wanted).done(),
                        files.fetch(new Wanted(noSource(), Optional.empty())).done(),
                        files.create("other", digest).done(),
                        files.verify("other").done(),
                        files.abandon(other),
                        files.removeRelease("third"),
                        files.removeArchive(digest),
                        files.contents(),
                        files.collect(new Named(Set.of(), Set.of())))
                    .forEach(each -> each.onComplete(done -> places.add(isOnLoop()))));
    until(() -> places.size() == 12);
    assertThat(places).containsOnly(true);
  }
}
