package gdl

// Symbols numbers names. Symbol 0 is the empty name. One goroutine may add
// names; when none does any more, all may read.
type Symbols struct {
	names   []string
	index   map[string]Symbol
	numbers []int32 // the value of a name that is a whole number, else notNumber
}

const notNumber = -1 << 31

// NewSymbols returns a table that holds only the empty name.
func NewSymbols() *Symbols {
	return &Symbols{names: []string{""}, index: map[string]Symbol{"": 0}, numbers: []int32{notNumber}}
}

// Intern returns the number of the name, a new one if it has none yet.
func (s *Symbols) Intern(name string) Symbol {
	if sym, ok := s.index[name]; ok {
		return sym
	}
	sym := Symbol(len(s.names))
	s.names = append(s.names, name)
	s.numbers = append(s.numbers, number(name))
	s.index[name] = sym
	return sym
}

// Lookup returns the number of a name that has one.
func (s *Symbols) Lookup(name string) (Symbol, bool) {
	sym, ok := s.index[name]
	return sym, ok
}

// Name returns the spelling of a symbol.
func (s *Symbols) Name(sym Symbol) string { return s.names[sym] }

// Len returns how many names there are, the empty one included.
func (s *Symbols) Len() int { return len(s.names) }

// Number returns the value of a symbol that is spelled as a whole number, at
// most nine digits with or without a sign. To the rules it is a symbol like
// any other; only goal values are read as numbers.
func (s *Symbols) Number(sym Symbol) (int, bool) {
	n := s.numbers[sym]
	if n == notNumber {
		return 0, false
	}
	return int(n), true
}

// Goal returns the value of a goal, 0..100, that is spelled so. A whole number
// below 0 counts as 0 and one above 100 as 100; what is no whole number is no
// goal.
func (s *Symbols) Goal(sym Symbol) (int, bool) {
	n, ok := s.Number(sym)
	return min(max(n, 0), 100), ok
}

// Clone returns a copy that grows on its own.
func (s *Symbols) Clone() *Symbols {
	c := &Symbols{
		names:   append([]string(nil), s.names...),
		index:   make(map[string]Symbol, len(s.index)),
		numbers: append([]int32(nil), s.numbers...),
	}
	for i, name := range c.names {
		c.index[name] = Symbol(i)
	}
	return c
}

func number(name string) int32 {
	digits, sign := name, int32(1)
	if len(name) > 1 && (name[0] == '-' || name[0] == '+') {
		digits = name[1:]
		if name[0] == '-' {
			sign = -1
		}
	}
	if digits == "" || len(digits) > 9 {
		return notNumber
	}
	n := int32(0)
	for i := range len(digits) {
		if digits[i] < '0' || digits[i] > '9' {
			return notNumber
		}
		n = 10*n + int32(digits[i]-'0')
	}
	return sign * n
}
