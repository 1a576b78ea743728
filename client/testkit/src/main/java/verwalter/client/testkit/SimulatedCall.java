package verwalter.client.testkit;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import verwalter.client.transport.Call;
import verwalter.client.transport.Receiver;
import verwalter.client.transport.Request;
import verwalter.client.transport.Transport;
import verwalter.concurrent.Loop;

/** A request over a {@link SimulatedNetwork} on a separate connection. */
final class SimulatedCall implements Call, SimulatedServer.Reply {
  private final SimulatedNetwork network;
  private final String client;
  private final String server;
  private final Loop clientLoop;
  private final Request request;
  private final Receiver receiver;
  private final PacketQueue up;
  private final PacketQueue down;
  private Loop serverLoop;
  private Runnable onClosed = () -> {};
  private boolean cancelled;
  private boolean clientDone;
  private boolean serverDone;

  SimulatedCall(
      SimulatedNetwork network,
      String client,
      String server,
      Loop clientLoop,
      Request request,
      Receiver receiver) {
    this.network = network;
    this.client = client;
    this.server = server;
    this.clientLoop = clientLoop;
    this.serverLoop = network.loop();
    this.request = request;
    this.receiver = receiver;
    this.up =
        new PacketQueue(
            network, client, server, () -> broken("it was reset"), () -> failClient("no reply"));
    this.down =
        new PacketQueue(network, server, client, () -> broken("it was reset"), this::closeServer);
  }

  void begin() {
    up.send(network.loop(), this::arrive);
  }

  private void arrive() {
    var listener = network.listener(server);
    if (listener == null) {
      serverDone = true;
      down.send(clientLoop, () -> failClient("connection refused"));
      return;
    }
    serverLoop = listener.loop();
    serverLoop.execute(
        () -> {
          if (!serverDone) {
            listener.server().serve(request, this);
          }
        });
  }

  boolean involves(String host) {
    return client.equals(host) || server.equals(host);
  }

  void retry() {
    up.retry();
    down.retry();
  }

  /**
   * Called when the process of a host ended. Its kernel notifies the other side if the network
   * allows it.
   */
  void died(String host) {
    closeServer();
    up.close();
    if (host.equals(client)) {
      clientDone = true;
      overIfDone();
    } else if (!clientDone) {
      down.send(clientLoop, () -> failClient("the server ended"));
    }
  }

  private void broken(String why) {
    failClient(why);
    closeServer();
  }

  private void failClient(String why) {
    if (!clientDone) {
      clientDone = true;
      up.close();
      clientLoop.execute(
          () -> {
            if (!cancelled) {
              receiver.failed(SimulatedNetwork.broken(client, server, why));
            }
          });
      overIfDone();
    }
  }

  private void closeServer() {
    if (!serverDone) {
      serverDone = true;
      serverLoop.execute(onClosed);
      overIfDone();
    }
  }

  private void overIfDone() {
    if (clientDone && serverDone) {
      up.close();
      down.close();
      network.over(this);
    }
  }

  @Override
  public void cancel() {
    cancelled = true;
    if (!clientDone) {
      clientDone = true;
      down.close();
      up.send(network.loop(), this::closeServer);
      overIfDone();
    }
  }

  @Override
  public void head(int status, Map<String, String> headers) {
    var lower = new HashMap<String, String>();
    headers.forEach((name, value) -> lower.put(name.toLowerCase(Locale.ROOT), value));
    toClient(() -> receiver.head(status, Map.copyOf(lower)));
  }

  @Override
  public void data(byte[] bytes, Runnable taken) {
    piece(bytes, 0, taken);
  }

  /** Sends the next piece after the receiver has requested it. */
  private void piece(byte[] bytes, int from, Runnable taken) {
    if (from >= bytes.length) {
      taken.run();
      return;
    }
    int to = Math.min(bytes.length, from + Transport.MAX_PIECE);
    var piece = Arrays.copyOfRange(bytes, from, to);
    var asked = new boolean[1];
    toClient(
        () ->
            receiver.data(
                piece,
                () -> {
                  if (!asked[0] && !clientDone) {
                    asked[0] = true;
                    up.send(
                        serverLoop,
                        () -> {
                          if (!serverDone) {
                            piece(bytes, to, taken);
                          }
                        });
                  }
                }));
  }

  @Override
  public void end() {
    if (!serverDone) {
      serverDone = true;
      down.send(
          clientLoop,
          () -> {
            if (!clientDone) {
              clientDone = true;
              receiver.end();
              overIfDone();
            }
          });
    }
  }

  @Override
  public void reset() {
    if (!serverDone) {
      serverDone = true;
      down.send(clientLoop, () -> failClient("the server closed it"));
    }
  }

  @Override
  public void onClosed(Runnable task) {
    onClosed = task;
  }

  private void toClient(Runnable arrival) {
    if (!serverDone) {
      down.send(
          clientLoop,
          () -> {
            if (!clientDone) {
              arrival.run();
            }
          });
    }
  }
}
