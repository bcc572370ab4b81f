// Section 3: what is proved of a problem, by one recursion with one rule for each kind of evidence.
#pragma once

#include <memory>
#include <set>

#include "database.h"
#include "state.h"

// The points that problems are about, those of the whole instance or of a part, and the state of the one that is looked at.
struct Scope {
    const Data data;
    const Conditions conditions;
    State state;
    Lower dearest;    // section 13, States: no partition costs more
    std::vector<size_t> whole_size = {};  // section 15, States: of the super-point of each point in problem 0
    double held = 0;  // bytes, with what it is a part of
    Scope(Data, const Json& conditions, int k);
};

struct Problem {
    int64_t number;
    std::shared_ptr<Scope> scope;
    size_t mark;                    // of the state before the change that makes this problem of its parent
    Lower left;                     // b: what is proved of the partitions that are left
    std::vector<Row> evidence;
    size_t next = 0;
    Lower aside = {};               // c: what is proved of the partitions that were set aside
    std::set<int64_t> known = {};   // its children that were come to
    std::vector<Row> children = {}; // those that are still to be proved
    bool adds_up = false;           // whether they are the parts of a cover
    Lower proved = {};              // of the children of one piece of evidence together

    Lower larger(const Lower& bound) const;  // of b and this one; infinity, if no partition costs so much
    void raise(const Lower& bound) { left = larger(bound); }
    void await(std::vector<Row> rows, bool are_parts);
    void gather(const Lower& bound);         // of the next child
};

// One piece of evidence, the problem that it is about, and what is there to be read.
struct Evidence {
    Database& database;
    Problem& problem;
    const Row& row;
    Arrays payload;
    Scope& scope() const { return *problem.scope; }
    const View& view() const { return scope().state.view(); }
    double stated() const;                  // the bound, which must be finite
    void close(const Lower& bound) const;   // of a leaf: b is raised, and then compared with what is stated
    Row child(int64_t number) const;        // refuses what is none of the problem, or was come to before
};

using Rule = void (*)(Evidence&);
const std::map<std::string, Rule>& rules();           // by the kinds of evidence
void require_proved(double claimed, const Lower& proved);
Change change(const Row& problem, const State&);  // what it knows more than its parent

// Section 15, Left out: the greatest sum of what whole super-points cost inside and, where there are prices, of these;
// with `exactly` of s - k of them, nothing if there are no such ones.
std::optional<Rational> greatest_left_out(const Scope&, const View&, const std::vector<double>* prices, bool exactly);

// Section 10. The scope of a part is made of the state of the problem that is covered.
void cover(Evidence&);
std::shared_ptr<Scope> part_of(Scope&, const Row& part);

Lower least(const Lower&, const Lower&);

// What is proved of the whole, the parts of its cover by several threads.
Lower prove(Database&, std::shared_ptr<Scope> whole);
