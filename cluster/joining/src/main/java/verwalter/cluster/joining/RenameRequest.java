package verwalter.cluster.joining;

/**
 * A node asks for a certificate with another name, which a token of an admin gives it.
 *
 * @param request a certificate request for its next key, in PEM
 * @param name the name that it takes
 */
record RenameRequest(String request, String name) {}
