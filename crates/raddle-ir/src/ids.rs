//! Dense ids: every part of the IR is named by a `u32`, and side tables are vectors keyed by it.

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub(crate) u32);

        impl $name {
            /// The position in a side table.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, concat!(stringify!($name), "({})"), self.0)
            }
        }
    )*};
}

ids! {
    /// An operation.
    OpId
    /// A result of an operation or an argument of a block.
    ValueId
    /// A list of operations.
    BlockId
    /// A list of blocks.
    RegionId
    /// An interned type.
    TypeId
    /// An interned attribute.
    AttrId
    /// An interned string.
    StrId
}
