//go:build !race

package web_test

import (
	"bytes"
	"cmp"
	"context"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/chromedp/chromedp"

	"semisplit/ggp/internal/web"
)

// TestScreenshots makes the pictures of the documents, where GGP_SCREENSHOTS names
// their folder: make screenshots.
func TestScreenshots(t *testing.T) {
	folder := os.Getenv("GGP_SCREENSHOTS")
	if folder == "" {
		t.Skip("GGP_SCREENSHOTS names no folder")
	}
	s := serve(t, web.Config{})
	gates := make(chan struct{})
	id, _ := liveMatch(t, s, "connectfour", gates)
	for range 14 {
		gates <- struct{}{}
	}
	for _, screen := range []struct {
		name          string
		width, height int64
	}{{"wide", 1280, 800}, {"narrow", 390, 844}} {
		ctx := tab(t, screen.width, screen.height)
		save := func(what string) {
			t.Helper()
			data, err := chromedp.Run(ctx, chromedp.CaptureScreenshot())
			if err == nil {
				err = os.WriteFile(filepath.Join(folder, "web-"+what+"-"+screen.name+".png"), smaller(t, data), 0o644)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		do(t, ctx, chromedp.Navigate(s.URL()), until(`[...document.querySelectorAll(".cards img")].slice(0, 12).every(i => i.complete && i.naturalWidth)`))
		save("library")
		do(t, ctx, chromedp.Navigate(s.URL()+"match/"+id+"#12"), until(`document.querySelectorAll(".mind").length > 0 && document.querySelector("#curve canvas")`))
		save("watch")
		playedGame(t, ctx, s)
		save("play")
	}
	go func() {
		for range gates {
		}
	}()
	close(gates)
}

// playedGame is a game of a person in which a piece has been picked.
func playedGame(t *testing.T, ctx context.Context, s *web.Server) {
	t.Helper()
	beginGame(t, ctx, s, "breakthrough", "0", "4")
	for i, at := range []string{"s3.1", "s3.2", "s4.1"} {
		do(t, ctx, until(`document.querySelector("[data-at='`+at+`'].can")`), chromedp.Click(`[data-at="`+at+`"]`))
		if i == 1 {
			do(t, ctx, until(`document.querySelectorAll("#moves li").length === 2 && document.querySelector("#board .can")`))
		}
	}
	do(t, ctx, until(`document.querySelector("#board .chosen")`), script(`scrollTo(0, 0)`))
}

// smaller writes a picture with 256 colours: those that most of its points have.
func smaller(t *testing.T, data []byte) []byte {
	t.Helper()
	full, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	count := map[color.RGBA]int{}
	at := func(x, y int) color.RGBA {
		c := color.RGBAModel.Convert(full.At(x, y)).(color.RGBA)
		c.R, c.G, c.B = c.R&^3, c.G&^3, c.B&^3
		return c
	}
	area := full.Bounds()
	for y := area.Min.Y; y < area.Max.Y; y++ {
		for x := area.Min.X; x < area.Max.X; x++ {
			count[at(x, y)]++
		}
	}
	var known []color.RGBA
	for c := range count {
		known = append(known, c)
	}
	slices.SortFunc(known, func(a, b color.RGBA) int {
		return cmp.Or(count[b]-count[a], int(a.R)-int(b.R), int(a.G)-int(b.G), int(a.B)-int(b.B))
	})
	var palette color.Palette
	for _, c := range known[:min(256, len(known))] {
		palette = append(palette, c)
	}
	index := map[color.RGBA]uint8{}
	for _, c := range known {
		index[c] = uint8(palette.Index(c))
	}
	small := image.NewPaletted(area, palette)
	for y := area.Min.Y; y < area.Max.Y; y++ {
		for x := area.Min.X; x < area.Max.X; x++ {
			small.SetColorIndex(x, y, index[at(x, y)])
		}
	}
	var out bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&out, small); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}
