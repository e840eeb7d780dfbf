// Text that a dialect would understand is kept: as it stands where nobody knows the dialect, else with one space
// where there were several and without comments. Aliases are written out; one that nobody defines would mean
// something else in print.
// RUN: raddle check %s --allow-unregistered-dialect
"t.op"() {x = #t.x<y #nowhere z>} : () -> ()

// $ raddle check %s --allow-unregistered-dialect
// error[E0103]: undefined symbol alias id 'nowhere'
//  --> verify/language/opaque_text_is_kept.mlir:5:22
//   |
// 5 | "t.op"() {x = #t.x<y #nowhere z>} : () -> ()
//   |                      ^^^^^^^^
// [exit status 1]
