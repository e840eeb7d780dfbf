//! Reading layouts: nested ones, and those in other spellings that have a nested form.

use raddle_layout::cute::{Cute, CuteError, Order};
use raddle_layout::linear::Linear;
use raddle_layout::{Layout, Nested};

use super::lexer::{self, Kind, Token};
use super::parser::{Parser, Res};
use crate::attrs::Attr;
use crate::codes::Code;
use crate::diag::{Diag, Span};
use crate::ids::AttrId;

/// The lists of a nested layout, in order.
pub(crate) const LAYOUT_FIELDS: [&str; 7] =
    ["subgroup_tile", "batch_tile", "outer_tile", "thread_tile", "element_tile", "subgroup_strides", "thread_strides"];

impl Parser<'_, '_> {
    pub(super) fn nested_layout(&mut self, tok: Token) -> Res<AttrId> {
        self.expect(b'<')?;
        let mut lists: [Vec<i64>; 7] = Default::default();
        for (i, field) in LAYOUT_FIELDS.iter().enumerate() {
            if i > 0 {
                self.expect(b',')?;
            }
            self.expect_word(field)?;
            self.expect(b'=')?;
            lists[i] = self.list(b'[', b']', |p| p.int("an integer"))?;
        }
        let end = self.expect(b'>')?.end;
        let [subgroup, batch, outer, thread, element, subgroup_strides, thread_strides] = lists;
        let nested = Nested::new(subgroup, batch, outer, thread, element, subgroup_strides, thread_strides);
        let span = Span::new(tok.start, end);
        let nested = nested.map_err(|err| Box::new(Diag::error(Code::BadLayout, span, err.to_string())))?;
        Ok(self.ir.intern(Attr::Layout(nested.into())))
    }

    /// `#raddle.cute<"((4,8),(2,2)):((32,1),(16,8))", [16, 8]>`, from lanes, slots and subgroups to the numbers of the
    /// elements of a value with these extents, its first dimension fastest as in CuTe; or
    /// `#raddle.linear<"slot = [(0, 1)], lane = [(1, 0)] -> i 2 x j 2">`. Either is the nested layout that has the same
    /// owners; the order in which a lane's registers hold what it owns is not a part of an anchor.
    pub(super) fn spelled_layout(&mut self, is_cute: bool) -> Res<AttrId> {
        self.expect(b'<')?;
        let tok = self.tok;
        if tok.kind != Kind::Str {
            return Err(self.expected("a layout in quotes"));
        }
        self.bump();
        let text = lexer::unescape(self.text(tok));
        let layout = if is_cute {
            self.expect(b',')?;
            let shape = self.list(b'[', b']', |p| p.int("an extent"))?;
            of_cute(&text, &shape)
        } else {
            let linear: Result<Linear, _> = text.parse();
            linear.and_then(|linear| linear.to_layout()).map_err(|error| error.to_string())
        };
        self.expect(b'>')?;
        let bad = |message: String| Diag::error(Code::BadLayout, tok.span(), message);
        let layout = layout.map_err(|why| Box::new(bad(format!("this is not a layout: {why}"))))?;
        let (nested, _) = layout.to_nested().map_err(|error| {
            let order = "elements that lie side by side in a lane, then lanes, then up to two further counts of elements, then subgroups";
            Box::new(
                bad(format!("an anchor is a nested layout, and this has no such form: {error}"))
                    .note(format!("along each dimension a nested layout has, from neighbours on, {order}")),
            )
        })?;
        Ok(self.ir.intern(Attr::Layout(nested.into())))
    }
}

fn of_cute(text: &str, shape: &[i64]) -> Result<Layout, String> {
    let cute: Cute = text.parse().map_err(|error: CuteError| error.to_string())?;
    let modes = cute.modes().len();
    if !(2..=3).contains(&modes) {
        return Err(format!(
            "it has {modes} modes, not one for lanes, one for slots and, if need be, one for subgroups"
        ));
    }
    cute.to_layout(shape, Order::ColumnMajor).map_err(|error| error.to_string())
}
