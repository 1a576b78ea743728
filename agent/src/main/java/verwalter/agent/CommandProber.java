package verwalter.agent;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.io.File;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import verwalter.concurrent.Loop;
import verwalter.controllers.process.ProbeResult;
import verwalter.controllers.process.Prober;
import verwalter.model.ProcessSpec;
import verwalter.supervisor.embedded.ProbeLaunch;
import verwalter.supervisor.program.LoaderVariables;

/**
 * Probes processes by commands, as the user of the process and without more rights. A few run at a
 * time; an attempt above that is not made, which says nothing about the process.
 */
final class CommandProber implements Prober {
  /** The limit of concurrent commands. */
  private static final int AT_A_TIME = 8;

  /** The exit codes of a shell and of setpriv for a program that cannot be executed. */
  private static final List<Integer> NOT_RUN = List.of(126, 127);

  private final Loop loop;
  private final BiFunction<String, ProcessSpec.Command, ProbeLaunch> launcher;
  private final String path;
  private int running;

  /**
   * @param launcher how commands beside a process are started, by its name
   * @param path the value of {@code PATH} if the process does not have its own
   */
  CommandProber(
      Loop loop, BiFunction<String, ProcessSpec.Command, ProbeLaunch> launcher, String path) {
    this.loop = loop;
    this.launcher = launcher;
    this.path = path;
  }

  @Override
  public Future<ProbeResult> probe(
      ProcessSpec.Probe probe, String slot, ProcessSpec.Command command) {
    var result = Promise.<ProbeResult>promise();
    loop.execute(() -> begin(probe, slot, command, result));
    return result.future();
  }

  private void begin(
      ProcessSpec.Probe probe,
      String slot,
      ProcessSpec.Command command,
      Promise<ProbeResult> result) {
    if (running >= AT_A_TIME) {
      result.complete(
          ProbeResult.unknown("%d commands of other probes run already".formatted(running)));
      return;
    }
    running++;
    loop.offload(() -> started(probe, slot, command))
        .onSuccess(process -> await(probe, process, result))
        .onFailure(
            failure ->
                result.tryComplete(
                    ProbeResult.unknown("cannot run the probe: " + failure.getMessage())));
    result.future().onComplete(done -> loop.execute(() -> running--));
  }

  private Process started(ProcessSpec.Probe probe, String slot, ProcessSpec.Command command)
      throws IOException {
    var launch = launcher.apply(slot, command);
    var words = new ArrayList<>(launch.words());
    words.addAll(LoaderVariables.behind(launch.words(), command.environment()));
    words.addAll(probe.exec());
    var builder = new ProcessBuilder(words);
    builder.environment().clear();
    builder.environment().put("PATH", path);
    builder.environment().putAll(LoaderVariables.before(launch.words(), command.environment()));
    builder.environment().putAll(launch.environment());
    builder.directory(new File(command.directory().orElse("/")));
    builder.redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")));
    builder.redirectOutput(ProcessBuilder.Redirect.DISCARD);
    builder.redirectError(ProcessBuilder.Redirect.DISCARD);
    return builder.start();
  }

  private void await(ProcessSpec.Probe probe, Process process, Promise<ProbeResult> result) {
    var name = String.join(" ", probe.exec());
    var timer =
        loop.after(
            Duration.ofSeconds(probe.timeoutSeconds()),
            () -> {
              var all = process.descendants().toList();
              process.destroyForcibly();
              all.forEach(ProcessHandle::destroyForcibly);
              result.tryComplete(
                  ProbeResult.failure(
                      "%s did not end in %d s".formatted(name, probe.timeoutSeconds())));
            });
    Future.fromCompletionStage(process.onExit())
        .onSuccess(
            ended ->
                loop.execute(
                    () -> {
                      timer.cancel();
                      result.tryComplete(judge(name, ended.exitValue()));
                    }));
  }

  private static ProbeResult judge(String name, int code) {
    if (code == 0) {
      return ProbeResult.SUCCESS;
    }
    return NOT_RUN.contains(code)
        ? ProbeResult.unknown("%s cannot be run: exit code %d".formatted(name, code))
        : ProbeResult.failure("%s exited with code %d".formatted(name, code));
  }
}
