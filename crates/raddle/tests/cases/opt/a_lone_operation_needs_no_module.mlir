// A lone operation needs no module.
// RUN: raddle opt %s --no-implicit-module
func.func private @f()

// $ raddle opt %s --no-implicit-module
// func.func private @f()
