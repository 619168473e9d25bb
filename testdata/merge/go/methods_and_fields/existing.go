package shop

import (
	"fmt"
)

type Cart struct {
	items []string
}

func (c *Cart) Add(item string) {
	c.items = append(c.items, item)
}

func main() {
	fmt.Println("x")
}
