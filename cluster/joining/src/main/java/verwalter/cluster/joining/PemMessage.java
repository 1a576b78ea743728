package verwalter.cluster.joining;

/** A PEM text, which may contain a key. */
record PemMessage(String pem) {
  @Override
  public String toString() {
    return "PemMessage[...]";
  }
}
