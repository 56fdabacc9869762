package tree

// ProvenVisits is T: an edge with a proof below leaves the selection when it has
// so many visits, or narrow ways to a win would look worse than they are
// (Winands, Bjornsson, Saito 2008; 5 in the paper on PN-MCTS).
const ProvenVisits = 5

// KeepProven makes the tree mark edges after which nothing more is to be learned.
func (s *Edges) KeepProven() {
	s.keepsProven = true
	AddChunks(&s.Memory, &s.provenBits, func(_, id uint32) { *s.provenBits.At(id >> PlaceBits) &^= 1 << (id & PlaceMask) })
}

// IsProven says whether nothing more is to be learned after an edge.
func (s *Edges) IsProven(id uint32) bool {
	return *s.provenBits.At(id >> PlaceBits)>>(id&PlaceMask)&1 != 0
}

// SetProven marks an edge, or takes the mark away.
func (s *Edges) SetProven(id uint32, proven bool) {
	bit := uint8(1) << (id & PlaceMask)
	at := s.provenBits.At(id >> PlaceBits)
	before := *at
	if proven {
		*at |= bit
	} else {
		*at &^= bit
	}
	if *at != before {
		s.Refresh(id)
	}
}

// IsDone says whether an edge leaves the selection: it is proven, and was visited
// often enough.
func (s *Edges) IsDone(id uint32) bool {
	return s.IsProven(id) && IsEnough(s.VisitsInclVirtual(id))
}

// IsEnough tells whether a proven edge with so many visits leaves the selection. One
// without any was taken back: who took it loses at once.
func IsEnough(visits uint32) bool { return visits == 0 || visits >= ProvenVisits }

// KeepBonuses makes the tree keep a bonus for each edge: what a scan adds to its score,
// times a constant.
func (s *Edges) KeepBonuses() {
	s.HasBonuses = true
	AddChunks(&s.Memory, &s.bonuses, func(_, id uint32) { s.bonuses.At(id >> PlaceBits)[id&PlaceMask] = 0 })
}

// BonusesOf are those of a chunk, to be read and written.
func (s *Edges) BonusesOf(chunk uint32) *[ChunkEdges]float32 { return s.bonuses.At(chunk) }

// ProvenOf has a bit for each edge of a chunk.
func (s *Edges) ProvenOf(chunk uint32) uint8 { return *s.provenBits.At(chunk) }
