package games

import (
	"embed"
	"io"
	"io/fs"
	"path"
	"strings"

	"github.com/tidwall/gjson"
)

//go:embed rules/*.board.json
var bundledDrawings embed.FS

// drawingExtension ends the name of a drawing file, which otherwise is that
// of the description beside it.
const drawingExtension = ".board.json"

// maxDrawing is the length to which drawing files are read. It is more than
// they may have, so that who parses them sees that they are too long.
const maxDrawing = 128 << 10

// readDrawing reads the drawing file of the description with this path
// without its extension, or the one that it is like. A game is as playable
// without one, so a file that can't be read is none.
func readDrawing(fsys fs.FS, name string) string {
	text := readStart(fsys, name+drawingExtension)
	if !gjson.Valid(text) {
		return text
	}
	keys := gjson.Parse(text).Map()
	like := keys["like"]
	if len(keys) != 1 || like.Type != gjson.String || like.Str == "" || strings.ContainsAny(like.Str, `/\`) {
		return text
	}
	if other := readStart(fsys, path.Join(path.Dir(name), like.Str+drawingExtension)); other != "" {
		return other
	}
	return text
}

// readStart reads the first maxDrawing bytes of a file.
func readStart(fsys fs.FS, name string) string {
	info, err := fs.Stat(fsys, name)
	if err != nil || !info.Mode().IsRegular() {
		return ""
	}
	file, err := fsys.Open(name)
	if err != nil {
		return ""
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, maxDrawing))
	if err != nil {
		return ""
	}
	return string(text)
}
