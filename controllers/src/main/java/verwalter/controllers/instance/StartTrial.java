package verwalter.controllers.instance;

/**
 * How long the processes of a new version have been observed.
 *
 * @param ranLongEnough whether {@link StartFailure#RUN_TIME} has passed since all of them ran
 * @param startExpired whether {@link StartFailure#START_TIME} has passed since the supervisor was
 *     asked to start them
 */
record StartTrial(boolean ranLongEnough, boolean startExpired) {
  /** Nothing was observed. */
  static final StartTrial NONE = new StartTrial(false, false);
}
