-- base: limits-group-min
-- accepted: Groups have other names, one of which is empty. (section 13)
UPDATE instance SET conditions = '{"limits": {"groups": ["", "\u2202", "", "\u2202", "", "\u2202"], "group_min": [["\u2202", 1], ["", 1]]}}';
