package verwalter.scheduler.lua.vm;

/** A binary operator. */
abstract class Binary extends Expr {
  final Expr left;
  final Expr right;

  Binary(Expr left, Expr right, int line) {
    super(line);
    this.left = left;
    this.right = right;
  }
}
