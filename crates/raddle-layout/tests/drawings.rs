//! Pictures as files: what SVG and HTML say of layouts that are not plain matrices.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use raddle_layout::access::Banks;
use raddle_layout::picture::{BankView, Panel, View, html, svg};
use raddle_layout::{Digit, Kind, Layout};

fn view(title: &str, layout: Layout) -> View {
    View { title: title.to_string(), names: vec![], notes: vec![], layout }
}

fn line(extent: i64) -> Layout {
    Layout::new(vec![extent], vec![], vec![Digit::shard(extent, 1, 0, 1)], vec![]).unwrap()
}

/// Outer dimensions are pages, each element is drawn once, and its coordinate is whole.
#[test]
fn outer_dimensions_are_pages() {
    let layout = Layout::new(
        vec![2, 3, 4],
        vec![Digit::shard(4, 3, 2, 1), Digit::shard(2, 3, 0, 1)],
        vec![Digit::shard(3, 3, 1, 1)],
        vec![],
    );
    let drawn = svg(&[view("pages", layout.unwrap())]).unwrap();
    assert!(drawn.contains(">i = 0</text>") && drawn.contains(">i = 1</text>") && !drawn.contains(">i = 2</text>"));
    assert_eq!(drawn.matches("<g data-lane").count(), 24);
    assert!(drawn.contains("data-lane=\"2\" data-slot=\"7\" data-subgroup=\"0\" data-at=\"1,2,3\""));
}

/// Replicas are listed and marked; what nobody holds is said to be held by nothing.
#[test]
fn replicas_and_holes_are_said() {
    let twice =
        Layout::new(vec![2], vec![], vec![Digit::shard(2, 1, 0, 1), Digit::still(2, 1, Kind::Replicate)], vec![]);
    let drawn = svg(&[view("twice", twice.unwrap())]).unwrap();
    assert!(drawn.contains("<title>i 1: subgroup 0 lane 1 slot 0, subgroup 0 lane 3 slot 0</title>"));
    assert!(drawn.contains(":0*</tspan>"));
    let holes = Layout::new(vec![4], vec![], vec![Digit::shard(2, 1, 0, 2)], vec![]);
    let drawn = svg(&[view("holes", holes.unwrap())]).unwrap();
    assert!(drawn.contains("<title>i 1: nothing holds it</title>"));
    let one = Layout::new(vec![], vec![], vec![], vec![]);
    assert_eq!(svg(&[view("one", one.unwrap())]).unwrap().matches("<g data-lane").count(), 1);
}

/// Titles are text, in SVG and in HTML.
#[test]
fn titles_are_escaped() {
    let title = "a <b> & \"c\" </script>";
    let drawn = svg(&[view(title, line(2))]).unwrap();
    assert!(drawn.contains("a &lt;b&gt; &amp; &quot;c&quot; &lt;/script&gt;"));
    let page = html(title, &[Panel::Layout(view(title, line(2)))]).unwrap();
    assert_eq!(page.matches("</script>").count(), 2, "the data's end and the script's");
    assert!(page.contains("\"title\":\"a \\u003cb> & \\\"c\\\" \\u003c/script>\""));
}

/// The page carries digits, so that it is as small for 2^16 elements as for two; larger ones are refused.
#[test]
fn pages_do_not_grow() {
    let large =
        Layout::new(vec![1 << 16], vec![Digit::shard(1 << 10, 1, 0, 1 << 6)], vec![Digit::shard(64, 1, 0, 1)], vec![]);
    let page = html("large", &[Panel::Layout(view("large", large.unwrap()))]).unwrap();
    assert!(page.len() < 20_000, "{}", page.len());
    let larger = view("larger", line(1 << 17));
    assert_eq!(html("larger", &[Panel::Layout(larger.clone())]).unwrap_err().most, 1 << 16);
    assert!(svg(&[larger]).is_err());
}

/// Banks carry addresses and phases; lanes that do nothing have none.
#[test]
fn banks_carry_addresses_and_phases() {
    let accesses = vec![vec![Some(0), None, Some(128), Some(4)]];
    let banks = BankView { title: "banks".to_string(), bytes: 4, banks: Banks::words(32), accesses };
    let page = html("banks", &[Panel::Banks(banks)]).unwrap();
    assert!(page.contains("\"phases\":[[0, 1, 2, 3]],\"accesses\":[[0,null,128,4]]"));
}
