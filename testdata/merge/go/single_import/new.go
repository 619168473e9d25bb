package a

import "os"

func g() { os.Exit(1) }
