package verwalter.agent;

import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/** Ids of deployments: 24 random letters and digits. */
final class DeploymentIds implements Supplier<String> {
  private static final String LETTERS =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
  private static final int LENGTH = 24;

  private final RandomGenerator chance;

  DeploymentIds(RandomGenerator chance) {
    this.chance = chance;
  }

  @Override
  public String get() {
    var id = new StringBuilder(LENGTH);
    for (int i = 0; i < LENGTH; i++) {
      id.append(LETTERS.charAt(chance.nextInt(LETTERS.length())));
    }
    return id.toString();
  }
}
