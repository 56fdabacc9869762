package testenv

// large says of bundled games why quick suites that play on machines in lanes
// leave them out. Times are those until the quickest machine in lanes is
// known, on one core.
var large = map[string]string{
	"amazons":           "13 s of set-up: 2,176 first moves",
	"bastions":          "4 s of set-up with whole moves: 15,625 of them",
	"breakthru":         "100 s of set-up, 332,000 gates: a turn is two moves",
	"chess":             "2 s of set-up under each plan but the whole moves, and 340 plies in random play",
	"chesswithoutcheck": "2 s of set-up under each plan",
	"englishdraughts":   "20 s of set-up: a whole capture is one move",
	"go":                "60 s of set-up, 869,000 gates, 722 turns",
	"go9":               "4 s of set-up, 53,000 gates",
	"hex":               "3 s of set-up: chains are found by recursion",
	"linesofaction":     "2 s of set-up under each plan",
	"linesofaction7":    "2 s of set-up under each plan",
	"millgame":          "2 s of set-up under each plan",
	"minishogi":         "14 s of set-up, 50,000 gates",
	"platoons":          "4 s of set-up with whole moves: 15,625 of them",
	"skirmish":          "2 s of set-up under each plan",
}

// Large says why a bundled game is slow in lanes or to set up, with figures; ""
// if it is not, or not bundled.
func Large(name string) string { return large[name] }
