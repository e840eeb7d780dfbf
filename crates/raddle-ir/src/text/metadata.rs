//! The metadata of a file: `{-# dialect_resources: {…}, external_resources: {…} #-}`.

use super::attrs::is_known_dialect;
use super::lexer::{self, Kind};
use super::parser::{Parser, Res};
use super::printer::Printer;
use crate::attrs::Attr;
use crate::ids::{AttrId, StrId};
use crate::ir::Section;

/// The owner of what `dense_resource` names.
const BUILTIN: &str = "builtin";

impl Parser<'_, '_> {
    /// `{-# section: { owner: { key: value, … }, … }, … #-}`
    pub fn metadata(&mut self) -> Res<()> {
        let open = self.bump();
        while !self.eat_kind(Kind::CloseMeta) {
            if self.tok.kind == Kind::Eof {
                let mut diag = self.expected("identifier key in file metadata dictionary, or `#-}`");
                diag.related.push((open.span(), "the metadata opens here".to_owned()));
                return Err(diag);
            }
            let tok = self.tok;
            if tok.kind == Kind::Str {
                return Err(self.expected("identifier key in file metadata dictionary"));
            }
            let name = self.resource_key()?;
            self.expect(b':')?;
            let of_dialects = self.ir[name] == *"dialect_resources";
            if !of_dialects && self.ir[name] != *"external_resources" {
                let message = format!("unknown key '{}' in file metadata dictionary", &self.ir[name]);
                return Err(self.error(tok.span(), message));
            }
            self.list(b'{', b'}', |p| {
                let at = p.tok.span();
                let owner = p.resource_key()?;
                p.expect(b':')?;
                if of_dialects && !is_known_dialect(&p.ir[owner]) {
                    return Err(p.error(at, format!("dialect '{}' is unknown", &p.ir[owner])));
                }
                p.list(b'{', b'}', |p| {
                    let at = p.tok.span();
                    let key = p.resource_key()?;
                    p.expect(b':')?;
                    let value = p.resource_value()?;
                    if of_dialects && p.ir[owner] != *BUILTIN {
                        let message = format!("unknown 'resource' key '{}' for dialect '{}'", &p.ir[key], &p.ir[owner]);
                        return Err(p.error(at, message));
                    }
                    p.ir.metadata_mut().push(Section { name, owner, key, value });
                    Ok(())
                })
            })?;
            if !self.eat(b',') && self.tok.kind != Kind::CloseMeta {
                return Err(self.expected("`,` or `#-}`"));
            }
        }
        Ok(())
    }

    /// A word or a string.
    pub fn resource_key(&mut self) -> Res<StrId> {
        let tok = self.tok;
        let key = match tok.kind {
            Kind::Word => self.text(tok).to_owned(),
            Kind::Str => lexer::unescape(self.text(tok)),
            _ => return Err(self.expected("the key of a resource")),
        };
        self.bump();
        Ok(self.ir.intern_str(&key))
    }

    fn resource_value(&mut self) -> Res<AttrId> {
        let tok = self.tok;
        let attr = match tok.kind {
            Kind::Str => {
                let text = lexer::unescape(self.text(tok));
                // Data is the same however its digits are spelled.
                let data = text.strip_prefix("0x").filter(|hex| hex.bytes().all(|b| b.is_ascii_hexdigit()));
                let text = data.map_or(text.clone(), |hex| format!("0x{}", hex.to_ascii_uppercase()));
                self.ir.str_attr(&text)
            }
            Kind::Word if matches!(self.text(tok), "true" | "false") => {
                let value = self.text(tok) == "true";
                self.ir.intern(Attr::Bool(value))
            }
            _ => return Err(self.expected("a string, `true` or `false`")),
        };
        self.bump();
        Ok(attr)
    }
}

impl Printer<'_> {
    /// The metadata behind a file; of what `dense_resource` names, the part that was printed.
    pub fn metadata(&mut self) {
        let ir = self.ir;
        let is_used = |s: &Section| {
            let builtin = ir[s.name] == *"dialect_resources" && ir[s.owner] == *BUILTIN;
            let short =
                self.options.elide_resources.is_none_or(|most| super::print_attr(ir, s.value).len() as u64 <= most);
            short && (!builtin || self.resources.contains(&s.key))
        };
        let sections: Vec<&Section> = ir.metadata().iter().filter(|section| is_used(section)).collect();
        if sections.is_empty() {
            return;
        }
        self.out.push_str("\n{-#\n");
        // The entries of one section, and of one owner in it, stand together.
        let mut names: Vec<StrId> = Vec::new();
        for section in &sections {
            if !names.contains(&section.name) {
                names.push(section.name);
            }
        }
        for (i, &name) in names.iter().enumerate() {
            self.out.push_str(if i > 0 { ",\n  " } else { "  " });
            self.resource_key(name);
            self.out.push_str(": {\n");
            let mut owners: Vec<StrId> = Vec::new();
            for section in sections.iter().filter(|section| section.name == name) {
                if !owners.contains(&section.owner) {
                    owners.push(section.owner);
                }
            }
            for (i, &owner) in owners.iter().enumerate() {
                self.out.push_str(if i > 0 { ",\n    " } else { "    " });
                self.resource_key(owner);
                self.out.push_str(": {\n");
                let entries = sections.iter().filter(|section| section.name == name && section.owner == owner);
                for (i, section) in entries.enumerate() {
                    self.out.push_str(if i > 0 { ",\n      " } else { "      " });
                    self.resource_key(section.key);
                    self.out.push_str(": ");
                    self.attr(section.value);
                }
                self.out.push_str("\n    }");
            }
            self.out.push_str("\n  }");
        }
        self.out.push_str("\n#-}\n");
    }

    /// A word where it is one, else a string.
    pub fn resource_key(&mut self, key: StrId) {
        let text = &self.ir[key];
        let tok = lexer::next(text.as_bytes(), 0);
        if tok.kind == Kind::Word && tok.end == text.len() {
            self.out.push_str(text);
        } else {
            self.escaped(text);
        }
    }
}
