(******************************************************************************)
(* The recursion over problems and their evidence, proved by a machine.       *)
(*                                                                            *)
(* Words in quotes, and the kinds of evidence, are those of                   *)
(* docs/certificate.md, section 3. In the order of the file:                  *)
(*                                                                            *)
(*   bounds            numbers with infinity, their minimum and sum           *)
(*   instance, state   what is partitioned, and which pairs are decided       *)
(*   proof             evidence of problems: leaves, decisions, children      *)
(*   proved            "what is proved of a problem", as the page computes it *)
(*   holds             what has to be checked of evidence                     *)
(*   recursion         evidence that holds proves a bound on every partition  *)
(*                                                                            *)
(* Numbers are those of any ordered field, and exact. real is their type.     *)
(******************************************************************************)

From mathcomp Require Import all_ssreflect all_algebra.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Recursion.

Variable real : realFieldType.

(* -- Bounds: a number, or infinity (None) ---------------------------------- *)

Definition bound := option real.

Definition costs (b : bound) (cost : real) := if b is Some number then number <= cost else false.

Definition lesser (b c : bound) :=
  if b is Some x then if c is Some y then Some (Num.min x y) else b else c.

Definition greater (b c : bound) :=
  if b is Some x then if c is Some y then Some (Num.max x y) else None else None.

Definition plus (b c : bound) :=
  if b is Some x then if c is Some y then Some (x + y) else None else None.

Lemma costs_lesser b c cost : costs b cost \/ costs c cost -> costs (lesser b c) cost.
Proof. by case: b c => [x|] [y|] //=; rewrite ?ge_minE ?le_minl; case=> // ->; rewrite ?orbT. Qed.

Lemma costs_greater b c cost : costs b cost -> costs c cost -> costs (greater b c) cost.
Proof. by case: b c => [x|] [y|] //= xc yc; rewrite le_maxl xc. Qed.

Lemma costs_plus b c x y : costs b x -> costs c y -> costs (plus b c) (x + y).
Proof. by case: b c => [v|] [w|] //=; apply: ler_add. Qed.

Lemma costs_trans b x y : costs b x -> x <= y -> costs b y.
Proof. by case: b => //= v; apply: le_trans. Qed.

(* -- Instances and states -------------------------------------------------- *)

(* What is partitioned: all partitions that are feasible before any decision, the cluster of each point, the cost. *)
Record instance := Instance {
  point : Type;
  partition : Type;
  cluster : partition -> point -> nat;
  cost : partition -> real
}.

(* Two points together, or apart. *)
Inductive decision (I : instance) := ML of point I & point I | CL of point I & point I.

Definition keeps I (x : partition I) (d : decision I) :=
  match d with ML i j => cluster x i = cluster x j | CL i j => cluster x i <> cluster x j end.

Definition state I := seq (decision I).

Fixpoint allowed I (s : state I) (x : partition I) :=
  if s is d :: s' then keeps x d /\ allowed s' x else True.

(* -- Evidence -------------------------------------------------------------- *)

(* The evidence of a problem, in the order of "position":                                               *)
(*   Leaf       bound, open, prices, line, single; infeasible, with infinity                            *)
(*   Aside      fixed, far, soft: decisions, and what the opposite of each costs                        *)
(*   Decided    forced, equal: a decision                                                               *)
(*   Branching  two points, and the evidence of both children                                           *)
(*   Cover      parts, each with what partitions of the whole become there, its state and its evidence  *)
Inductive proof : instance -> Type :=
  | End I : proof I
  | Leaf I : bound -> proof I -> proof I
  | Aside I : seq (decision I * bound) -> proof I -> proof I
  | Decided I : decision I -> proof I -> proof I
  | Branching I : point I -> point I -> proof I -> proof I -> proof I -> proof I
  | Cover I : parts I -> proof I -> proof I
with parts : instance -> Type :=
  | NoPart I : parts I
  | Part I (J : instance) : (partition I -> partition J) -> state J -> proof J -> parts I -> parts I.

(* The state once decisions are added, and the least of what was set aside for them. *)
Definition after I (s : state I) (ds : seq (decision I * bound)) : state I := [seq d.1 | d <- ds] ++ s.

Definition least_aside I (b : bound) (ds : seq (decision I * bound)) :=
  foldr (fun d c => lesser (greater d.2 b) c) None ds.

(* "What is proved of a problem": b of the partitions that are left, c of those that were set aside. *)
Fixpoint proved I (p : proof I) : bound -> bound -> bound :=
  match p with
  | End _ => fun b c => lesser b c
  | Leaf _ a p' => fun b c => proved p' (greater b a) c
  | Aside _ ds p' => fun b c => proved p' b (lesser c (least_aside b ds))
  | Decided _ _ p' => fun b c => proved p' b c
  | Branching _ _ _ together apart p' =>
      fun b c => proved p' (greater b (lesser (proved together b None) (proved apart b None))) c
  | Cover _ ps p' => fun b c => proved p' (greater b (sum_proved ps)) c
  end
with sum_proved I (ps : parts I) : bound :=
  match ps with
  | NoPart _ => Some 0
  | Part _ J _ _ p ps' => plus (proved p (Some 0) None) (sum_proved ps')
  end.

(* -- What has to be checked ------------------------------------------------ *)

(* Partitions of a whole become allowed partitions of each part. *)
Fixpoint restricts I (ps : parts I) (x : partition I) :=
  match ps in parts I return partition I -> Prop with
  | NoPart _ => fun=> True
  | Part _ J restricted t _ ps' => fun x => allowed t (restricted x) /\ restricts ps' x
  end x.

Fixpoint sum_cost I (ps : parts I) (x : partition I) : real :=
  match ps in parts I return partition I -> real with
  | NoPart _ => fun=> 0
  | Part _ J restricted _ _ ps' => fun x => cost (restricted x) + sum_cost ps' x
  end x.

Fixpoint holds I (p : proof I) : state I -> Prop :=
  match p in proof I return state I -> Prop with
  | End _ => fun=> True
  | Leaf _ a p' => fun s => (forall x, allowed s x -> costs a (cost x)) /\ holds p' s
  | Aside _ ds p' => fun s =>
      (forall d x, List.In d ds -> allowed s x -> ~ keeps x d.1 -> costs d.2 (cost x)) /\ holds p' (after s ds)
  | Decided _ d p' => fun s =>
      (forall x, allowed s x -> exists y, allowed (d :: s) y /\ cost y <= cost x) /\ holds p' (d :: s)
  | Branching _ i j together apart p' => fun s =>
      [/\ holds together (ML i j :: s), holds apart (CL i j :: s) & holds p' s]
  | Cover _ ps p' => fun s =>
      [/\ forall x, allowed s x -> restricts ps x /\ sum_cost ps x <= cost x, parts_hold ps & holds p' s]
  end
with parts_hold I (ps : parts I) : Prop :=
  match ps with
  | NoPart _ => True
  | Part _ J _ t p ps' => [/\ forall y : partition J, 0 <= cost y, holds p t & parts_hold ps']
  end.

(* -- The theorem ----------------------------------------------------------- *)

Scheme proof_rect2 := Induction for proof Sort Prop with parts_rect2 := Induction for parts Sort Prop.

Lemma kept_or_not I (x : partition I) (d : decision I) : keeps x d \/ ~ keeps x d.
Proof.
case: d => i j /=; case: (cluster x i =P cluster x j) => same; [by left | by right | right | by left].
by move=> apart; apply: apart.
Qed.

Lemma allowed_before I (s : state I) ds (x : partition I) : allowed (after s ds) x -> allowed s x.
Proof. by elim: ds => //= d ds IH []. Qed.

Lemma kept_or_aside I (s : state I) b ds x :
  (forall d y, List.In d ds -> allowed s y -> ~ keeps y d.1 -> costs d.2 (cost y)) ->
  allowed s x -> costs b (cost x) -> allowed (after s ds) x \/ costs (least_aside b ds) (cost x).
Proof.
move=> opposite in_s above; elim: ds opposite => [|d ds IH] opposite; first by left.
have [kept|broken] := kept_or_not x d.1; last first.
  by right; apply: costs_lesser; left; apply: costs_greater => //; apply: (opposite d) => //; left.
case: (IH (fun d' y here => opposite d' y (or_intror here))) => [left_over|set_aside]; first by left; split.
by right; apply: costs_lesser; right.
Qed.

(* Every partition of the state to begin with was set aside, or one that is left costs no more. *)
Let bounded I (p : proof I) := forall s b c (x : partition I),
  holds p s -> (forall y, allowed s y -> costs b (cost y)) ->
  costs c (cost x) \/ (exists y, allowed s y /\ cost y <= cost x) -> costs (proved p b c) (cost x).

Let summed I (ps : parts I) := forall x : partition I,
  parts_hold ps -> restricts ps x -> costs (sum_proved ps) (sum_cost ps x).

Lemma recursive I (p : proof I) : bounded p.
Proof.
apply: (proof_rect2 (P := bounded) (P0 := summed)) => {I p}.
- move=> I s b c x _ above [aside|[y [in_s cheaper]]]; apply: costs_lesser; first by right.
  by left; apply: costs_trans (above y in_s) cheaper.
- move=> I a p IH s b c x [/= leaf rest] above; apply: (IH _ _ _ _ rest) => // y in_s.
  by apply: costs_greater; [apply: above | apply: leaf].
- move=> I ds p IH s b c x [/= opposite rest] above from; apply: (IH _ _ _ _ rest) => [y in_after|].
    by apply: above; apply: allowed_before in_after.
  case: from => [aside|[y [in_s cheaper]]]; first by left; apply: costs_lesser; left.
  case: (kept_or_aside opposite in_s (above y in_s)) => [kept|aside]; first by right; exists y.
  by left; apply: costs_lesser; right; apply: costs_trans aside cheaper.
- move=> I d p IH s b c x [/= lossless rest] above from; apply: (IH _ _ _ _ rest) => [y [_ in_s]|]; first exact: above.
  case: from => [aside|[y [in_s cheaper]]]; first by left.
  by have [z [in_ds cheapest]] := lossless y in_s; right; exists z; split=> //; apply: le_trans cheapest cheaper.
- move=> I i j together IHt apart IHa p IHp s b c x [/= ht ha rest] above; apply: (IHp _ _ _ _ rest) => // y in_s.
  apply: costs_greater; first exact: above.
  apply: costs_lesser; case: (cluster y i =P cluster y j) => same.
    left; apply: (IHt _ _ _ _ ht); [by move=> z [_ in_z]; apply: above | by right; exists y].
  by right; apply: (IHa _ _ _ _ ha); [move=> z [_ in_z]; apply: above | right; exists y].
- move=> I ps IHs p IH s b c x [/= shared parts_proved rest] above; apply: (IH _ _ _ _ rest) => // y in_s.
  apply: costs_greater; first exact: above.
  by have [restricted] := shared y in_s; apply: costs_trans; apply: IHs.
- by move=> I x _ _ /=.
- move=> I J restricted t p IHp ps IHs x [/= nonnegative hp hs] [/= in_t others].
  apply: costs_plus; last exact: IHs.
  by apply: (IHp _ _ _ _ hp) => [y _|]; [apply: nonnegative | right; exists (restricted x)].
Qed.

(* What is proved of problem 0: no partition that satisfies the constraints costs less. *)
Theorem recursion I (p : proof I) (s : state I) :
  (forall x : partition I, 0 <= cost x) -> holds p s ->
  forall x, allowed s x -> costs (proved p (Some 0) None) (cost x).
Proof.
move=> nonnegative evidence x in_s; apply: (recursive evidence) => [y _|]; first exact: nonnegative.
by right; exists x.
Qed.

(* INFEASIBLE: infinity is proved only where there is no partition. *)
Theorem infeasible I (p : proof I) (s : state I) :
  (forall x : partition I, 0 <= cost x) -> holds p s -> proved p (Some 0) None = None ->
  forall x, ~ allowed s x.
Proof. by move=> nonnegative evidence infinite x /(recursion nonnegative evidence); rewrite infinite. Qed.

End Recursion.

Print Assumptions recursion.
Print Assumptions infeasible.
