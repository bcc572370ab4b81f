// Section 4: the state of the node that a walk through the tree is at. Whatever is added can be taken back.
#pragma once

#include <functional>
#include <set>

#include "conditions.h"

class State {
  public:
    State(const Data&, int k);
    bool broken() const { return broken_; }
    int size() const { return size_; }         // super-points
    const View& view();
    void join(int p, int q);
    void separate(int p, int q);
    void force(const Json& pair, const Conditions&);        // one forced pair, with its clique
    void join_equal(int p, int q);                          // one pair of a step `equal`
    void form_blocks();                                     // after a step `far`
    void check_search(const std::vector<int64_t>& points);  // refuses a search that does not refute the state
    int point(int64_t number) const;                        // refuses what is none
    size_t mark() const { return undo_.size(); }
    void undo(size_t mark);

  private:
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
    std::vector<std::function<void()>> undo_;
    std::optional<View> view_;
};
