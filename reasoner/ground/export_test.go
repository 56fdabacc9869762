package ground

// Large sets from when relations are rewritten for what is known where they
// are asked for, and returns a function that sets it back.
func Large(work, size float64) func() {
	w, s := largeWork, largeSize
	largeWork, largeSize = work, size
	return func() { largeWork, largeSize = w, s }
}
