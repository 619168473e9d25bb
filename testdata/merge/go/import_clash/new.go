package a

import "html/template"
