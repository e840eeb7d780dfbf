//! Pictures as files: what SVG and HTML say of layouts that are not plain matrices.
#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "a test may panic, and says what it cannot check")]

use std::collections::BTreeSet;
use std::io::Write;
use std::process::{Command, Stdio};

use raddle_layout::access::{Banks, wavefronts};
use raddle_layout::f2::Matrix;
use raddle_layout::picture::{BankView, Panel, View, html, svg};
use raddle_layout::{Digit, Kind, Layout};

fn view(title: &str, layout: Layout) -> View {
    View { title: title.to_string(), names: vec![], notes: vec![], tile: vec![], layout }
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

/// What the page's script shows of two layouts and of banks, where Node.js is here to run it: the owners of each cell,
/// thick lines between tiles, and the wavefronts that the library counts.
#[test]
fn the_page_shows_what_the_layouts_say() {
    let rows = Layout::new(
        vec![4, 8],
        vec![Digit::shard(2, 2, 1, 1)],
        vec![Digit::shard(4, 2, 1, 2), Digit::shard(2, 2, 0, 1)],
        vec![Digit::shard(2, 2, 0, 2)],
    )
    .unwrap();
    let mut columns: Vec<u64> = (0..5).map(|bit| 1 << bit).collect();
    columns[3] ^= 1;
    let turned = rows.with_swizzle(&Matrix::new(5, columns).unwrap()).unwrap();
    let accesses: Vec<Vec<Option<i64>>> =
        [4, 8, 128].map(|step| (0..32).map(|lane| (lane % 5 != 4).then_some(lane * step)).collect()).to_vec();
    let banks = Banks::words(32);
    let view = BankView { title: "banks".to_string(), bytes: 8, banks: banks.clone(), accesses: accesses.clone() };
    let tiled = View { tile: vec![2, 4], ..view_of("rows", &rows) };
    let panels = [Panel::Layout(tiled), Panel::Layout(view_of("turned", &turned)), Panel::Banks(view)];
    let page = html("page", &panels).unwrap();

    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/page.js");
    let node = Command::new("node").arg(script).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    let Ok(mut node) = node else {
        eprintln!("NOT CHECKED: Node.js is not installed, and so nothing runs the page's script");
        return;
    };
    node.stdin.take().unwrap().write_all(page.as_bytes()).unwrap();
    let output = node.wait_with_output().unwrap();
    assert!(output.status.success());
    let said = String::from_utf8(output.stdout).unwrap();
    let mut lines = said.lines();
    let list = |numbers: Vec<usize>| numbers.iter().map(usize::to_string).collect::<Vec<_>>().join(" ");
    for (title, layout, other, tile) in [("rows", &rows, 0, 4), ("turned", &turned, 1, 8)] {
        let coords: Vec<[i64; 2]> = (0..32).map(|n| [n / 8, n % 8]).collect();
        let owners: Vec<_> = coords.iter().map(|at| layout.owners_of(at).next().unwrap()).collect();
        let cells: Vec<String> = owners.iter().map(|owner| format!("{}:{}", owner.lane, owner.slot)).collect();
        assert_eq!(lines.next().unwrap(), format!("cells|{title}|{}", cells.join(" ")));
        let right = (0..32).filter(|n| n % 8 != 7 && (n + 1) % tile == 0).collect();
        assert_eq!(lines.next().unwrap(), format!("lines|{title}|{}", list(right)));
        assert_eq!(lines.next().unwrap(), format!("edges|{title}|2"), "each subgroup has an edge of its own");
        let text = |layout: &Layout| {
            let owner = layout.owners_of(&coords[5]).next().unwrap();
            format!("subgroup {} lane {} slot {}", owner.subgroup, owner.lane, owner.slot)
        };
        let bright = |subgroup: i64, lane: i64, number: Option<usize>| {
            let held = |n: &usize| (owners[*n].subgroup, owners[*n].lane) == (subgroup, lane) || Some(*n) == number;
            list((0..32).filter(held).collect())
        };
        let hot = bright(owners[5].subgroup, owners[5].lane, Some(5));
        let both = format!("i 0, j 5: {}  →  {}", text(&rows), text(&turned));
        assert_eq!(lines.next().unwrap(), format!("cell 5|{title}|{both}|{hot}"), "{other}");
        let held = |layout: &Layout| {
            let coords: Vec<String> =
                (0..2).map(|slot| format!("({})", csv(&layout.coord(0, 3, slot).unwrap()))).collect();
            coords.join(" ")
        };
        let both = format!("subgroup 0, lane 3: {}  |  {}", held(&rows), held(&turned));
        assert_eq!(lines.next().unwrap(), format!("lane 3|{title}|{both}|{}", bright(0, 3, None)));
        let second = (0..32).filter(|&n: &usize| owners[n].slot == 1).collect();
        assert_eq!(lines.next().unwrap(), format!("slot 1|{title}|{}", list(second)));
    }
    for addresses in &accesses {
        // Each phase by itself, and all together.
        let mut total = 0;
        for phase in banks.phases(8, 32) {
            let only: Vec<Option<i64>> =
                (0..32).map(|lane| addresses[lane].filter(|_| phase.contains(&lane))).collect();
            let waves = wavefronts(&only, 8, &banks);
            let noun = if waves.count == 1 { "wavefront" } else { "wavefronts" };
            let expected =
                format!("banks|banks|8 bytes each; {} {noun}, {} without conflicts", waves.count, waves.ideal);
            assert_eq!(lines.next().unwrap(), expected);
            total += waves.count;
        }
        assert_eq!(total, wavefronts(addresses, 8, &banks).count);
    }
    assert_eq!(lines.next(), None);
}

fn view_of(title: &str, layout: &Layout) -> View {
    view(title, layout.clone())
}

fn csv(coord: &[i64]) -> String {
    coord.iter().map(i64::to_string).collect::<Vec<_>>().join(",")
}

/// Subgroups have bars of their own colours, and a legend names lanes, slots and subgroups.
#[test]
fn a_legend_names_the_colours() {
    let layout = Layout::new(
        vec![8, 4],
        vec![Digit::shard(2, 2, 1, 1)],
        vec![Digit::shard(2, 2, 1, 2), Digit::shard(2, 2, 0, 1)],
        vec![Digit::shard(4, 2, 0, 2)],
    );
    let drawn = svg(&[view_of("four", &layout.unwrap())]).unwrap();
    let colors = |class: &str| {
        let marks = drawn.split(class).skip(1).filter_map(|mark| mark.split("fill=\"").nth(1)?.split('"').next());
        marks.collect::<BTreeSet<_>>().len()
    };
    assert_eq!(colors("<rect class=\"e\""), 4, "{drawn}");
    for name in ["lane", "slot", "subgroup"] {
        assert!(drawn.contains(&format!(">{name}</text>")), "{name}");
    }
    // One subgroup needs no bars.
    let one = svg(&[view("one", line(4))]).unwrap();
    assert!(!one.contains("class=\"e\"") && !one.contains(">subgroup</text>"));
}

/// Thick lines run between the tiles of an instruction.
#[test]
fn tiles_have_thick_lines() {
    let layout =
        Layout::new(vec![4, 8], vec![Digit::shard(8, 2, 1, 1)], vec![Digit::shard(4, 2, 0, 1)], vec![]).unwrap();
    let lines = |tile: Vec<i64>| {
        let drawn = svg(&[View { tile, ..view_of("tiles", &layout) }]).unwrap();
        let path = drawn.split("class=\"b\" d=\"").nth(1).unwrap();
        path.split('"').next().unwrap().matches('M').count() - 1
    };
    assert_eq!(lines(vec![]), 0);
    // One line down in each row, one across in each column.
    assert_eq!(lines(vec![2, 4]), 4 + 8);
    assert_eq!(lines(vec![4, 2]), 3 * 4);
}
