package lanes

// splitmix is the generator SplitMix64 (Steele, Lea, Flood 2014): a counter
// with a mixing function, so that successive words overlap in the pipeline.
type splitmix uint64

func (s *splitmix) next() uint64 {
	*s += 0x9e3779b97f4a7c15
	z := uint64(*s)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}
