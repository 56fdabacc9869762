package small

// Square only uses the others.
func Square(x int) int { return product(x, x) }
