package verwalter.agent;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.file.AsyncFile;
import io.vertx.core.file.OpenOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import verwalter.artifacts.Blob;
import verwalter.artifacts.BlobStore;
import verwalter.artifacts.Digest;
import verwalter.certificates.CertifiedName;
import verwalter.concurrent.Loop;
import verwalter.model.json.Json;

/**
 * Answers other nodes of the cluster: sends them archives of this node by their digests, and says
 * which nodes have an archive while this node leads. Thread-safe.
 */
final class ArchiveExchange {
  /** The path at the cluster port. */
  static final String PATH = "/cluster/v1/archives";

  /** The number of archives that are sent at once. */
  static final int MOST_UPLOADS = 4;

  private static final Pattern ARCHIVE = Pattern.compile(Pattern.quote(PATH) + "/([0-9a-f]{64})");
  private static final Pattern NODES =
      Pattern.compile(Pattern.quote(PATH) + "/([0-9a-f]{64})/nodes");

  /** Other forms of a range are ignored, as HTTP allows. */
  private static final Pattern RANGE = Pattern.compile("bytes=(\\d{1,18})-");

  private final Vertx vertx;
  private final Loop loop;
  private final ArchiveHolders holders;
  private final BooleanSupplier leads;
  private final Permits uploads = new Permits(MOST_UPLOADS);
  private volatile @Nullable Served served;

  /** The archives of this node, and how fast it sends them. */
  private record Served(BlobStore blobs, ArchiveUpload.Pace pace) {}

  /**
   * Creates an exchange that has no archives.
   *
   * @param holders knows the archives of all nodes while this node leads
   * @param leads whether it does
   */
  ArchiveExchange(Vertx vertx, Loop loop, ArchiveHolders holders, BooleanSupplier leads) {
    this.vertx = vertx;
    this.loop = loop;
    this.holders = holders;
    this.leads = leads;
  }

  /**
   * Sends archives from now on.
   *
   * @param pace of uploads
   */
  void serve(BlobStore blobs, ArchiveUpload.Pace pace) {
    served = new Served(blobs, pace);
  }

  /** The path of an archive at the cluster port. */
  static String path(Digest digest) {
    return PATH + "/" + digest.hex();
  }

  /** The path at the leader of the names of the nodes that have an archive. */
  static String pathOfNodes(Digest digest) {
    return path(digest) + "/nodes";
  }

  /** Answers a node, on an event loop of the server. */
  void handle(CertifiedName peer, HttpServerRequest request) {
    var archive = ARCHIVE.matcher(request.path());
    var nodes = NODES.matcher(request.path());
    if (peer.type() != CertifiedName.Type.NODE) {
      refuse(request, 403, "only nodes get archives");
    } else if (!request.method().equals(HttpMethod.GET)) {
      refuse(request, 405, "archives can only be read");
    } else if (archive.matches()) {
      send(new Digest(archive.group(1)), request);
    } else if (nodes.matches()) {
      name(new Digest(nodes.group(1)), request);
    } else {
      refuse(request, 404, "no such path");
    }
  }

  private static void refuse(HttpServerRequest request, int status, String why) {
    request.response().setStatusCode(status).end(why);
  }

  private void name(Digest digest, HttpServerRequest request) {
    if (!leads.getAsBoolean()) {
      refuse(request, 503, "this node does not lead");
      return;
    }
    loop.offload(() -> holders.of(digest.toString()))
        .onSuccess(
            nodes -> request.response().end(Buffer.buffer(Json.canonical(Map.of("nodes", nodes)))))
        .onFailure(why -> refuse(request, 500, ""));
  }

  private void send(Digest digest, HttpServerRequest request) {
    var own = served;
    if (own == null) {
      refuse(request, 404, "this node has no archives");
      return;
    }
    var permit = uploads.take();
    if (permit.isEmpty()) {
      refuse(request, 503, "this node sends archives to others now");
      return;
    }
    var context = vertx.getOrCreateContext(); // the event loop of the request
    loop.offload(() -> own.blobs().find(digest))
        .onComplete(
            found ->
                context.runOnContext(
                    here -> {
                      var blob = found.succeeded() ? found.result() : Optional.<Blob>empty();
                      if (blob.isPresent()) {
                        open(blob.get(), request, own.pace(), permit.get());
                      } else {
                        refuse(request, 404, "this node does not have the archive");
                        permit.get().run();
                      }
                    }));
  }

  private void open(
      Blob blob, HttpServerRequest request, ArchiveUpload.Pace pace, Runnable release) {
    vertx
        .fileSystem()
        .open(blob.path().toString(), new OpenOptions().setWrite(false).setCreate(false))
        .onSuccess(file -> send(blob, file, request, pace, release))
        .onFailure(
            removed -> {
              refuse(request, 404, "this node does not have the archive any more");
              release.run();
            });
  }

  private void send(
      Blob blob,
      AsyncFile file,
      HttpServerRequest request,
      ArchiveUpload.Pace pace,
      Runnable release) {
    var range = RANGE.matcher(Optional.ofNullable(request.getHeader("Range")).orElse(""));
    long from = range.matches() ? Long.parseLong(range.group(1)) : 0;
    var response = request.response().putHeader("ETag", '"' + blob.digest().toString() + '"');
    if (response.closed()) {
      file.close();
      release.run();
    } else if (range.matches() && from >= blob.bytes()) {
      response.putHeader("Content-Range", "bytes */" + blob.bytes());
      file.close();
      release.run();
      refuse(request, 416, "");
    } else {
      if (range.matches()) {
        response
            .setStatusCode(206)
            .putHeader(
                "Content-Range", "bytes %d-%d/%d".formatted(from, blob.bytes() - 1, blob.bytes()));
      }
      response.putHeader("Content-Length", Long.toString(blob.bytes() - from));
      ArchiveUpload.begin(vertx, request, file, from, blob.bytes(), pace, release);
    }
  }
}
