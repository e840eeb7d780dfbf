util.func @c(%c: i1, %n: index) -> i3
util.global @g : i32
