package a

import "fmt"
import "os"

func f() { fmt.Println() }

func g() { os.Exit(1) }
