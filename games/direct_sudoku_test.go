package games_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

func init() { directs["sudoku"] = func() direct { return newSudoku() } }

// sudoku holds 0 for an empty square.
type sudoku struct {
	alone
	digits [81]int // 9y+x
}

// sudokuStart are the rows of the puzzle, from the top.
var sudokuStart = [9]string{
	"372..8.54", "8....7.6.", "49.5...7.", ".243..8..", "...971...", "..9..431.", ".8...5.39", ".5.1....2", "24.7..581",
}

func newSudoku() *sudoku {
	s := &sudoku{}
	for i, row := range sudokuStart {
		for x, digit := range row {
			if digit != '.' {
				s.digits[9*(8-i)+x] = int(digit - '0')
			}
		}
	}
	return s
}

// scatter solves the puzzle and takes some digits away again.
func (s *sudoku) scatter(random *rand.Rand) {
	s.digits = s.solutions(1)[0]
	for range random.IntN(12) {
		if i := random.IntN(81); newSudoku().digits[i] == 0 {
			s.digits[i] = 0
		}
	}
}

func sudokuBox(i int) int { return i/27*3 + i%9/3 }

func (s *sudoku) fits(i, digit int) bool {
	for j, other := range s.digits {
		if other == digit && (i%9 == j%9 || i/9 == j/9 || sudokuBox(i) == sudokuBox(j)) {
			return false
		}
	}
	return s.digits[i] == 0
}

// choices are the digits that fit, by square.
func (s *sudoku) choices() (all [81][]int) {
	for i := range all {
		for digit := 1; digit <= 9; digit++ {
			if s.fits(i, digit) {
				all[i] = append(all[i], digit)
			}
		}
	}
	return all
}

// solutions finds at most so many, trying the square with the fewest choices.
func (s *sudoku) solutions(most int) [][81]int {
	best, choices := -1, s.choices()
	for i, digit := range s.digits {
		if digit == 0 && (best < 0 || len(choices[i]) < len(choices[best])) {
			best = i
		}
	}
	if best < 0 {
		return [][81]int{s.digits}
	}
	var found [][81]int
	for _, digit := range choices[best] {
		if len(found) < most {
			following := *s
			following.digits[best] = digit
			found = append(found, following.solutions(most-len(found))...)
		}
	}
	return found
}

func (s *sudoku) empty() int {
	n := 0
	for _, digit := range s.digits {
		if digit == 0 {
			n++
		}
	}
	return n
}

func (s *sudoku) fluents() []string {
	all := []string{fmt.Sprintf("(empty_squares %d)", s.empty())}
	for i, digit := range s.digits {
		content := "empty"
		if digit > 0 {
			content = fmt.Sprint(digit)
		}
		all = append(all, "(cell "+square(i%9, i/9)+" "+content+")")
	}
	return all
}

func (s *sudoku) legal(int) []string {
	var all []string
	for i, digits := range s.choices() {
		for _, digit := range digits {
			all = append(all, fmt.Sprintf("(write %s %d)", square(i%9, i/9), digit))
		}
	}
	return all
}

func (s *sudoku) play(joint []string) {
	var x rune
	var y, digit int
	fmt.Sscanf(joint[0], "(write %c %d %d)", &x, &y, &digit)
	s.digits[9*(y-1)+int(x-'a')] = digit
}

func (s *sudoku) terminal() bool {
	choices := s.choices()
	for i, digit := range s.digits {
		if digit == 0 && len(choices[i]) == 0 {
			return true
		}
	}
	return s.empty() == 0
}

func (s *sudoku) goal(int) int { return 100 - 2*s.empty() }

// TestSudokuSolvable: the puzzle has one solution, which keeps the rules.
func TestSudokuSolvable(t *testing.T) {
	found := newSudoku().solutions(2)
	if len(found) != 1 {
		t.Fatalf("%d solutions, want 1", len(found))
	}
	for i := range 9 {
		var column, row, box []int
		for j, digit := range found[0] {
			if j%9 == i {
				column = append(column, digit)
			}
			if j/9 == i {
				row = append(row, digit)
			}
			if sudokuBox(j) == i {
				box = append(box, digit)
			}
		}
		for _, nine := range [][]int{column, row, box} {
			if slices.Sort(nine); !slices.Equal(nine, []int{1, 2, 3, 4, 5, 6, 7, 8, 9}) {
				t.Errorf("digits %v together", nine)
			}
		}
	}
}
