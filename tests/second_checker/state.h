// Section 4: the state of the problem that is looked at. Whatever is added can be taken back.
#pragma once

#include <functional>
#include <set>

#include "conditions.h"

// Two points are together, or apart.
struct Decision {
    bool together;
    int i, j;
};

// What a child of a branching knows more than its parent: a pair, or a bound of the weight of a point's cluster.
struct Change {
    std::string kind;   // ML, CL, lighter or heavier
    int i, j;           // i < j; the same point for a bound
    double weight = 0;  // W of a bound
};

class State {
  public:
    State(const Data&, int k);
    bool broken() const { return broken_; }
    int size() const { return size_; }         // super-points
    const View& view();
    void add(const Decision& pair) { pair.together ? join(pair.i, pair.j) : separate(pair.i, pair.j); }
    void apply(const Change&);
    void check_forced(const Decision&, const std::vector<int>& clique, const Conditions&);
    void check_equal(const Decision&);
    void form_blocks();                                     // after far pairs
    void check_search(const std::vector<int64_t>&) const;   // refuses a search that does not refute the state
    int point(int64_t number) const;                        // refuses what is none
    size_t mark() const { return undo_.size(); }
    void undo(size_t mark);

  private:
    void join(int p, int q);
    void separate(int p, int q);
    int root(int p) const;  // the same for all points of a super-point
    bool apart(int p, int q) const { return apart_[root(p)].count(root(q)) > 0; }
    bool is_one_place(int a, int b) const;  // of the super-points of two roots
    void set_broken();
    void changed(std::function<void()> back);
    const Data& data_;
    const int k_;
    bool broken_ = false;
    int size_;
    std::vector<int> parent_, next_, count_;  // trees of points, whose roots stand for super-points; rings of their points
    std::vector<char> uniform_;               // whether all points of a root's super-point are at one place
    std::vector<std::set<int>> apart_;        // of a root: other roots, and what has been one
    std::vector<std::vector<int>> blocks_;
    std::vector<Change> bounds_;              // of weights
    std::vector<std::function<void()>> undo_;
    std::optional<View> view_;
};
