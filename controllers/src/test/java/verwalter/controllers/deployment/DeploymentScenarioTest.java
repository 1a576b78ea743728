package verwalter.controllers.deployment;

import static org.assertj.core.api.Assertions.assertThat;
import static verwalter.controllers.deployment.ReleaseSite.D1;
import static verwalter.controllers.deployment.ReleaseSite.D2;
import static verwalter.controllers.deployment.ReleaseSite.key;
import static verwalter.controllers.deployment.ReleaseSite.spec;
import static verwalter.model.DeploymentRef.State.CREATED;
import static verwalter.model.DeploymentRef.State.CREATING;
import static verwalter.model.DeploymentRef.State.DOWNLOADING;
import static verwalter.model.DeploymentRef.State.INITIAL;
import static verwalter.model.DeploymentRef.State.RESOLVED;
import static verwalter.model.DeploymentRef.State.RESOLVING;
import static verwalter.model.DeploymentRef.State.VERIFIED;
import static verwalter.model.DeploymentRef.State.VERIFYING;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import verwalter.model.Artifact;
import verwalter.model.DeploymentRef;
import verwalter.model.Event;
import verwalter.model.ProcessGroup;
import verwalter.model.Reason;
import verwalter.model.Resource;

/** The scenarios that concern a single release. The invariants are checked after every step. */
class DeploymentScenarioTest {
  private static final String URL = "https://files/web.tar";

  private final ReleaseSite site = new ReleaseSite(7);

  @BeforeEach
  void serve() {
    site.disk.serve(URL, D1, 20);
    site.disk.serve("https://files/next.tar", D2, 20);
  }

  private String web() {
    return site.add("web", URL, Optional.of(D1));
  }

  private void assertNothingIsLeft() {
    assertThat(site.disk.releases).isEmpty();
    assertThat(site.disk.archives).isEmpty();
    assertThat(site.disk.partial).isEmpty();
    assertThat(site.disk.half).isEmpty();
    assertThat(site.disk.running).isEmpty();
    assertThat(site.store.list(Artifact.KIND)).isEmpty();
  }

  @Test
  void aReleaseIsFetchedAndUnpacked() {
    var web = web();
    site.until(web, CREATED);
    assertThat(site.states(web))
        .containsExactly(INITIAL, RESOLVED, DOWNLOADING, VERIFIED, CREATING, CREATED);
    assertThat(site.status(web).path()).contains("/releases/" + key(web) + "/files");
    assertThat(site.status(web).resolvedDigest()).contains(D1);
    assertThat(site.status(web).percent()).contains(100L);
    assertThat(site.prepared(web).isTrue()).isTrue();
    assertThat(site.artifact(D1).orElseThrow().users()).containsExactly(web);
  }

  @Test
  void aTagIsResolvedOnceAndStaysWhatItWas() {
    var web = site.add("web", URL, Optional.empty());
    site.until(web, CREATED);
    assertThat(site.states(web))
        .containsExactly(INITIAL, RESOLVING, RESOLVED, VERIFIED, CREATING, CREATED);
    site.disk.serve(URL, D2, 20);
    site.settle();
    assertThat(site.status(web).resolvedDigest()).contains(D1);
    assertThat(site.begun("fetch " + URL)).isEqualTo(1);
  }

  @Test
  void aDirectoryIsUsedInPlace() {
    var web = site.add("web", "/srv/web/", Optional.empty());
    site.until(web, CREATED);
    assertThat(site.status(web).path()).contains("/srv/web/");
    site.delete(web);
    site.gone(web);
    assertThat(site.disk.history).containsOnly("remove " + key(web));
  }

  @Test
  void filesThatAreUsedStayAlthoughTheirRefIsRemoved() {
    var web = web();
    site.until(web, CREATED);
    var output = site.uses(site.status(web).path().orElseThrow());

    site.delete(web);
    site.world.runFor(Duration.ofMinutes(10));
    assertThat(site.disk.releases).containsOnlyKeys(key(web));
    assertThat(site.status(web).reason())
        .isEqualTo("cannot be removed: TemplateOutput/web@n1 uses its files");
    long revision = site.store.revision();
    site.world.runFor(Duration.ofMinutes(10));
    assertThat(site.store.revision()).isEqualTo(revision);

    site.world.await(site.store.remove(output));
    site.gone(web);
    assertThat(site.disk.releases).isEmpty();
  }

  /** The program of a process need not contain the path of the release that it uses. */
  @ParameterizedTest
  @CsvSource({"0, RUNNING", "1, STOPPING"})
  void aReleaseStaysWhileAProcessOfItsRoleMayUseIt(long received, ProcessGroup.State state) {
    var web = web();
    var other = site.add("web-2", "https://files/next.tar", Optional.of(D2));
    site.until(web, CREATED);
    site.until(other, CREATED);
    var group = site.reports(received, state, "/bin/sh");

    site.delete(web);
    site.delete(other);
    site.world.runFor(Duration.ofMinutes(10));
    assertThat(site.disk.releases).containsOnlyKeys(key(web));
    assertThat(site.status(web).reason())
        .isEqualTo("cannot be removed: a process of ProcessGroup/web@n1 may use its files");

    site.world.await(site.store.remove(group));
    site.gone(web);
    assertThat(site.disk.releases).isEmpty();
  }

  @Test
  void aReleaseStaysWhileACommandOfItsRoleRunsThatBeganBeforeTheUpdate() {
    var web = web();
    site.until(web, CREATED);
    var group = site.reportsCommand(ProcessGroup.State.RUNNING);

    site.delete(web);
    site.world.runFor(Duration.ofMinutes(10));
    assertThat(site.disk.releases).containsOnlyKeys(key(web));

    site.world.await(site.store.remove(group));
    site.reportsCommand(ProcessGroup.State.WAITING);
    site.gone(web);
    assertThat(site.disk.releases).isEmpty();
  }

  @Test
  void withVerifyOnlyTheArchiveWaitsForItsUnpacking() {
    var only = new DeploymentRef.Spec("web", "n1", "1", "main", 1, 0, URL, Optional.of(D1), true);
    var web = site.add(only);
    site.until(web, VERIFIED);
    site.settle();
    assertThat(site.status(web).state()).isEqualTo(VERIFIED);
    assertThat(site.prepared(web).isTrue()).isTrue();
    site.unpack(web);
    site.until(web, CREATED);
    assertThat(site.begun("fetch " + D1)).isEqualTo(1);
  }

  @Test
  void s03Download404ThenSuccess() {
    site.disk.fail(URL, Reason.NOT_FOUND, 2);
    var web = web();
    site.world.runUntil(() -> site.status(web).attempts().download() == 2, Duration.ofMinutes(5));
    assertThat(site.status(web).state()).isEqualTo(DOWNLOADING);
    assertThat(site.prepared(web).isFalse()).isTrue();
    assertThat(site.prepared(web).hasReason(Reason.NOT_FOUND)).isTrue();
    assertThat(site.status(web).nextRetry())
        .hasValueSatisfying(time -> assertThat(time).isAfter(site.world.now()));
    assertThat(site.artifact(D1).orElseThrow().state()).isEqualTo(Artifact.State.DOWNLOADING);
    site.until(web, CREATED);
    assertThat(site.states(web))
        .containsExactly(INITIAL, RESOLVED, DOWNLOADING, VERIFIED, CREATING, CREATED);
    assertThat(site.prepared(web).isTrue()).isTrue();
    assertThat(site.status(web).attempts()).isEqualTo(DeploymentRef.Attempts.NONE);
    assertThat(site.status(web).nextRetry()).isEmpty();
    assertThat(site.status(web).reason()).isEmpty();
  }

  @Test
  void s03TheFirstErrorIsShownUntilSuccessAndTheLastOneIsTheReason() {
    site.disk.fail(URL, Reason.NOT_FOUND, 1);
    site.disk.fail(URL, Reason.UNREACHABLE, 1);
    var web = web();
    site.world.runUntil(() -> site.status(web).attempts().download() == 2, Duration.ofMinutes(5));
    assertThat(site.prepared(web).hasReason(Reason.NOT_FOUND)).isTrue();
    assertThat(site.status(web).reason()).contains("UNREACHABLE");
  }

  @Test
  void pausesDoubleUpToTenMinutes() {
    site.disk.fail(URL, Reason.NOT_FOUND, 100);
    var web = web();
    site.world.runFor(Duration.ofHours(2));
    // 5, 10, 20, 40, 80, 160, 320 seconds, and 600 from then on.
    assertThat(site.begun("fetch " + D1)).isBetween(17L, 19L);
    assertThat(site.status(web).attempts().download()).isEqualTo(site.begun("fetch " + D1));
  }

  @Test
  void s04DigestMismatchForEver() {
    site.disk.corrupt(URL, 1000);
    var web = web();
    site.until(web, VERIFYING);
    site.world.runFor(Duration.ofHours(24));
    assertThat(site.begun("fetch " + D1)).isEqualTo(1 + 5);
    assertThat(site.status(web).state()).isEqualTo(VERIFYING);
    assertThat(site.prepared(web).hasReason(Reason.DIGEST_MISMATCH)).isTrue();
    assertThat(site.status(web).nextRetry()).isEmpty();
    assertThat(site.disk.releases).isEmpty();
    var next = site.add(spec("web", "2", "https://files/next.tar", Optional.of(D2)));
    site.delete(web);
    site.until(next, CREATED);
    site.gone(web);
  }

  @Test
  void s04AnAgentThatStartsAnewDoesNotTryAgain() {
    site.disk.corrupt(URL, 1000);
    var web = web();
    site.until(web, VERIFYING);
    site.crash();
    site.world.runFor(Duration.ofHours(24));
    assertThat(site.begun("fetch " + D1)).isEqualTo(1 + 5);
    site.disk.heal();
    site.respecify(web, spec("web", "1", "https://files/mirror.tar", Optional.of(D1)));
    site.disk.serve("https://files/mirror.tar", D1, 20);
    site.until(web, CREATED);
  }

  @Test
  void s05DigestMismatchOnce() {
    site.disk.corrupt(URL, 1);
    var web = web();
    site.until(web, CREATED);
    assertThat(site.begun("fetch " + D1)).isEqualTo(2);
    assertThat(site.prepared(web).isTrue()).isTrue();
    assertThat(site.status(web).attempts()).isEqualTo(DeploymentRef.Attempts.NONE);
  }

  @Test
  void s06MalformedDigest() {
    var web = site.add("web", URL, Optional.of("xyz"));
    site.world.runFor(Duration.ofHours(1));
    assertThat(site.states(web)).containsExactly(INITIAL);
    assertThat(site.prepared(web).hasReason(Reason.BAD_DIGEST)).isTrue();
    assertThat(site.status(web).nextRetry()).isEmpty();
    assertThat(site.disk.history).isEmpty();
    site.respecify(web, spec("web", "1", URL, Optional.of(D1)));
    site.until(web, CREATED);
    assertThat(site.prepared(web).isTrue()).isTrue();
  }

  @Test
  void aDigestDoesNotChangeOnceItIsKnown() {
    var web = web();
    site.until(web, DOWNLOADING);
    site.respecify(web, spec("web", "1", URL, Optional.of(D2)));
    site.settle();
    assertThat(site.status(web).resolvedDigest()).contains(D1);
    assertThat(site.prepared(web).hasReason(Reason.BAD_DIGEST)).isTrue();
    site.delete(web);
    site.gone(web);
    site.settle();
    assertNothingIsLeft();
  }

  @Test
  void s07DiskFullAtCreateThenFreed() {
    var other = site.add("other", "https://files/next.tar", Optional.of(D2));
    site.until(other, CREATED);
    var web = web();
    site.until(web, VERIFIED);
    site.disk.capacity = site.disk.used() + 5;
    site.world.runUntil(() -> site.prepared(web).hasReason(Reason.NO_SPACE), Duration.ofMinutes(1));
    assertThat(site.status(web).state()).isEqualTo(VERIFIED);
    assertThat(site.status(web).nextRetry()).isPresent();
    // The third pause is 20 seconds long, and only the removal ends it.
    site.world.runUntil(() -> site.status(web).attempts().create() == 3, Duration.ofMinutes(2));
    var before = site.world.now();
    site.delete(other);
    site.until(web, CREATED);
    assertThat(Duration.between(before, site.world.now())).isLessThan(Duration.ofSeconds(10));
    assertThat(site.prepared(web).isTrue()).isTrue();
  }

  @Test
  void s07DiskFullAtDownloadThenFreed() {
    site.disk.capacity = 10;
    var web = web();
    site.world.runUntil(() -> site.status(web).attempts().download() == 5, Duration.ofMinutes(10));
    assertThat(site.status(web).state()).isEqualTo(DOWNLOADING);
    assertThat(site.prepared(web).hasReason(Reason.NO_SPACE)).isTrue();
    site.disk.capacity = 1000;
    site.world.runFor(Duration.ofMinutes(10));
    assertThat(site.status(web).state()).isEqualTo(CREATED);
  }

  @ParameterizedTest
  @EnumSource(
      value = DeploymentRef.State.class,
      names = {"INITIAL", "RESOLVED", "DOWNLOADING", "VERIFIED", "CREATING", "CREATED"})
  void s28DeleteInEachState(DeploymentRef.State state) {
    var web = web();
    site.until(web, state);
    site.delete(web);
    site.gone(web);
    site.settle();
    assertNothingIsLeft();
  }

  @ParameterizedTest
  @EnumSource(
      value = DeploymentRef.State.class,
      names = {"DOWNLOADING", "CREATING"})
  void s28DeleteDuringWork(DeploymentRef.State state) {
    var web = web();
    site.until(web, state);
    site.world.runUntil(() -> !site.disk.running.isEmpty(), Duration.ofSeconds(10));
    site.world.runFor(Duration.ofMillis(400));
    site.delete(web);
    site.gone(web);
    site.settle();
    assertNothingIsLeft();
  }

  @Test
  void s28DeleteWhileResolving() {
    var web = site.add("web", URL, Optional.empty());
    site.until(web, RESOLVING);
    site.world.runFor(Duration.ofMillis(400));
    site.delete(web);
    site.gone(web);
    site.settle();
    assertNothingIsLeft();
  }

  @Test
  void s28DeleteAndCreateAgainDuringDownload() {
    var web = web();
    site.until(web, DOWNLOADING);
    site.world.runFor(Duration.ofMillis(400));
    var uid = site.ref(web).meta().uid();
    site.delete(web);
    site.gone(web);
    assertThat(web()).isEqualTo(web);
    site.until(web, CREATED);
    assertThat(site.ref(web).meta().uid()).isNotEqualTo(uid);
    site.settle();
    assertThat(site.artifact(D1).orElseThrow().users()).containsExactly(web);
  }

  @Test
  void aRemovalThatFailsIsShownAndRepeated() {
    var web = web();
    site.until(web, CREATED);
    site.disk.failingRemovals = 3;
    site.delete(web);
    site.world.runUntil(() -> site.status(web).attempts().destroy() == 1, Duration.ofMinutes(1));
    site.world.runFor(Duration.ofSeconds(4));
    assertThat(site.status(web).attempts().destroy()).isEqualTo(1);
    site.world.runFor(Duration.ofSeconds(2));
    assertThat(site.status(web).attempts().destroy()).isEqualTo(2);
    assertThat(site.status(web).reason()).contains("does not remove");
    assertThat(site.status(web).nextRetry()).isPresent();
    site.gone(web);
    site.settle();
    assertNothingIsLeft();
  }

  @Test
  void anAgentThatCrashesWhileARemovalFailsRepeatsIt() {
    var web = web();
    site.until(web, CREATED);
    site.disk.failingRemovals = 1;
    site.delete(web);
    site.world.runUntil(() -> site.status(web).attempts().destroy() == 1, Duration.ofMinutes(1));
    site.crash();
    site.gone(web);
  }

  @Test
  void s31TwoRefsWithOneArtifact() {
    var web = web();
    var api = site.add("api", URL, Optional.of(D1));
    site.until(web, CREATED);
    site.until(api, CREATED);
    site.settle();
    assertThat(site.begun("fetch " + D1)).isEqualTo(1);
    assertThat(site.artifact(D1).orElseThrow().users()).containsExactly(api, web);
    site.delete(api);
    site.gone(api);
    site.settle();
    assertThat(site.disk.releases).containsOnlyKeys(key(web));
    assertThat(site.disk.archives).containsOnlyKeys(D1);
    assertThat(site.artifact(D1).orElseThrow().users()).containsExactly(web);
    site.delete(web);
    site.gone(web);
    site.settle();
    assertNothingIsLeft();
  }

  @Test
  void s31A404ShowsOnBothAndBothRecoverByOneRetry() {
    site.disk.fail(URL, Reason.NOT_FOUND, 1);
    var web = web();
    var api = site.add("api", URL, Optional.of(D1));
    site.world.runUntil(
        () ->
            site.status(web).attempts().download() == 1
                && site.status(api).attempts().download() == 1,
        Duration.ofMinutes(1));
    site.until(web, CREATED);
    site.until(api, CREATED);
    assertThat(site.begun("fetch " + D1)).isEqualTo(2);
  }

  @Test
  void s31DeletionDuringTheSharedDownloadLetsItGoOn() {
    var web = web();
    var api = site.add("api", URL, Optional.of(D1));
    site.until(web, DOWNLOADING);
    site.until(api, DOWNLOADING);
    site.world.runFor(Duration.ofMillis(300));
    site.delete(api);
    site.until(web, CREATED);
    assertThat(site.begun("fetch " + D1)).isEqualTo(1);
    assertThat(site.exists(api)).isFalse();
  }

  @Test
  void s31RefsWithDifferentSourcesOfOneDigestDownloadItOnce() {
    site.disk.serve("https://mirror/web.tar", D1, 20);
    var web = web();
    var api = site.add("api", "https://mirror/web.tar", Optional.of(D1));
    site.until(web, CREATED);
    site.until(api, CREATED);
    assertThat(site.begun("fetch " + D1)).isEqualTo(1);
  }

  @Test
  void aUserThatComesWhileTheArtifactEndsMakesItAnew() {
    var web = web();
    site.until(web, CREATED);
    site.disk.removal = Duration.ofSeconds(3);
    site.delete(web);
    site.world.runUntil(site::isArtifactEnding, Duration.ofSeconds(5));
    var api = site.add("api", URL, Optional.of(D1));
    site.world.runFor(Duration.ofSeconds(2));
    assertThat(site.status(api).state()).isEqualTo(RESOLVED);
    site.until(api, CREATED);
    site.settle();
    assertThat(site.artifact(D1).orElseThrow().users()).containsExactly(api);
    assertThat(site.disk.archives).containsOnlyKeys(D1);
    assertThat(site.begun("fetch " + D1)).isEqualTo(2);
  }

  @Test
  void aUserThatComesBeforeTheArchiveIsRemovedKeepsIt() {
    var web = web();
    site.until(web, CREATED);
    site.delete(web);
    site.gone(web);
    site.disk.failingRemovals = 1;
    site.world.runUntil(() -> site.disk.failingRemovals == 0, Duration.ofSeconds(5));
    var api = site.add("api", URL, Optional.of(D1));
    site.until(api, CREATED);
    site.settle();
    assertThat(site.artifact(D1).orElseThrow().users()).containsExactly(api);
    assertThat(site.begun("fetch " + D1)).isEqualTo(1);
  }

  @Test
  void atMostFourDownloadsRunAndTheOthersFollowInOrder() {
    for (int i = 0; i < 9; i++) {
      var digest = "sha256:" + ("a" + i).repeat(32);
      site.disk.serve("https://files/" + i, digest, 20);
      site.add("role" + i, "https://files/" + i, Optional.of(digest));
      site.world.runFor(Duration.ofMillis(200));
    }
    site.world.runUntil(() -> site.disk.running.size() == 4, Duration.ofSeconds(5));
    site.world.runUntil(
        () -> site.status("role8@1@main@g1.l0@n1").reason().equals("waits for its turn"),
        Duration.ofSeconds(5));
    site.world.runFor(Duration.ofMinutes(2));
    assertThat(site.disk.releases).hasSize(9);
    var fetches = site.disk.history.stream().filter(it -> it.startsWith("fetch ")).toList();
    for (int i = 0; i < 9; i++) {
      assertThat(fetches.get(i)).isEqualTo("fetch sha256:" + ("a" + i).repeat(32));
    }
  }

  @Test
  void aLostArchiveIsFetchedAgain() {
    var only = new DeploymentRef.Spec("web", "n1", "1", "main", 1, 0, URL, Optional.of(D1), true);
    var web = site.add(only);
    site.until(web, VERIFIED);
    site.settle();
    site.disk.archives.clear();
    site.world.runFor(Duration.ofMinutes(10));
    assertThat(site.status(web).state()).isEqualTo(VERIFIED);
    assertThat(site.begun("fetch " + D1)).isEqualTo(2);
  }

  @Test
  void aLostReleaseIsUnpackedAgain() {
    var web = web();
    site.until(web, CREATED);
    site.settle();
    site.disk.releases.clear();
    site.until(web, INITIAL);
    assertThat(site.prepared(web).hasReason(Reason.RELEASE_LOST)).isTrue();
    site.until(web, CREATED);
    assertThat(site.begun("fetch " + D1)).isEqualTo(1);
    assertThat(site.prepared(web).isTrue()).isTrue();
  }

  @Test
  void aDiskThatDoesNotAnswerChangesNothing() {
    var web = web();
    site.until(web, CREATED);
    site.settle();
    site.disk.silent = true;
    site.world.runFor(Duration.ofMinutes(20));
    assertThat(site.status(web).state()).isEqualTo(CREATED);
    assertThat(site.status(web).reason()).contains("does not answer");
    site.disk.silent = false;
    site.world.runFor(Duration.ofMinutes(20));
    assertThat(site.status(web).reason()).isEmpty();
    assertThat(site.begun("create " + key(web))).isEqualTo(1);
  }

  @Test
  void aReleaseThatIsThereWhenTheStoreIsLostIsTaken() {
    var spec = spec("web", "1", URL, Optional.empty());
    var web = DeploymentRef.name(spec);
    site.world.await(site.store.put(Resource.of(DeploymentRef.KIND, web, spec)));
    site.disk.releases.put(key(web), D2);
    site.until(web, CREATED);
    assertThat(site.status(web).resolvedDigest()).contains(D2);
    assertThat(site.disk.history).isEmpty();
  }

  @Test
  void nothingIsWrittenWhileNothingChanges() {
    var web = web();
    site.until(web, CREATED);
    site.settle();
    long revision = site.store.revision();
    site.world.runFor(Duration.ofHours(3));
    assertThat(site.store.revision()).isEqualTo(revision);
  }

  @Test
  void progressIsWrittenOnceASecond() {
    site.disk.serve(URL, D1, 1000);
    var web = web();
    site.until(web, DOWNLOADING);
    site.settle();
    long revision = site.store.revision();
    site.world.runFor(Duration.ofSeconds(20));
    // One status of the ref and one of the artifact each second.
    assertThat(site.store.revision() - revision).isBetween(20L, 42L);
    assertThat(site.status(web).percent().orElseThrow()).isBetween(40L, 95L);
    assertThat(site.status(web).reason()).isEmpty();
  }

  @Test
  void unusedFilesGoOnceTheyAreOldAndTheShareOfTheNodeIsKnown() {
    var web = web();
    site.until(web, CREATED);
    site.disk.archives.put(D2, 20L);
    site.disk.named.put(D2, site.world.now());
    site.disk.age(FakeReleaseFiles.OLD);
    site.world.runFor(Duration.ofHours(2));
    assertThat(site.disk.archives).containsOnlyKeys(D1, D2);
    site.schedule();
    site.world.runFor(Duration.ofHours(1));
    assertThat(site.disk.archives).containsOnlyKeys(D1);
    assertThat(site.disk.releases).containsOnlyKeys(key(web));
    site.disk.age(FakeReleaseFiles.OLD);
    site.crash();
    site.world.runFor(Duration.ofHours(1));
    assertThat(site.disk.archives).containsOnlyKeys(D1);
    assertThat(site.disk.releases).containsOnlyKeys(key(web));
  }

  @Test
  void aReleaseWhoseRefHasVanishedStaysAsLongAsAProcessNamesIt() {
    site.schedule();
    var web = web();
    site.until(web, CREATED);
    var group = site.runs("/releases/" + key(web) + "/files/bin/web");
    site.vanish(web);
    site.disk.age(FakeReleaseFiles.OLD);
    site.crash();
    site.world.runFor(Duration.ofHours(3));
    assertThat(site.disk.releases).containsOnlyKeys(key(web));
    assertThat(site.disk.archives).isEmpty();
    site.world.await(site.store.remove(group));
    site.disk.age(FakeReleaseFiles.OLD);
    site.world.runFor(Duration.ofHours(2));
    assertThat(site.disk.releases).isEmpty();
  }

  @Test
  void nothingIsCollectedWhileARefIsNew() {
    site.schedule();
    site.disk.silent = true;
    var web = web();
    site.disk.archives.put(D2, 20L);
    site.disk.named.put(D2, site.world.now().minus(FakeReleaseFiles.OLD));
    site.world.runFor(Duration.ofHours(1));
    assertThat(site.status(web).state()).isEqualTo(INITIAL);
    site.disk.silent = false;
    site.until(web, CREATED);
    site.world.runFor(Duration.ofHours(1));
    assertThat(site.disk.archives).containsOnlyKeys(D1);
  }

  @Test
  void theRestOfADownloadStaysForAnotherSourceOfTheSameDigest() {
    site.disk.serve("https://mirror/web.tar", D1, 20);
    var web = web();
    var other = site.add("other", "https://mirror/web.tar", Optional.of(D1));
    site.world.runUntil(() -> site.disk.running.contains("fetch " + D1), Duration.ofSeconds(5));
    site.delete(web);
    site.gone(web);
    assertThat(site.disk.abandoned).isEmpty();
    site.until(other, CREATED);
    site.delete(other);
    site.gone(other);
    site.settle();
    assertNothingIsLeft();
  }

  @Test
  void anAgentWithoutRefsAndFilesIsNotWoken() {
    site.world.runFor(Duration.ofMinutes(10));
    long steps = site.world.steps();
    site.world.runFor(Duration.ofDays(1));
    assertThat(site.world.steps()).isEqualTo(steps);
  }

  @Test
  void eventsTellTheFirstErrorAndTheSuccess() {
    site.disk.fail(URL, Reason.NOT_FOUND, 3);
    var web = web();
    site.until(web, CREATED);
    site.settle();
    assertThat(site.events(web))
        .containsExactly(
            "WARNING NotFound " + URL + ": NOT_FOUND",
            "NORMAL Prepared its files are in /releases/" + key(web) + "/files");
  }

  @Test
  void anErrorForEverIsTheLastEvent() {
    site.disk.corrupt(URL, 10);
    var web = web();
    site.until(web, VERIFYING);
    site.settle();
    assertThat(site.events(web)).hasSize(1);
    assertThat(site.store.list(Event.KIND).get(0).spec().count()).isEqualTo(2);
  }

  @Test
  void aComparisonIsMadeOnceForEachNumber() {
    var web = web();
    site.until(web, CREATED);
    site.verify(web, 1);
    site.world.runUntil(
        () -> site.status(web).reason().startsWith("compares its files, "), Duration.ofSeconds(5));
    site.world.runUntil(
        () -> site.status(web).verifyCounter().equals(Optional.of(1L)), Duration.ofSeconds(10));
    assertThat(site.verified(web).isTrue()).isTrue();
    site.settle();
    assertThat(site.status(web).reason()).isEmpty();
    for (int i = 0; i < 12; i++) {
      site.disk.differences.add("file%d is missing".formatted(i));
    }
    site.verify(web, 2);
    site.settle();
    assertThat(site.status(web).verifyCounter()).contains(2L);
    assertThat(site.verified(web).hasReason(Reason.DAMAGED)).isTrue();
    assertThat(site.verified(web).message().split("\n"))
        .hasSize(11)
        .startsWith("file0 is missing")
        .endsWith("and 2 more");
    site.crash();
    site.settle();
    assertThat(site.begun("verify " + key(web))).isEqualTo(2);
    assertThat(site.status(web).state()).isEqualTo(CREATED);
  }

  @Test
  void aKilledAgentRepeatsAComparison() {
    var web = web();
    site.until(web, CREATED);
    site.verify(web, 1);
    site.world.runUntil(
        () -> site.disk.running.contains("verify " + key(web)), Duration.ofSeconds(5));
    site.crash();
    site.settle();
    assertThat(site.verified(web).isTrue()).isTrue();
    assertThat(site.begun("verify " + key(web))).isEqualTo(2);
  }

  @Test
  void aRequestDuringAComparisonMakesAnother() {
    var web = web();
    site.until(web, CREATED);
    site.verify(web, 1);
    site.world.runUntil(
        () -> site.disk.running.contains("verify " + key(web)), Duration.ofSeconds(5));
    site.verify(web, 2);
    site.settle();
    assertThat(site.status(web).verifyCounter()).contains(2L);
    assertThat(site.begun("verify " + key(web))).isEqualTo(2);
  }

  @Test
  void aComparisonWaitsForTheRelease() {
    site.disk.fail(URL, Reason.NOT_FOUND, 3);
    var web = web();
    site.settle();
    site.verify(web, 1);
    site.until(web, CREATED);
    site.settle();
    assertThat(site.verified(web).isTrue()).isTrue();
  }

  @Test
  void aDirectoryInPlaceHasNothingToCompareWith() {
    var web = site.add("web", "/srv/web/", Optional.empty());
    site.until(web, CREATED);
    site.verify(web, 1);
    site.settle();
    assertThat(site.status(web).verifyCounter()).contains(1L);
    assertThat(site.verified(web).hasReason(Reason.BAD_SOURCE)).isTrue();
    assertThat(site.verified(web).isTrue()).isFalse();
  }

  @Test
  void aRefThatIsDeletedDuringAComparisonGoesWhenThatHasEnded() {
    var web = web();
    site.until(web, CREATED);
    site.verify(web, 1);
    site.world.runUntil(
        () -> site.disk.running.contains("verify " + key(web)), Duration.ofSeconds(5));
    site.delete(web);
    site.gone(web);
    site.settle();
    assertNothingIsLeft();
  }
}
