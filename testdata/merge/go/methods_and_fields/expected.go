package shop

import (
	"fmt"
	"os"
	str "strings"
)

type Cart struct {
	items []string
	owner string `json:"owner"`
}

func (c *Cart) Add(item string) {
	c.items = append(c.items, item)
}

// Len counts.
func (c Cart) Len() int {
	return len(c.items)
}

func main() {
	fmt.Println("x")
}
