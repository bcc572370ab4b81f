(******************************************************************************)
(* The bound of multipliers, proved by a machine.                             *)
(*                                                                            *)
(* (1), (2), (3), the words in quotes and the names of variables are those of *)
(* docs/certificate.md, sections 5 and 6. In the order of the file:           *)
(*                                                                            *)
(*   spectral        (3), for any symmetric projector Y with Y u = u          *)
(*   weak_duality    (2), for any such Y in a box and with cuts               *)
(*   cost_trace      the cost of a partition is T - <C, Y>                    *)
(*   cost_ge_bound   every partition of super-points costs the bound or more  *)
(*   bound_together, bound_apart   "fixed pairs"                              *)
(*   every_partition the same for partitions of points                        *)
(*                                                                            *)
(* Numbers are those of any real closed field, such as the real numbers, and  *)
(* exact: nothing is said of arithmetic. real is their type.                  *)
(******************************************************************************)

From mathcomp Require Import all_ssreflect all_algebra.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* -- Inner products of matrices -------------------------------------------- *)

Definition dot (K : ringType) m n (A B : 'M[K]_(m, n)) := \sum_i \sum_j A i j * B i j.

Notation "''<' A , B >" := (dot A B) (at level 8, A, B at level 69, format "''<' A ,  B >").

Section InnerProducts.

Variables (real : rcfType) (m n : nat).
Implicit Types A B : 'M[real]_(m, n).

Lemma dot_trace A B : '<A, B> = \tr (A *m B^T).
Proof. by apply: eq_bigr => i _; rewrite mxE; apply: eq_bigr => j _; rewrite mxE. Qed.

Lemma dotC A B : '<A, B> = '<B, A>.
Proof. by apply: eq_bigr => i _; apply: eq_bigr => j _; rewrite mulrC. Qed.

Lemma dotDl A A' B : '<A + A', B> = '<A, B> + '<A', B>.
Proof. by rewrite !dot_trace mulmxDl mxtraceD. Qed.

Lemma dotZl c A B : '<c *: A, B> = c * '<A, B>.
Proof. by rewrite !dot_trace -scalemxAl mxtraceZ. Qed.

Lemma dotNl A B : '<- A, B> = - '<A, B>.
Proof. by rewrite -scaleN1r dotZl mulN1r. Qed.

Lemma dotBl A A' B : '<A - A', B> = '<A, B> - '<A', B>.
Proof. by rewrite dotDl dotNl. Qed.

Lemma dot_suml I (r : seq I) (P : pred I) (A : I -> 'M[real]_(m, n)) B :
  '<\sum_(l <- r | P l) A l, B> = \sum_(l <- r | P l) '<A l, B>.
Proof.
elim/big_rec2: _ => [|l _ a _ <-]; last by rewrite dotDl.
by rewrite -(scale0r B) dotZl mul0r.
Qed.

Lemma dotDr A B B' : '<A, B + B'> = '<A, B> + '<A, B'>.
Proof. by rewrite dotC dotDl !(dotC A). Qed.

Lemma dotZr c A B : '<A, c *: B> = c * '<A, B>.
Proof. by rewrite dotC dotZl dotC. Qed.

Lemma dot_sumr I (r : seq I) (P : pred I) A (B : I -> 'M[real]_(m, n)) :
  '<A, \sum_(l <- r | P l) B l> = \sum_(l <- r | P l) '<A, B l>.
Proof. by rewrite dotC dot_suml; apply: eq_bigr => l _; rewrite dotC. Qed.

Lemma dotBB A B : '<A - B, A - B> = '<A, A> - '<A, B> *+ 2 + '<B, B>.
Proof.
by rewrite dotBl ![dot _ (A - B)]dotC !dotBl (dotC B A) mulr2n !opprD !opprK -!addrA.
Qed.

Lemma dot_ge0 A : 0 <= '<A, A>.
Proof. by apply: sumr_ge0 => i _; apply: sumr_ge0 => j _; rewrite -expr2 sqr_ge0. Qed.

Lemma Cauchy_Schwarz A B : '<A, B> ^+ 2 <= '<A, A> * '<B, B>.
Proof.
have [B0 | B_neq0] := eqVneq '<B, B> 0.
  suff -> : B = 0 by rewrite -(scale0r (0 : 'M_(m, n))) !dotZr !mul0r expr0n /= mulr0.
  apply/matrixP => i j; rewrite mxE; apply/eqP; rewrite -sqrf_eq0 expr2; apply/eqP.
  have pos (A' : 'M[real]_(m, n)) i' j' : 0 <= A' i' j' * A' i' j' by rewrite -expr2 sqr_ge0.
  have row0 := psumr_eq0P (fun i' _ => sumr_ge0 _ (fun j' _ => pos B i' j')) B0.
  exact: (psumr_eq0P (fun j' _ => pos B i j') (row0 i isT)).
have: 0 <= '<B, B> * ('<A, A> * '<B, B> - '<A, B> ^+ 2).
  have := dot_ge0 ('<B, B> *: A - '<A, B> *: B).
  rewrite dotBB !dotZl !dotZr; set a := '<A, A>; set b := '<B, B>; set c := '<A, B>.
  suff -> : b * (b * a) - b * (c * c) *+ 2 + c * (c * b) = b * (a * b - c ^+ 2) by [].
  rewrite mulrBr mulr2n opprD expr2 [c * (c * b)]mulrA [_ * _ * b]mulrC (mulrC b a) -!addrA.
  by rewrite addNr addr0.
by rewrite pmulr_rge0 ?subr_ge0 // lt_def B_neq0 dot_ge0.
Qed.

End InnerProducts.

(* -- (1) and (3): the spectral part ---------------------------------------- *)

Section Projector.

Variables (real : rcfType) (s k : nat) (Y : 'M[real]_s) (u : 'cV[real]_s).
Hypotheses (Y_sym : Y^T = Y) (Y_idem : Y *m Y = Y) (Y_u : Y *m u = u).
Hypotheses (u_unit : u^T *m u = 1%:M) (Y_trace : \tr Y = k%:R).

(* (1): Y = u u^T + R, and R is a projector as well, with R u = 0 and trace k - 1. So 0 <= R <= I. *)
Definition rest := Y - u *m u^T.
Local Notation R := rest.

Lemma R_sym : R^T = R.
Proof. by rewrite linearB /= trmx_mul trmxK Y_sym. Qed.

Lemma u_Y : u^T *m Y = u^T.
Proof. by rewrite -{1}Y_sym -trmx_mul Y_u. Qed.

Lemma R_u : R *m u = 0.
Proof. by rewrite mulmxBl Y_u -mulmxA u_unit mulmx1 subrr. Qed.

Lemma R_idem : R *m R = R.
Proof. by rewrite {2}/rest mulmxBr mulmxA R_u mul0mx subr0 mulmxBl Y_idem -mulmxA u_Y. Qed.

Lemma R_trace : \tr R = k%:R - 1.
Proof. by rewrite linearB /= Y_trace mxtrace_mulC u_unit mxtrace1. Qed.

Lemma R_norm : '<R, R> = k%:R - 1.
Proof. by rewrite dot_trace R_sym R_idem R_trace. Qed.

(* <f f^T, P> = ||P f||^2 for a projector P; f is a row here. *)
Lemma dot_square (f : 'rV[real]_s) (P : 'M[real]_s) :
  P^T = P -> P *m P = P -> '<f^T *m f, P> = '<f *m P, f *m P>.
Proof.
by move=> P_sym P_idem; rewrite !dot_trace trmx_mul -!mulmxA mxtrace_mulC P_sym !mulmxA -(mulmxA f) P_idem.
Qed.

Lemma square_ge0 (f : 'rV[real]_s) : 0 <= '<f^T *m f, R>.
Proof. by rewrite dot_square ?R_sym ?R_idem ?dot_ge0. Qed.

(* 1 - R is a projector, too, so <f f^T, R> = ||f||^2 - ||(1 - R) f||^2. *)
Lemma square_le (f : 'rV[real]_s) : '<f^T *m f, R> <= '<f, f>.
Proof.
have sym : (1%:M - R)^T = 1%:M - R by rewrite linearB /= trmx1 R_sym.
have idem : (1%:M - R) *m (1%:M - R) = 1%:M - R.
  by rewrite mulmxBr mulmx1 mulmxBl mul1mx R_idem subrr subr0.
have <- : '<f^T *m f, R> + '<f^T *m f, 1%:M - R> = '<f, f>.
  by rewrite -dotDr addrC subrK !dot_trace trmx1 mulmx1 mxtrace_mulC.
by rewrite ler_addl dot_square ?dot_ge0.
Qed.

Variables (G : 'M[real]_s) (w : 'cV[real]_s).

(* "Deflation": <G, R> = <B, R>, whatever w. *)
Definition deflated := G + w *m u^T + u *m w^T.

Lemma dot_deflated : '<deflated, R> = '<G, R>.
Proof.
rewrite !dotDl !dot_trace R_sym -!mulmxA [\tr (u *m _)]mxtrace_mulC -mulmxA R_u.
by rewrite -[u^T *m R]trmxK trmx_mul trmxK R_sym R_u trmx0 !mulmx0 !mxtrace0 !addr0.
Qed.

(* E = B - t I - sum of sigma_i f_i f_i^T, with f_i the rows of F; sigma_i = -1 where minus says so. *)
Variables (t : real) (q : nat) (F : 'M[real]_(q, s)) (minus : pred 'I_q).

Definition error :=
  deflated - t%:M - \sum_i (-1) ^+ minus i *: ((row i F)^T *m row i F).
Definition spectral_bound c := t * (k%:R - 1) - \sum_(i | minus i) '<row i F, row i F> - c.

(* c stands for sqrt(r) ||E||_F, or anything larger; then <E, R> >= - c by Cauchy and Schwarz. *)
Lemma error_ge c : 0 <= c -> (k%:R - 1) * '<error, error> <= c ^+ 2 -> - c <= '<error, R>.
Proof.
move=> c_ge0 c_large; have: '<error, R> ^+ 2 <= c ^+ 2.
  by apply: le_trans c_large; rewrite mulrC -R_norm Cauchy_Schwarz.
by rewrite -[_ ^+ 2]real_normK ?num_real // ler_sqr ?nnegrE // ler_norml => /andP[].
Qed.

(* (3) *)
Lemma spectral c : 0 <= c -> (k%:R - 1) * '<error, error> <= c ^+ 2 -> spectral_bound c <= '<G, R>.
Proof.
move=> c_ge0 c_large; have := error_ge c_ge0 c_large.
rewrite {1}/error !dotBl dot_deflated dot_suml -scalemx1 dotZl.
have -> : '<1%:M, R> = k%:R - 1 by rewrite dot_trace mul1mx R_sym R_trace.
set H := \sum_i _; set S := \sum_(i | minus i) '<row i F, row i F>.
have: - S <= H.
  rewrite /H (bigID minus) /= /S -sumrN -[X in X <= _]addr0 ler_add //; last first.
    by apply: sumr_ge0 => i /negbTE->; rewrite expr0 scale1r square_ge0.
  by apply: ler_sum => i ->; rewrite expr1 dotZl mulN1r ler_opp2 square_le.
move=> H_ge; rewrite -addrA -opprD ler_subr_addl => /(le_trans _); apply.
by rewrite ler_add2r ler_add2l.
Qed.

End Projector.

(* -- (2): weak duality ----------------------------------------------------- *)

Section Duality.

Variables (real : rcfType) (s k cuts : nat) (C Y : 'M[real]_s) (u : 'cV[real]_s) (lo hi : 'I_s -> 'I_s -> real).
Variables (A : 'I_cuts -> 'M[real]_s) (b : 'I_cuts -> real).

(* What is known of Y: (1), the box and the cuts. *)
Record relaxed : Prop := Relaxed {
  Y_sym : Y^T = Y; Y_idem : Y *m Y = Y; Y_u : Y *m u = u; u_unit : u^T *m u = 1%:M; Y_trace : \tr Y = k%:R;
  Y_box : forall i j, lo i j <= Y i j <= hi i j;
  Y_cuts : forall l, b l <= '<A l, Y>
}.

(* Any numbers whatever: N need not even be symmetric. *)
Variables (N : 'M[real]_s) (mu : 'I_cuts -> real) (w : 'cV[real]_s) (t : real).
Variables (q : nat) (F : 'M[real]_(q, s)) (minus : pred 'I_q) (c : real).

Let G := - C - N - \sum_l mu l *: A l.
Let E := error u G w t F minus.
Definition box_part := \sum_i \sum_j (Num.max (N i j) 0 * lo i j - Num.max (- N i j) 0 * hi i j).
Definition cut_part := \sum_l mu l * b l.
Definition dual_bound :=
  (u^T *m G *m u) 0 0 + spectral_bound k t F minus c + box_part + cut_part.

(* a y >= a+ l - a- h *)
Lemma box_entry (a l h y : real) : l <= y <= h -> Num.max a 0 * l - Num.max (- a) 0 * h <= a * y.
Proof.
case/andP=> ly yh; have [a0 | a0] := leP 0 a.
  by rewrite [Num.max (- a) 0]max_r ?oppr_le0 // mul0r subr0 ler_wpmul2l.
rewrite max_l; last by rewrite oppr_ge0 ltW.
by rewrite mul0r sub0r mulNr opprK ler_wnmul2l // ltW.
Qed.

(* (2), with the right-hand side of (3) for the least <G, R> *)
Theorem weak_duality :
  relaxed -> (forall l, 0 <= mu l) -> 0 <= c -> (k%:R - 1) * '<E, E> <= c ^+ 2 -> dual_bound <= - '<C, Y>.
Proof.
case=> Y_sym Y_idem Y_u u_unit Y_trace box cut mu_ge0 c_ge0 c_large.
have -> : - '<C, Y> = '<G, Y> + '<N, Y> + \sum_l mu l * '<A l, Y>.
  rewrite /G !dotBl dotNl dot_suml; under [X in _ - X]eq_bigr do rewrite dotZl.
  by rewrite addrAC !subrK.
apply: ler_add; last by apply: ler_sum => l _; rewrite ler_wpmul2l.
apply: ler_add; last by apply: ler_sum => i _; apply: ler_sum => j _; apply: box_entry.
have along : (u^T *m G *m u) 0 0 = '<G, u *m u^T>.
  by rewrite dot_trace trmx_mul trmxK -trace_mx11 -mulmxA mxtrace_mulC -mulmxA.
have -> : '<G, Y> = (u^T *m G *m u) 0 0 + '<G, rest Y u> by rewrite along -dotDr addrC subrK.
by rewrite ler_add2l; apply: (spectral Y_sym Y_idem Y_u u_unit Y_trace c_ge0 c_large).
Qed.

End Duality.

(* -- The cost of a partition ----------------------------------------------- *)

Section Cost.

(* Points x_p with weights, and a partition of them: what cluster each one is in. *)
Variables (real : rcfType) (n d k : nat) (weight : 'I_n -> real).
Implicit Types (x : 'I_n -> 'rV[real]_d) (label : 'I_n -> 'I_k).

Definition mean x label a :=
  (\sum_(p | label p == a) weight p)^-1 *: \sum_(p | label p == a) weight p *: x p.
Definition cost x label :=
  \sum_p weight p * '<x p - mean x label (label p), x p - mean x label (label p)>.

Lemma cost_eq x label label' : label =1 label' -> cost x label = cost x label'.
Proof.
move=> same; apply: eq_bigr => p _; rewrite same /mean.
under eq_bigl do rewrite same; under [in X in _ *: X]eq_bigl do rewrite same.
by [].
Qed.

(* "Origin": each cluster may be moved by a vector of its own. *)
Lemma cost_moved x label (o : 'I_k -> 'rV[real]_d) :
  (forall p, 0 < weight p) -> cost (fun p => x p - o (label p)) label = cost x label.
Proof.
move=> weight_gt0; apply: eq_bigr => p _.
suff -> : mean (fun p => x p - o (label p)) label (label p) = mean x label (label p) - o (label p).
  by rewrite opprD opprK addrACA addNr addr0.
rewrite /mean; set V := \sum_(p' | _) weight p'.
have V_neq0 : V != 0 by rewrite lt0r_neq0 // /V (bigD1 p) //= ltr_paddr // sumr_ge0 // => p' _; rewrite ltW.
under eq_bigr => p' /eqP-> do rewrite scalerBr.
by rewrite sumrB -scaler_suml scalerBr [in X in _ - X]scalerA mulVf ?scale1r.
Qed.

End Cost.

(* -- The matrix Y of a partition ------------------------------------------- *)

Section Partition.

(* Points x_p with weights, the super-points of a state, and a partition of these into clusters, none of them empty. *)
Variables (real : rcfType) (n d s k : nat) (x : 'I_n -> 'rV[real]_d) (weight : 'I_n -> real).
Variables (super : 'I_n -> 'I_s) (cluster : 'I_s -> 'I_k).
Hypotheses (weight_gt0 : forall p, 0 < weight p) (super_onto : forall i, exists p, super p = i).
Hypotheses (k_gt0 : (0 < k)%N) (cluster_onto : forall a, exists i, cluster i = a).

(* Weights e_i and means m_i of super-points, E, u, C and T. *)
Definition e i := \sum_(p | super p == i) weight p.
Definition m i := (e i)^-1 *: \sum_(p | super p == i) weight p *: x p.
Definition root i := Num.sqrt (e i).
Definition total := \sum_i e i.
Definition direction : 'cV[real]_s := \col_i Num.sqrt (e i / total).
Definition gram : 'M[real]_s := \matrix_(i, j) (root i * root j * '<m i, m j>).
Definition T := \sum_p weight p * '<x p, x p>.

(* The weight of a cluster, and the matrices Z and Y. *)
Definition W a := \sum_(i | cluster i == a) e i.
Local Notation label := (cluster \o super).
Local Notation mean := (mean weight x label).
Local Notation cost := (cost weight x label).

Definition Z i j : real := (cluster i == cluster j)%:R / W (cluster i).
Definition Y : 'M[real]_s := \matrix_(i, j) (root i * root j * Z i j).

Lemma e_gt0 i : 0 < e i.
Proof.
have [p <-] := super_onto i; rewrite /e (bigD1 p) //= ltr_paddr //.
by apply: sumr_ge0 => p' _; apply: ltW.
Qed.

Lemma root_square i : root i * root i = e i.
Proof. by rewrite -expr2 sqr_sqrtr // ltW ?e_gt0. Qed.

Lemma e_le i : e i <= W (cluster i).
Proof. by rewrite /W (bigD1 i) //= ler_addl sumr_ge0 // => j _; rewrite ltW ?e_gt0. Qed.

Lemma W_gt0 a : 0 < W a.
Proof. by have [i <-] := cluster_onto a; apply: lt_le_trans (e_gt0 i) (e_le i). Qed.

Lemma W_neq0 a : W a != 0.
Proof. by rewrite lt0r_neq0 ?W_gt0. Qed.

Lemma Z_sym i j : Z i j = Z j i.
Proof. by rewrite /Z eq_sym; case: eqP => [->|]; rewrite ?mul0r. Qed.

Lemma Z_ge0 i j : 0 <= Z i j.
Proof. by rewrite divr_ge0 ?ler0n // ltW ?W_gt0. Qed.

Lemma Z_row i : \sum_j e j * Z i j = 1.
Proof.
rewrite -(divff (W_neq0 (cluster i))) {2}/W big_distrl /= [RHS]big_mkcond /=.
by apply: eq_bigr => j _; rewrite /Z eq_sym; case: eqP; rewrite ?mul1r ?mul0r ?mulr0.
Qed.

Lemma Z_idem i l : \sum_j e j * (Z i j * Z j l) = Z i l.
Proof.
rewrite -[RHS]mul1r -(Z_row i) big_distrl /=; apply: eq_bigr => j _.
by rewrite mulrA /Z; case: (eqVneq (cluster i) (cluster j)) => [->|]; rewrite ?mul0r ?mulr0 ?mul0r.
Qed.

Lemma total_gt0 : 0 < total.
Proof.
have [i _] := cluster_onto (Ordinal k_gt0); apply: lt_le_trans (e_gt0 i) _.
by rewrite /total (bigD1 i) //= ler_addl sumr_ge0 // => j _; rewrite ltW ?e_gt0.
Qed.

Lemma direction_root i : direction i 0 = root i / Num.sqrt total.
Proof. by rewrite mxE sqrtrM ?sqrtrV // ltW ?e_gt0 ?total_gt0. Qed.

(* Y is symmetric, idempotent, has the trace k, and Y u = u; u is a unit vector. *)
Lemma partition_sym : Y^T = Y.
Proof. by apply/matrixP => i j; rewrite !mxE Z_sym mulrAC mulrC mulrA. Qed.

Lemma partition_idem : Y *m Y = Y.
Proof.
apply/matrixP => i l; rewrite !mxE -Z_idem big_distrr /=; apply: eq_bigr => j _.
rewrite !mxE -(root_square j); move: (Z i j) (Z j l) (root i) (root j) (root l) => y z a b c.
by rewrite mulrACA [b * c]mulrC (mulrACA a) (mulrA (a * c) (b * b)).
Qed.

Lemma partition_u : Y *m direction = direction.
Proof.
apply/matrixP => i j; rewrite ord1 {j} direction_root !mxE -[in RHS](mulr1 (root i)) -(Z_row i).
rewrite big_distrr big_distrl /=; apply: eq_bigr => j _; rewrite direction_root !mxE -(root_square j).
by move: (Z i j) (root i) (root j) => z a b; rewrite !mulrA (mulrAC (a * b) z).
Qed.

Lemma direction_unit : direction^T *m direction = 1%:M.
Proof.
apply/matrixP => i j; rewrite !ord1 !mxE eqxx -(divff (lt0r_neq0 total_gt0)) {2}/total big_distrl /=.
apply: eq_bigr => l _; rewrite !mxE -expr2 sqr_sqrtr // divr_ge0 // ltW ?e_gt0 ?total_gt0 //.
Qed.

Lemma partition_trace : \tr Y = k%:R.
Proof.
have -> : \tr Y = \sum_i e i / W (cluster i).
  by apply: eq_bigr => i _; rewrite mxE root_square /Z eqxx mul1r.
rewrite (partition_big cluster predT) //= -[k in RHS]card_ord -sumr_const; apply: eq_bigr => a _.
by rewrite -(divff (W_neq0 a)) {2}/W big_distrl /=; apply: eq_bigr => i /eqP->.
Qed.

(* The cost of the partition is T - <C, Y>. *)
Lemma moment i : e i *: m i = \sum_(p | super p == i) weight p *: x p.
Proof. by rewrite scalerA divff ?scale1r // lt0r_neq0 ?e_gt0. Qed.

Lemma W_points a : \sum_(p | cluster (super p) == a) weight p = W a.
Proof.
rewrite (partition_big super (fun i => cluster i == a)) //=; apply: eq_bigr => i /eqP<-.
by apply: eq_bigl => p; case: (super p =P i) => [->|]; rewrite ?eqxx ?andbF.
Qed.

Lemma mean_points a : W a *: mean a = \sum_(p | cluster (super p) == a) weight p *: x p.
Proof. by rewrite /mean W_points scalerA divff ?scale1r ?W_neq0. Qed.

Lemma mean_super a : W a *: mean a = \sum_(i | cluster i == a) e i *: m i.
Proof.
rewrite mean_points (partition_big super (fun i => cluster i == a)) //=; apply: eq_bigr => i /eqP<-.
by rewrite moment; apply: eq_bigl => p; case: (super p =P i) => [->|]; rewrite ?eqxx ?andbF.
Qed.

Lemma dot_gram : '<gram, Y> = \sum_a W a * '<mean a, mean a>.
Proof.
have -> : '<gram, Y> = \sum_i e i * '<m i, mean (cluster i)>.
  apply: eq_bigr => i _.
  have -> : mean (cluster i) = \sum_j (Z i j * e j) *: m j.
    rewrite -[LHS]scale1r -(mulVf (W_neq0 (cluster i))) -scalerA mean_super scaler_sumr [LHS]big_mkcond /=.
    apply: eq_bigr => j _; rewrite /Z eq_sym; case: eqP => _; last by rewrite !mul0r scale0r.
    by rewrite mul1r scalerA.
  rewrite dot_sumr big_distrr /=; apply: eq_bigr => j _.
  rewrite !mxE dotZr -[in RHS](root_square i) -[in RHS](root_square j).
  move: (Z i j) '<m i, m j> (root i) (root j) => z y a b.
  by rewrite mulrACA (mulrACA a) [z * _]mulrC -(mulrA (b * b)) [y * z]mulrC (mulrA (a * a) (b * b)).
rewrite (partition_big cluster predT) //=; apply: eq_bigr => a _.
by rewrite -dotZl mean_super dot_suml; apply: eq_bigr => i /eqP->; rewrite dotZl.
Qed.

Lemma cost_trace : cost = T - '<gram, Y>.
Proof.
rewrite dot_gram /cost /T.
under eq_bigr do rewrite dotBB mulrDr mulrBr mulrnAr.
rewrite big_split sumrB sumrMnl /= -addrA; congr (_ + _).
have by_cluster f : \sum_p weight p * '<f p, mean (cluster (super p))> =
    \sum_a '<\sum_(p | cluster (super p) == a) weight p *: f p, mean a>.
  rewrite (partition_big (cluster \o super) predT) //=; apply: eq_bigr => a _.
  by rewrite dot_suml; apply: eq_bigr => p /eqP->; rewrite dotZl.
rewrite !by_cluster; under eq_bigr do rewrite -mean_points dotZl.
suff -> : \sum_a '<\sum_(p | cluster (super p) == a) weight p *: mean (cluster (super p)), mean a> =
    \sum_a W a * '<mean a, mean a> by rewrite mulr2n opprD addrNK.
apply: eq_bigr => a _; under eq_bigr => p /eqP-> do over.
by rewrite -scaler_suml W_points dotZl.
Qed.

(* -- Largest clusters, box and cuts ---------------------------------------- *)

(* "Largest clusters": M_i = E - (weight of D), where D holds all that are apart from i, not i, and k - 1 super-points
   or more. The page takes the lightest D, so that no D leaves more than M_i, and this is all that is asked of M_i. *)
Variables (apart : rel 'I_s) (M : 'I_s -> real) (M_max : real).
Hypothesis cluster_apart : forall i j, apart i j -> cluster i != cluster j.
Hypothesis M_largest : forall i (D : {set 'I_s}),
  (forall j, apart i j -> j \in D) -> i \notin D -> (k.-1 <= #|D|)%N -> total - \sum_(j in D) e j <= M i.
Hypothesis M_le : forall i, M i <= M_max.

(* What lies outside of the cluster of i is such a D. *)
Lemma W_le i : W (cluster i) <= M i.
Proof.
pose D := [set j | cluster j != cluster i].
have -> : W (cluster i) = total - \sum_(j in D) e j.
  rewrite /total (bigID (mem D)) /= [X in X - _]addrC addrK; apply: eq_bigl => j.
  by rewrite inE negbK.
apply: M_largest => [j /cluster_apart|| ]; rewrite ?inE ?eqxx 1?eq_sym //.
have <- : #|[set~ cluster i]| = k.-1 by rewrite cardsC1 card_ord.
apply: leq_trans (leq_imset_card cluster D); apply/subset_leq_card/subsetP => a.
have [j <-] := cluster_onto a; rewrite !inE => j_other.
by apply/imsetP; exists j; rewrite ?inE.
Qed.

Lemma Z_ge i j : cluster i = cluster j -> (M i)^-1 <= Z i j.
Proof.
move=> ij; rewrite /Z ij eqxx mul1r -ij.
by rewrite lef_pinv ?posrE ?W_le ?W_gt0 // (lt_le_trans (W_gt0 _) (W_le i)).
Qed.

(* "Box" *)
Definition lo i j := if i == j then e i / M i else 0.
Definition hi i j := if i == j then 1 else if apart i j then 0 else root i * root j / (e i + e j).

Lemma root_ge0 i : 0 <= root i.
Proof. exact: sqrtr_ge0. Qed.

Lemma partition_box i j : lo i j <= Y i j <= hi i j.
Proof.
rewrite /lo /hi mxE; case: eqP => [<-|/eqP ij].
  rewrite root_square ler_wpmul2l ?Z_ge ?(ltW (e_gt0 i)) //= /Z eqxx mul1r.
  by rewrite ler_pdivr_mulr ?W_gt0 // mul1r e_le.
have roots := mulr_ge0 (root_ge0 i) (root_ge0 j); rewrite (mulr_ge0 roots (Z_ge0 i j)) /=.
have e_sum : 0 < e i + e j by rewrite addr_gt0 ?e_gt0.
rewrite /Z; case: eqP => [same|_]; last first.
  by rewrite mul0r mulr0; case: ifP => // _; rewrite divr_ge0 // ltW.
case: ifP => [/cluster_apart/eqP//|_]; rewrite mul1r ler_wpmul2l // lef_pinv ?posrE ?W_gt0 //.
rewrite /W (bigD1 i) //= (bigD1 j) /= ?same ?eqxx 1?eq_sym // addrA ler_addl.
by apply: sumr_ge0 => l _; rewrite ltW ?e_gt0.
Qed.

(* "Cuts": a star has a centre and a set, a clique a set. *)
Inductive cut := Star of 'I_s & {set 'I_s} | Clique of {set 'I_s}.

(* A clique cut has k + 1 super-points or more. Stars hold for any set. *)
Definition valid (h : cut) := if h is Clique J then (k < #|J|)%N else true.

(* The coefficients on Z_ij: half of one off the diagonal stands in each of the two entries. *)
Definition pair (J : {set 'I_s}) i j : real := [&& i != j, i \in J & j \in J]%:R / 2%:R.
Definition arm c (J : {set 'I_s}) i j : real := ([&& i == c & j \in J]%:R + [&& j == c & i \in J]%:R) / 2%:R.
Definition coefficient h i j : real :=
  match h with Star c J => [&& i == c & j == c]%:R + pair J i j - arm c J i j | Clique J => pair J i j end.

Definition A h : 'M[real]_s := \matrix_(i, j) (coefficient h i j / (root i * root j)).
Definition b h : real := if h is Clique _ then M_max^-1 else 0.

Lemma root_gt0 i : 0 < root i.
Proof. by rewrite sqrtr_gt0 e_gt0. Qed.

Lemma dot_cut h : '<A h, Y> = \sum_i \sum_j coefficient h i j * Z i j.
Proof.
apply: eq_bigr => i _; apply: eq_bigr => j _; rewrite !mxE mulrA.
by rewrite divfK // mulf_neq0 // lt0r_neq0 ?root_gt0.
Qed.

Lemma part_le (I : finType) (P : pred I) (f : I -> real) : (forall i, 0 <= f i) -> \sum_(i | P i) f i <= \sum_i f i.
Proof. by move=> f_ge0; rewrite [X in _ <= X](bigID P) /= ler_addl sumr_ge0. Qed.

(* m members of J in one cluster make m (m - 1) / 2 pairs, each with Z = 1 / W. *)
Definition members (J : {set 'I_s}) a := [set i in J | cluster i == a].

Lemma pairs_ge (J : {set 'I_s}) a (m := #|members J a|) :
  (m * m.-1)%:R / 2%:R / W a <= \sum_i \sum_j pair J i j * Z i j.
Proof.
have pair_ge0 i j : 0 <= pair J i j * Z i j by rewrite mulr_ge0 ?Z_ge0 // divr_ge0 ?ler0n.
apply: le_trans (part_le (mem (members J a)) _) => [|i]; last by apply: sumr_ge0.
rewrite natrM -!mulrA mulr_natl -sumr_const; apply: ler_sum => i iD.
apply: le_trans (part_le (mem (members J a :\ i)) _) => //.
have -> : m.-1 = #|members J a :\ i| by rewrite /m (cardsD1 i) iD.
rewrite mulr_natl -sumr_const; apply: ler_sum => j; move: iD; rewrite !inE.
by case/andP=> iJ /eqP ia /and3P[ji jJ /eqP ja]; rewrite /pair /Z eq_sym ji iJ jJ ia ja eqxx !mul1r.
Qed.

Lemma row_sum (f : 'I_s -> 'I_s -> real) c (Q : pred 'I_s) :
  \sum_i \sum_j [&& i == c & Q j]%:R * f i j = \sum_(j | Q j) f c j.
Proof.
rewrite (bigD1 c) //= [X in _ + X]big1 ?addr0 => [|i /negbTE->]; last by rewrite big1 // => j _; rewrite mul0r.
by rewrite eqxx [RHS]big_mkcond; apply: eq_bigr => j _; rewrite mulr_natl mulrb.
Qed.

(* Z_cc + sum over pairs of J - sum over j in J of Z_cj *)
Lemma star_value c J :
  '<A (Star c J), Y> = Z c c + \sum_i \sum_j pair J i j * Z i j - \sum_(j in J) Z c j.
Proof.
have arms : \sum_i \sum_j arm c J i j * Z i j = \sum_(j in J) Z c j.
  under eq_bigr => i _ do under eq_bigr => j _ do rewrite mulrAC mulrDl.
  under eq_bigr => i _ do rewrite -big_distrl big_split /=.
  rewrite -big_distrl big_split /= [X in _ + X]exchange_big /=.
  under [X in _ + X]eq_bigr => i _ do under eq_bigr => j _ do rewrite Z_sym.
  by rewrite !row_sum -mulr2n -[_ *+ 2]mulr_natr mulfK ?pnatr_eq0.
have own : \sum_i \sum_j [&& i == c & j == c]%:R * Z i j = Z c c by rewrite row_sum big_pred1_eq.
rewrite dot_cut -arms -own -big_split -sumrB /=; apply: eq_bigr => i _.
by rewrite -big_split -sumrB /=; apply: eq_bigr => j _; rewrite -mulrDl mulrBl.
Qed.

(* 1 + m (m - 1) / 2 - m >= 0, with m members of J in the cluster of c *)
Lemma star_ge0 c J : 0 <= '<A (Star c J), Y>.
Proof.
pose m := #|members J (cluster c)|; have arms : \sum_(j in J) Z c j = m%:R / W (cluster c).
  rewrite mulr_natl -sumr_const [LHS]big_mkcond [RHS]big_mkcond /=; apply: eq_bigr => j _.
  by rewrite inE /Z eq_sym; case: (j \in J); case: eqP; rewrite ?mul1r ?mul0r.
rewrite star_value arms subr_ge0; apply: le_trans (ler_add (lexx _) (pairs_ge J (cluster c))).
rewrite {1}/Z eqxx -mulrDl ler_wpmul2r ?invr_ge0 ?(ltW (W_gt0 _)) //.
rewrite -(ler_pmul2r (ltr0Sn real 1)) mulrDl divfK ?pnatr_eq0 // mul1r -natrM -natrD ler_nat -/m.
case: (m) => [|[|m']] //=; rewrite muln2 -addnn mulnS addnCA leq_add2l.
by rewrite -[m'.+2]addn2 [(m' + 2)%N]addnC leq_add2l leq_pmull.
Qed.

(* Two of more than k super-points share a cluster. *)
Lemma clique_ge (J : {set 'I_s}) : (k < #|J|)%N -> M_max^-1 <= '<A (Clique J), Y>.
Proof.
move=> k_lt; have [a two] : exists a, (1 < #|members J a|)%N.
  apply/existsP; apply: contraLR k_lt; rewrite negb_exists -leqNgt => /forallP few.
  rewrite -[k]card_ord -sum1_card (partition_big cluster predT) //= -sum1_card; apply: leq_sum => a _.
  by rewrite sum1dep_card leqNgt few.
rewrite dot_cut; apply: le_trans (pairs_ge J a).
have [i ia] := cluster_onto a; have W_max : W a <= M_max by rewrite -ia (le_trans (W_le i)).
apply: (@le_trans _ _ (W a)^-1); first by rewrite lef_pinv ?posrE ?W_gt0 // (lt_le_trans (W_gt0 a)).
rewrite ler_pmull ?invr_gt0 ?W_gt0 // ler_pdivl_mulr ?ltr0n // mul1r ler_nat.
by case: #|_| two => [|[|m']] // _; rewrite /= mulnS.
Qed.

(* -- The theorem ----------------------------------------------------------- *)

(* Any N, cuts, vector w, shift t, factor F with signs, and any mu >= 0. *)
Variables (N : 'M[real]_s) (cuts : nat) (chosen : 'I_cuts -> cut) (mu : 'I_cuts -> real) (w : 'cV[real]_s) (t : real).
Variables (q : nat) (F : 'M[real]_(q, s)) (minus : pred 'I_q) (c : real).

Local Notation u := direction.

Definition G := - gram - N - \sum_l mu l *: A (chosen l).
Definition B := G + w *m u^T + u *m w^T.
Definition E := B - t%:M - \sum_i (-1) ^+ minus i *: ((row i F)^T *m row i F).
Definition bound (lo hi : 'I_s -> 'I_s -> real) (b : 'I_cuts -> real) :=
  T + ((u^T *m G *m u) 0 0
    + (t * (k%:R - 1) - \sum_(i | minus i) '<row i F, row i F> - c)
    + \sum_i \sum_j (Num.max (N i j) 0 * lo i j - Num.max (- N i j) 0 * hi i j)
    + \sum_l mu l * b l).

Hypotheses (cut_valid : forall l, valid (chosen l)) (mu_ge0 : forall l, 0 <= mu l).
Hypotheses (c_ge0 : 0 <= c) (c_large : (k%:R - 1) * '<E, E> <= c ^+ 2).

(* For any box and right-hand sides that hold for this partition. *)
Lemma cost_ge lo' hi' b' :
  (forall i j, lo' i j <= Y i j <= hi' i j) -> (forall l, b' l <= '<A (chosen l), Y>) -> bound lo' hi' b' <= cost.
Proof.
move=> box right; rewrite cost_trace ler_add2l.
apply: (weak_duality _ mu_ge0 c_ge0 c_large); split => //.
- exact: partition_sym.
- exact: partition_idem.
- exact: partition_u.
- exact: direction_unit.
- exact: partition_trace.
Qed.

Lemma cut_ge l : b (chosen l) <= '<A (chosen l), Y>.
Proof. by have := cut_valid l; case: (chosen l) => [i J _ | J]; [exact: star_ge0 | exact: clique_ge]. Qed.

Theorem cost_ge_bound : bound lo hi (b \o chosen) <= cost.
Proof. exact: cost_ge partition_box cut_ge. Qed.

(* -- Fixed pairs ----------------------------------------------------------- *)

(* 1 at the two entries of a pair, else 0. Where N is symmetric, the two terms of what is added below are equal. *)
Definition both (i0 j0 i j : 'I_s) : real := [&& i == i0 & j == j0]%:R + [&& i == j0 & j == i0]%:R.

Lemma both_sum f i0 j0 : \sum_i \sum_j both i0 j0 i j * f i j = f i0 j0 + f j0 i0.
Proof.
have entry i1 j1 : \sum_i \sum_j [&& i == i1 & j == j1]%:R * f i j = f i1 j1 by rewrite row_sum big_pred1_eq.
rewrite -(entry i0) -(entry j0) -big_split /=; apply: eq_bigr => i _.
by rewrite -big_split /=; apply: eq_bigr => j _; rewrite mulrDl.
Qed.

(* If they are together, Y_ij >= sqrt(e_i e_j) / min(M_i, M_j). *)
Theorem bound_together i0 j0 : i0 != j0 -> cluster i0 = cluster j0 ->
  bound lo hi (b \o chosen)
    + (Num.max (N i0 j0) 0 + Num.max (N j0 i0) 0) * (root i0 * root j0 / Num.min (M i0) (M j0)) <= cost.
Proof.
move=> ij same; set v := root i0 * root j0 / _.
have v_le : v <= Y i0 j0.
  rewrite mxE ler_wpmul2l ?mulr_ge0 ?root_ge0 //.
  by case: (leP (M i0)) => _; [apply: Z_ge | rewrite Z_sym; apply: Z_ge].
pose lo' i j := lo i j + both i0 j0 i j * v.
have box i j : lo' i j <= Y i j <= hi i j.
  have /andP[lo_Y ->] := partition_box i j; rewrite andbT /lo' /both.
  case: (boolP (_ && _)) => [/andP[/eqP-> /eqP->]|_].
    by rewrite (negbTE ij) andFb addr0 mul1r /lo (negbTE ij) add0r.
  case: (boolP (_ && _)) => [/andP[/eqP-> /eqP->]|_]; last by rewrite addr0 mul0r addr0.
  by rewrite add0r mul1r /lo eq_sym (negbTE ij) add0r -partition_sym mxE.
apply: le_trans (cost_ge box cut_ge); rewrite /bound -addrA ler_add2l addrAC ler_add2r -addrA ler_add2l.
rewrite mulrDl -(both_sum (fun i j => Num.max (N i j) 0 * v)) -big_split /=.
apply: ler_sum => i _; rewrite -big_split /=; apply: ler_sum => j _.
by rewrite /lo' mulrDr addrAC [both _ _ _ _ * _]mulrCA.
Qed.

(* If they are apart, hi_ij = 0, and pair cuts on them say 1 / W >= 1 / M_c. *)
Definition charge i j (h : cut) : real :=
  if h is Star c J then
    if (c == i) && (J == [set j]) || (c == j) && (J == [set i]) then (M c)^-1 else 0
  else 0.

Lemma charge_le i j l :
  cluster i != cluster j -> b (chosen l) + charge i j (chosen l) <= '<A (chosen l), Y>.
Proof.
move=> ij; rewrite /charge; have := cut_ge l; case: (chosen l) => [a J|J]; last by rewrite addr0.
case: ifP => [pair_cut _|_]; last by rewrite addr0.
have [j' [-> aj]] : exists j', J = [set j'] /\ cluster a != cluster j'.
  by case/orP: pair_cut => /andP[/eqP-> /eqP->]; [exists j | exists i; rewrite eq_sym].
have Z_aj : Z a j' = 0 by rewrite /Z (negbTE aj) mul0r.
rewrite add0r star_value big_set1 Z_aj subr0.
apply: le_trans (Z_ge (erefl (cluster a))) _; rewrite ler_addl.
by do 2!apply: sumr_ge0 => ? _; rewrite mulr_ge0 ?Z_ge0 // divr_ge0 ?ler0n.
Qed.

Theorem bound_apart i0 j0 : i0 != j0 -> cluster i0 != cluster j0 ->
  bound lo hi (b \o chosen)
    + (Num.max (- N i0 j0) 0 * hi i0 j0 + Num.max (- N j0 i0) 0 * hi j0 i0)
    + \sum_l mu l * charge i0 j0 (chosen l) <= cost.
Proof.
move=> ij other; pose hi' i j := hi i j - both i0 j0 i j * hi i j.
have box i j : lo i j <= Y i j <= hi' i j.
  have /andP[-> Y_hi] := partition_box i j; rewrite /= /hi' /both.
  case: (boolP (_ && _)) => [/andP[/eqP-> /eqP->]|_].
    by rewrite (negbTE ij) andFb addr0 mul1r subrr mxE /Z (negbTE other) mul0r mulr0.
  case: (boolP (_ && _)) => [/andP[/eqP-> /eqP->]|_]; last by rewrite addr0 mul0r subr0.
  by rewrite add0r mul1r subrr mxE /Z eq_sym (negbTE other) mul0r mulr0.
apply: le_trans (cost_ge box (fun l => charge_le l other)); rewrite /bound -!addrA !ler_add2l.
have regroup (X X' y z : real) : X + (X' + (y + z)) = X + y + (X' + z) by rewrite [X' + _]addrCA addrA.
rewrite (addrA (Num.max (- N i0 j0) 0 * _)) regroup.
apply: ler_add; last by rewrite -big_split /=; apply: ler_sum => l _; rewrite mulrDr.
rewrite -(both_sum (fun i j => Num.max (- N i j) 0 * hi i j)) -big_split /=.
apply: ler_sum => i _; rewrite -big_split /=; apply: ler_sum => j _.
by rewrite /hi' mulrBr opprB addrA [both _ _ _ _ * _]mulrCA addrAC.
Qed.

End Partition.

(* -- Points ---------------------------------------------------------------- *)

Section Points.

Variables (real : rcfType) (n d s k : nat) (x : 'I_n -> 'rV[real]_d) (weight : 'I_n -> real).
Variables (super : 'I_n -> 'I_s) (cannot_link : rel 'I_n).

(* A partition of the points that a state allows; super-points are what its must-links connect. *)
Record allowed (label : 'I_n -> 'I_k) : Prop := Allowed {
  no_cluster_empty : forall a, exists p, label p = a;
  links_kept : forall p p', super p = super p' -> label p = label p';
  links_avoided : forall p p', cannot_link p p' -> label p != label p'
}.

Definition apart i j :=
  [exists p, exists p', [&& super p == i, super p' == j & cannot_link p p' || cannot_link p' p]].

Hypotheses (k_gt0 : (0 < k)%N) (weight_gt0 : forall p, 0 < weight p) (super_onto : forall i, exists p, super p = i).
Variables (M : 'I_s -> real) (M_max : real).
Hypothesis M_largest : forall i (D : {set 'I_s}),
  (forall j, apart i j -> j \in D) -> i \notin D -> (k.-1 <= #|D|)%N ->
  total weight super - \sum_(j in D) e weight super j <= M i.
Hypothesis M_le : forall i, M i <= M_max.

Variables (N : 'M[real]_s) (cuts : nat) (chosen : 'I_cuts -> cut s) (mu : 'I_cuts -> real) (w : 'cV[real]_s) (t : real).
Variables (q : nat) (F : 'M[real]_(q, s)) (minus : pred 'I_q) (c : real).
Hypotheses (cut_valid : forall l, valid k (chosen l)) (mu_ge0 : forall l, 0 <= mu l) (c_ge0 : 0 <= c).
Let E := E x weight super N chosen mu w t F minus.
Hypothesis c_large : (k%:R - 1) * '<E, E> <= c ^+ 2.

(* No partition that the state allows costs less than the bound, which knows nothing of the partition. *)
Theorem every_partition label : allowed label ->
  bound k x weight super N chosen mu t F minus c (lo weight super M) (hi weight super apart) (b M_max \o chosen)
    <= cost weight x label.
Proof.
case=> onto kept avoided.
have point i : exists p, super p == i by have [p <-] := super_onto i; exists p.
pose cluster i := label (xchoose (point i)).
have same : label =1 cluster \o super by move=> p; apply/kept/esym/eqP/(xchooseP (point (super p))).
rewrite (cost_eq _ _ same).
apply: (cost_ge_bound weight_gt0 super_onto k_gt0 _ _ M_largest M_le cut_valid mu_ge0 c_ge0 c_large) => [a | i j].
  by have [p <-] := onto a; exists (super p); rewrite -[LHS]same.
case/existsP=> p /existsP[p' /and3P[/eqP<- /eqP<-]].
have -> : cluster (super p) = label p by rewrite same.
have -> : cluster (super p') = label p' by rewrite same.
by case/orP=> /avoided; rewrite // eq_sym.
Qed.

End Points.

Print Assumptions every_partition.
Print Assumptions bound_together.
Print Assumptions bound_apart.
