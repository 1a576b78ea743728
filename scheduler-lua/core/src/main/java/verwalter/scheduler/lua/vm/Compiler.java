package verwalter.scheduler.lua.vm;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import verwalter.scheduler.lua.syntax.Chunk;
import verwalter.scheduler.lua.syntax.FunctionBody;
import verwalter.scheduler.lua.syntax.Local;
import verwalter.scheduler.lua.syntax.Statement;

/** Compiles one parsed function: every local variable gets a slot of the frame. */
final class Compiler {
  private final String chunkName;
  private final FunctionBody body;
  private final @Nullable Compiler outer;
  private final ExpressionCompiler expressions = new ExpressionCompiler(this);
  private final Map<Local, Integer> slots = new HashMap<>();
  private final Map<Local, Integer> upvalues = new HashMap<>();
  private final List<CompiledFunction.Capture> captures = new ArrayList<>();
  private int free;
  private int most;

  private Compiler(String chunkName, FunctionBody body, @Nullable Compiler outer) {
    this.chunkName = chunkName;
    this.body = body;
    this.outer = outer;
  }

  static CompiledFunction compile(Chunk chunk) {
    return new Compiler(chunk.name(), chunk.body(), null).code();
  }

  /** The code of a nested function. */
  MakeClosure function(FunctionBody inner) {
    return new MakeClosure(new Compiler(chunkName, inner, this).code());
  }

  private CompiledFunction code() {
    var captured = new ArrayList<Integer>();
    for (var parameter : body.parameters()) {
      int slot = slot(parameter);
      if (parameter.captured()) {
        captured.add(slot);
      }
    }
    var block = block(body.block(), body.line());
    return new CompiledFunction(
        chunkName,
        body.line(),
        body.lastLine(),
        body.parameters().size(),
        body.variadic(),
        block,
        most,
        captured.stream().mapToInt(Integer::intValue).toArray(),
        captures.toArray(CompiledFunction.Capture[]::new));
  }

  // Variables

  private int slot(Local local) {
    int slot = free++;
    most = Math.max(most, free);
    slots.put(local, slot);
    return slot;
  }

  Variable declared(Local local) {
    int slot = slot(local);
    return local.captured()
        ? new Variable.Shared(slot, local.name())
        : new Variable.Slot(slot, local.name());
  }

  Variable variable(Local local) {
    var slot = slots.get(local);
    if (slot == null) {
      return new Variable.Upvalue(upvalue(local), local.name());
    }
    if (outer == null && body.parameters().contains(local)) {
      return new Variable.Environment(slot, local.captured());
    }
    return local.captured()
        ? new Variable.Shared(slot, local.name())
        : new Variable.Slot(slot, local.name());
  }

  private int upvalue(Local local) {
    var known = upvalues.get(local);
    if (known != null) {
      return known;
    }
    if (outer == null) {
      throw new IllegalStateException("undeclared local " + local.name());
    }
    var slot = outer.slots.get(local);
    captures.add(
        slot != null
            ? new CompiledFunction.Capture(true, slot, local.name())
            : new CompiledFunction.Capture(false, outer.upvalue(local), local.name()));
    upvalues.put(local, captures.size() - 1);
    return captures.size() - 1;
  }

  private Variable[] declared(List<Local> locals) {
    return locals.stream().map(this::declared).toArray(Variable[]::new);
  }

  // Statements

  private Block block(List<Statement> statements, int line) {
    int before = free;
    var list = new ArrayList<Stat>();
    var labels = new HashMap<String, Integer>();
    for (var statement : statements) {
      if (statement instanceof Statement.Label label) {
        labels.put(label.name(), list.size());
      } else {
        list.add(statement(statement));
      }
    }
    free = before;
    return new Block(line, list.toArray(Stat[]::new), labels);
  }

  private Stat statement(Statement statement) {
    if (statement instanceof Statement.CallStatement call) {
      return new Statements.CallStatement(
          (CallExpression) expressions.of(call.call()), call.line());
    }
    if (statement instanceof Statement.Locals locals) {
      return locals(locals);
    }
    if (statement instanceof Statement.Assign assign) {
      return assign(assign);
    }
    if (statement instanceof Statement.If branch) {
      var blocks = branch.blocks().stream().map(each -> block(each, branch.line()));
      return new Statements.If(
          expressions.all(branch.conditions()), blocks.toArray(Block[]::new), branch.line());
    }
    if (statement instanceof Statement.Return returning) {
      return returning(returning);
    }
    if (statement instanceof Statement.LocalFunction local) {
      var variable = declared(local.local());
      return new Assignments.LocalFunction(variable, function(local.body()), local.line());
    }
    if (statement instanceof Statement.Do inner) {
      return block(inner.block(), inner.line());
    }
    if (statement instanceof Statement.Break) {
      return new Statements.Jump(Signal.BREAK, statement.line());
    }
    if (statement instanceof Statement.Goto jump) {
      return new Statements.Jump(new Signal(jump.label()), jump.line());
    }
    return loop(statement);
  }

  private Stat loop(Statement statement) {
    int before = free;
    Stat loop;
    if (statement instanceof Statement.While each) {
      loop =
          new LoopStatements.While(
              expressions.of(each.condition()), block(each.block(), each.line()), each.line());
    } else if (statement instanceof Statement.Repeat each) {
      loop = repeat(each);
    } else if (statement instanceof Statement.NumericFor each) {
      loop = numericFor(each);
    } else if (statement instanceof Statement.GenericFor each) {
      var values = expressions.all(each.values());
      var variables = declared(each.locals());
      loop = new GenericFor(variables, values, block(each.block(), each.line()), each.line());
    } else {
      throw new IllegalStateException("unknown statement " + statement);
    }
    free = before;
    return loop;
  }

  /** Compiles the condition while the slots of the body's locals are in scope. */
  private LoopStatements.Repeat repeat(Statement.Repeat each) {
    var body = block(each.block(), each.line());
    free = most; // locals of the condition must not overwrite those of the body
    return new LoopStatements.Repeat(body, expressions.of(each.condition()), each.line());
  }

  private NumericFor numericFor(Statement.NumericFor each) {
    var first = expressions.of(each.first());
    var limit = expressions.of(each.limit());
    var step = each.step() == null ? null : expressions.of(each.step());
    var variable = declared(each.local());
    return new NumericFor(
        variable, first, limit, step, block(each.block(), each.line()), each.line());
  }

  private Stat locals(Statement.Locals locals) {
    var values = expressions.all(locals.values());
    var variables = declared(locals.locals());
    return variables.length == 1 && values.length == 1
        ? new Assignments.LocalOne(variables[0], values[0], locals.line())
        : new Assignments.LocalMany(variables, values, locals.line());
  }

  private Stat assign(Statement.Assign assign) {
    var targets = expressions.all(assign.targets());
    var values = expressions.all(assign.values());
    if (targets.length != 1 || values.length != 1) {
      return new Assignments.Many(targets, values, assign.line());
    }
    var target = targets[0];
    if (target instanceof Variable variable) {
      return new Assignments.SetVariable(variable, values[0], assign.line());
    }
    if (target instanceof Field field) {
      return new Assignments.SetField(
          field.table, new Constant(field.key), values[0], assign.line());
    }
    var element = (Element) target;
    return new Assignments.SetField(element.table, element.key, values[0], assign.line());
  }

  private Stat returning(Statement.Return returning) {
    var values = expressions.all(returning.values());
    if (values.length == 1) {
      return values[0] instanceof CallExpression call
          ? new Statements.ReturnCall(call, returning.line())
          : values[0].multiple()
              ? new Statements.ReturnMany(values, returning.line())
              : new Statements.ReturnOne(values[0], returning.line());
    }
    return new Statements.ReturnMany(values, returning.line());
  }
}
