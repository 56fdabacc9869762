package gdl

// TermID is the number of a ground term in a Store. Equal terms have equal
// numbers.
type TermID int32
