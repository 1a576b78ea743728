package verwalter.artifacts;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.util.Optional;
import java.util.OptionalLong;
import verwalter.artifacts.ArtifactException.Reason;

/**
 * One attempt to download an archive from one server. It continues what has arrived before, if the
 * server still has the same content or the digest is known, and begins anew otherwise. Used once,
 * by one thread.
 */
final class WebDownload {
  static final String ACTION = "download";

  /** The parts that all downloads share. */
  record Net(
      FetchLimits limits, Bandwidth bandwidth, FreeSpace space, Ticks ticks, ArtifactDisk disk) {}

  private final Net net;
  private final PartialArchive archive;
  private final ArchiveSender sender;
  private final String shown;
  private final Pace pace;
  private final Cancellation cancellation;
  private final WebAccess access;
  private int status;

  WebDownload(
      Net net,
      WebAccess.Route route,
      PartialArchive archive,
      ArchiveSender sender,
      Pace pace,
      Cancellation cancellation) {
    this.net = net;
    this.archive = archive;
    this.sender = sender;
    this.shown = sender.shown();
    this.pace = pace;
    this.cancellation = cancellation;
    this.access = new WebAccess(route, sender, pace, net.ticks(), cancellation);
  }

  /** Returns when the file is whole. It is on disk, but may not survive a power cut. */
  void run() throws ArtifactException {
    try {
      var start = archive.start(sender);
      if (start.isEmpty() || !resumed(start.get())) {
        anew();
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw Cancellation.exception(ACTION, shown);
    } catch (ClosedByInterruptException interrupted) {
      throw Cancellation.exception(ACTION, shown);
    } catch (IOException failed) {
      throw ArtifactException.of(failed, ACTION, shown);
    }
  }

  /** The status of the last response; 0 before the first one. */
  int status() {
    return status;
  }

  private WebAnswer asked(Optional<PartialFile.Start> start)
      throws ArtifactException, InterruptedException {
    var answer = access.asked(start);
    status = answer.status();
    return answer;
  }

  /** Continues; false if the server has other content now, or cannot continue. */
  private boolean resumed(PartialFile.Start start)
      throws IOException, ArtifactException, InterruptedException {
    boolean isSame = start.isFrom(sender) && !sender.isPeer();
    var answer = asked(Optional.of(start));
    try {
      if (answer.isComplete(start, isSame)) {
        archive.addPresent(start, shown);
        return true;
      } else if (answer.continues(start, isSame)) {
        receive(answer, archive.resume(start, sender, shown), answer.wholeOfRange());
        return true;
      } else if (answer.status() == 200) {
        receive(answer, archive.begin(answer.validator(), sender), answer.length());
        return true;
      } else if (answer.status() == 206 || answer.status() == 416) {
        return false;
      }
      throw refused(answer);
    } finally {
      answer.body().close();
    }
  }

  private void anew() throws IOException, ArtifactException, InterruptedException {
    var answer = asked(Optional.empty());
    try {
      if (answer.status() != 200) {
        throw refused(answer);
      }
      receive(answer, archive.begin(answer.validator(), sender), answer.length());
    } finally {
      answer.body().close();
    }
  }

  private ArtifactException refused(WebAnswer answer) {
    int status = answer.status();
    var text = "the server answers with the status " + status;
    return switch (status) {
      case 404, 410 -> failed(Reason.NOT_FOUND, text);
      case 401, 403, 407, 451 -> failed(Reason.ACCESS_DENIED, text);
      default -> failed(Reason.UNREACHABLE, text);
    };
  }

  private ArtifactException failed(Reason reason, String why) {
    return new ArtifactException(reason, ACTION, shown, why);
  }

  private void receive(WebAnswer answer, FileChannel opened, OptionalLong total)
      throws IOException, ArtifactException, InterruptedException {
    try (var channel = opened) {
      var guard = archive.guard(ACTION, shown);
      if (total.isPresent()) {
        archive.limit(total.getAsLong(), shown);
        guard.require(Math.max(0, total.getAsLong() - archive.done()));
      }
      while (true) {
        cancellation.check(ACTION, shown);
        var piece = next(answer);
        if (piece.isEmpty()) {
          continue;
        } else if (piece.get().isEnd()) {
          end(piece.get(), total);
          return;
        }
        for (var bytes : piece.get().bytes()) {
          archive.write(bytes, channel, guard, total, shown);
        }
        answer.body().more();
      }
    }
  }

  /** The next piece, or empty if there is none for a moment. */
  private Optional<WebBody.Piece> next(WebAnswer answer)
      throws ArtifactException, InterruptedException {
    long begin = net.ticks().nanos();
    var piece = answer.body().poll();
    long bytes =
        piece.stream().flatMap(it -> it.bytes().stream()).mapToLong(it -> it.remaining()).sum();
    boolean isEnd = piece.filter(WebBody.Piece::isEnd).isPresent();
    if (!pace.keeps(net.ticks().nanos() - begin, bytes) && !isEnd) {
      throw failed(
          Reason.STALLED, "%s; %d bytes were downloaded".formatted(pace.text(), archive.done()));
    }
    return piece;
  }

  private void end(WebBody.Piece piece, OptionalLong total) throws ArtifactException {
    long done = archive.done();
    boolean isShort = total.isPresent() && done < total.getAsLong();
    if (piece.failure().isPresent() || isShort) {
      throw failed(
          Reason.CONNECTION_LOST,
          "the connection ended after %d bytes%s"
              .formatted(
                  done, total.isPresent() ? " of " + total.getAsLong() : ", before the last one"));
    }
  }
}
