package tournament

import (
	"fmt"
	"path/filepath"
	"testing"
)

// BenchmarkAdd keeps matches with records of the usual length, each for itself.
func BenchmarkAdd(b *testing.B) {
	s, err := Create(filepath.Join(b.TempDir(), "t.db"))
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	record, thoughts := make([]byte, 30<<10), make([]byte, 15<<10)
	for i := range record {
		record[i] = byte('a' + i*i%23)
	}
	for i := 0; b.Loop(); i++ {
		m := Played{Match: Match{ID: fmt.Sprint("m", i), Round: 1, Game: "g", Seats: []int{0, 1}, Table: []int{0, 1}}, Goals: []int{100, 0}}
		if err := s.Add(m, record, thoughts); err != nil {
			b.Fatal(err)
		}
	}
}
