// Where there is no function to take to a stage, nothing is done, and that is an error.
// RUN: raddle opt %s --to=laid_out
// RUN: raddle opt %s --lay-out
// RUN: raddle opt %s
// RUN: raddle build %s
// RUN: raddle run %s
// RUN: raddle run %s --all
func.func private @f()

// $ raddle opt %s --to=laid_out
// error[E0908]: the module has no function with a body
//  |
//  = note: functions are `func.func`, at the top level, in inner modules and in `hal.executable`
// [exit status 2]

// $ raddle opt %s --lay-out
// module {
//   func.func private @f()
// }
// warning[E0908]: `lay-out` found nothing to run on

// $ raddle opt %s
// module {
//   func.func private @f()
// }

// $ raddle build %s
// error[E0908]: the module has no function with a body
//  |
//  = note: functions are `func.func`, at the top level, in inner modules and in `hal.executable`
// [exit status 2]

// $ raddle run %s
// error[E0908]: the module has no function with a body
//  |
//  = note: functions are `func.func`, at the top level, in inner modules and in `hal.executable`
// [exit status 2]

// $ raddle run %s --all
// error[E0908]: the module has no function with a body
//  |
//  = note: functions are `func.func`, at the top level, in inner modules and in `hal.executable`
// [exit status 2]
