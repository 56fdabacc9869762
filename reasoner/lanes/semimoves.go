package lanes

// Semimoves is the number of semimoves of a role at a level.
func (e *Engine) Semimoves(role, level int) int { return e.p.roles[role].levels[level].count }
