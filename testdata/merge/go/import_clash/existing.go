package a

import "text/template"
