package verwalter.render;

/**
 * What one rendering may cost. On by default; a template that needs more is nearly always wrong.
 *
 * @param fileSize of one template or recipe, in bytes
 * @param files in one template directory
 * @param output of one template, in characters
 * @param nodes visited while one template renders
 * @param depth of inclusions, macros and blocks
 * @param collection longest list or map a template may build
 */
record Limits(int fileSize, int files, int output, int nodes, int depth, int collection) {
  static final Limits DEFAULT = new Limits(1 << 20, 1000, 4 << 20, 1_000_000, 20, 100_000);
}
