package a

import "fmt"

func f() { fmt.Println() }
