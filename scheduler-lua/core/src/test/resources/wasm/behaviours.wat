;; Does what the seventh byte of its input says: {"x":"a"} makes it do a.
(module
  (import "env" "log_panic" (func $log_panic (param i32 i32 i32 i32 i32)))
  (import "env" "pow" (func $pow_i32 (param i32 i32) (result i32)))
  (import "env" "pow" (func $pow_f64 (param f64 f64) (result f64)))
  (import "env" "pow" (func $pow_odd (param i32 f64) (result i32)))
  (import "env" "fmod" (func $fmod (param f64 f64) (result f64)))
  (import "env" "exp2" (func $exp2 (param i32) (result f64)))
  (import "env" "ldexpf" (func $ldexpf (param f32 f32) (result f32)))
  (import "env" "ldexp" (func $ldexp (param f64 i32) (result f64)))
  (import "env" "log10f" (func $log10f (param f32) (result f32)))

  (memory (export "memory") 4)
  (table 2 funcref)
  (elem (i32.const 0) $fib $deep)
  (global $next (mut i32) (i32.const 131072))
  (global $what (mut i32) (i32.const 0))
  (global $started (mut i32) (i32.const 0))

  ;; 100: the usual result; its digit counts the runs of this instance
  (data (i32.const 100) " \n{\"schedule\":{\"runs\":0,\"start\":0,\"}\\\"{\":[]},\"log\":\"fine\"} and rubbish")
  (data (i32.const 200) "{\"schedule\":{},\"log\":\"answers\",\"actions\":{\"17\":{\"ok\":true},\"18\":1}}")
  (data (i32.const 300) "{\"schedule\":{},\"log\":\"\ff\"}")
  (data (i32.const 400) "{\"schedule\":nope}")
  (data (i32.const 450) "[1]")
  (data (i32.const 500) "{\"schedule\":[],\"log\":\"\"}")
  (data (i32.const 550) "{\"schedule\":{}}")
  (data (i32.const 600) "{\"schedule\":{},\"log\":\"\",\"actions\":[1]}")
  (data (i32.const 700) "it burns")
  (data (i32.const 720) "src/lib.rs")

  (func $start (global.set $started (i32.const 1)))
  (start $start)

  (func (export "alloc") (param $size i32) (result i32)
    (if (i32.eq (global.get $what) (i32.const 114)) ;; after r
      (then (return (i32.const -16))))
    (global.set $next (i32.const 131072))
    (global.get $next))

  (func (export "dealloc") (param $address i32)
    (if (i32.eq (global.get $what) (i32.const 100)) ;; d
      (then
        (if (i32.ne (local.get $address) (i32.const 131072)) (then unreachable))))
    (if (i32.eq (global.get $what) (i32.const 101)) (then unreachable))) ;; e

  (func $fib (param $n i32) (result i32)
    (if (result i32) (i32.lt_u (local.get $n) (i32.const 2))
      (then (local.get $n))
      (else
        (i32.add
          (call $fib (i32.sub (local.get $n) (i32.const 1)))
          (call $fib (i32.sub (local.get $n) (i32.const 2)))))))

  (func $deep (param $n i32) (result i32)
    (i32.add (i32.const 1) (call_indirect (param i32) (result i32) (local.get $n) (i32.const 1))))

  (func $count (param $to i32) (result i32)
    (local $i i32)
    (loop $again
      (local.set $i (i32.add (local.get $i) (i32.const 1)))
      (br_if $again (i32.lt_u (local.get $i) (local.get $to))))
    (local.get $i))

  (func $math
    (if (i32.ne (call $pow_i32 (i32.const -3) (i32.const 3)) (i32.const -27)) (then unreachable))
    (if (f64.ne (call $pow_f64 (f64.const 2) (f64.const 0.5)) (f64.const 1.4142135623730951)) (then unreachable))
    (if (f64.ne (call $fmod (f64.const -7.5) (f64.const 2)) (f64.const -1.5)) (then unreachable))
    (if (f64.ne (call $exp2 (i32.const -1)) (f64.const 0.5)) (then unreachable))
    (if (f32.ne (call $ldexpf (f32.const 3) (f32.const 2)) (f32.const 12)) (then unreachable))
    (if (f64.ne (call $ldexp (f64.const 3) (i32.const -2)) (f64.const 0.75)) (then unreachable))
    (if (f32.ne (call $log10f (f32.const 1000)) (f32.const 3)) (then unreachable)))

  (func $usual (result i32)
    (i32.store8 (i32.const 122) (i32.add (i32.load8_u (i32.const 122)) (i32.const 1)))
    (i32.store8 (i32.const 132) (i32.add (global.get $started) (i32.const 48)))
    (i32.const 100))

  (func (export "scheduler") (param $address i32) (param $length i32) (result i32)
    (local $i i32)
    (global.set $what (i32.load8_u offset=6 (local.get $address)))
    (block $z (block $y (block $x (block $w (block $v (block $u (block $t (block $s (block $r (block $q
    (block $p (block $o (block $n (block $m (block $l (block $k (block $j (block $i_ (block $h (block $g
    (block $f (block $e (block $d (block $c (block $b (block $a
      (br_table $a $b $c $d $e $f $g $h $i_ $j $k $l $m $n $o $p $q $r $s $t $u $v $w $x $y $z
        (i32.sub (global.get $what) (i32.const 97))))
    ;; a: all is well
    (return (call $usual)))
    ;; b: never ends
    (loop $forever (br $forever)))
    ;; c: recursion without end
    (return (call $deep (i32.const 0))))
    ;; d: dealloc of the result traps
    (return (call $usual)))
    ;; e: dealloc of the input traps
    (return (call $usual)))
    ;; f: work without loops
    (return (call $fib (i32.const 60))))
    ;; g: grows without end, whatever the answer is
    (loop $more (drop (memory.grow (i32.const 16))) (br $more)))
    ;; h: asks for nearly 4 GiB at once
    (drop (memory.grow (i32.const 65000))) (return (call $usual)))
    ;; i: touches much with few instructions
    (loop $more (memory.fill (i32.const 65536) (i32.const 32) (i32.const 65536)) (br $more)))
    ;; j: an address outside of the memory
    (return (i32.const -8)))
    ;; k: not UTF-8
    (return (i32.const 300)))
    ;; l: no JSON
    (return (i32.const 400)))
    ;; m: no object
    (return (i32.const 450)))
    ;; n: an object that goes on until the memory ends
    (memory.fill (i32.const 140000) (i32.const 123) (i32.const 122144)) (return (i32.const 140000)))
    ;; o: a giant result
    (drop (memory.grow (i32.const 600)))
    (memory.fill (i32.const 262144) (i32.const 123) (i32.const 36000000)) (return (i32.const 262144)))
    ;; p: panics and traps
    (call $log_panic (i32.const 700) (i32.const 8) (i32.const 720) (i32.const 10) (i32.const 42)) unreachable)
    ;; q: panics, wildly, and goes on
    (call $log_panic (i32.const -1) (i32.const 8) (i32.const 0) (i32.const 0) (i32.const -1))
    (call $log_panic (i32.const 0) (i32.const 0) (i32.const 0) (i32.const -1) (i32.const 0))
    (return (call $usual)))
    ;; r: the next alloc gives an address near the end of the address space
    (return (call $usual)))
    ;; s: counts to a thousand
    (drop (call $count (i32.const 1000))) (return (call $usual)))
    ;; t: answers two actions
    (return (i32.const 200)))
    ;; u: the schedule is a list
    (return (i32.const 500)))
    ;; v: no log
    (return (i32.const 550)))
    ;; w: answers that are none
    (return (i32.const 600)))
    ;; x: reads outside of the memory
    (return (i32.load (i32.const -4))))
    ;; y: arithmetic
    (call $math) (return (call $usual)))
    ;; z: arithmetic without meaning
    (return (call $pow_odd (i32.const 1) (f64.const 1)))))
