package console

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/alecthomas/kong"
)

// FlagMappers read the flags that mean the same in every command.
func FlagMappers() []kong.Option {
	return []kong.Option{
		kong.TypeMapper(reflect.TypeFor[time.Duration](), kong.MapperFunc(readTime)),
		kong.NamedMapper("path", named("path")),
		kong.NamedMapper("folder", named("")),
	}
}

// maxTime bounds every flag that is a time: some eleven days. What is longer is
// a slip, and sums of times need no thought below it.
const maxTime = 1_000_000 * time.Second

// readTime reads seconds (10 or 0.5), or numbers with units (10s, 1m30s).
func readTime(ctx *kong.DecodeContext, target reflect.Value) error {
	var text string
	if err := ctx.Scan.PopValueInto("time", &text); err != nil {
		return err
	}
	v, err := parseTime(text)
	if err == nil {
		target.SetInt(int64(v))
	}
	return err
}

func parseTime(text string) (time.Duration, error) {
	text = strings.TrimSpace(text)
	v, err := time.ParseDuration(text)
	if number, bare := strconv.ParseFloat(text, 64); bare == nil {
		v, err = -1, nil
		if number >= 0 && number <= maxTime.Seconds() { // which NaN is not
			v = time.Duration(number * float64(time.Second))
		}
	}
	if err != nil || v < 0 || v > maxTime {
		return 0, fmt.Errorf("%q is no time: write seconds, such as 10 or 0.5, or 1m30s; at most %.0f s", text, maxTime.Seconds())
	}
	return v, nil
}

// AboveZero refuses a time of zero for the flag of this name.
func AboveZero(name string, v time.Duration) error {
	if v > 0 {
		return nil
	}
	return Usagef("%s must be above 0", name)
}

// named is how kong reads names of files and folders, but for -: commands print
// other things on standard output, and read the moves of people from standard
// input, so - stands for neither, and must not become a file. The kind is a
// type of kong, or "" for a name that is taken as it is.
func named(kind string) kong.MapperFunc {
	usual := kong.NewRegistry().RegisterDefaults().ForNamedType(kind, reflect.TypeFor[string]())
	return func(ctx *kong.DecodeContext, target reflect.Value) error {
		if err := usual.Decode(ctx, target); err != nil {
			return err
		}
		names, several := target.Interface().([]string)
		if !several {
			names = []string{target.String()}
		}
		if slices.Contains(names, "-") {
			return errors.New("- is not standard input or output here: name a file (./- is one that is called so)")
		}
		return nil
	}
}
