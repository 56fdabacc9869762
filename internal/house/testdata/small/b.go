package small

type inner struct{}

func (inner) hidden() {}

func product(x, y int) int {
	if x < 0 {
		return (&Box{width: -x, height: y}).Area()
	}
	return x * y
}
