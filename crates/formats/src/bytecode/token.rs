//! Tokens: one table, from which reading, writing, listing and sizes in memory follow.

/// Form of an operand in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OperandShape {
    /// `uint8`.
    U8,
    /// `uint16`.
    U16,
    /// `int32`.
    I32,
    /// `int64`.
    I64,
    /// `uint64`.
    U64,
    /// `float`.
    F32,
    /// `double`.
    F64,
    /// Given number of `float` values, or of `double` since 5.0.
    Reals(u8),
    /// Given number of `float` values.
    Floats(u8),
    /// Bytes up to a NUL.
    Ansi,
    /// UTF-16 units up to a zero.
    Wide,
    /// Name (`FScriptName`).
    Name,
    /// Reference to an object.
    Object,
    /// Reference to a property: an object before 4.25, a path since.
    Property,
    /// Offset in the script, in memory.
    Target,
    /// Length of an expression, in memory.
    Length,
    /// Nested expression.
    Expression,
    /// Expressions up to a token, including it.
    Until(Token),
    /// Property assigned to (since 4.9).
    Assigned,
    /// Kind of a context's property (before 4.9).
    ContextKind,
    /// Array: an expression, or a property in the oldest packages.
    Array,
    /// Text: its kind, then the operands of that kind.
    Text,
    /// Cases, as many as counted before: value, offset of the next case, result.
    Cases,
    /// Name, if the byte before is 4.
    InlineName,
}

/// Name of a token: that of its variant, unless that would not be a Rust name.
macro_rules! word {
    ($name:ident) => {
        stringify!($name)
    };
    ($name:ident $word:literal) => {
        $word
    };
}

macro_rules! tokens {
    ($($(#[$doc:meta])* $byte:literal $name:ident $(as $word:literal)? [$($shape:expr),*];)*) => {
        /// First byte of an expression (`EExprToken`).
        #[doc(alias = "EExprToken")]
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[repr(u8)]
        pub enum Token {
            $($(#[$doc])* $name = $byte,)*
        }

        impl Token {
            /// All tokens, in numeric order.
            pub const ALL: &[Self] = &[$(Self::$name),*];

            /// Returns the name without `EX_`.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$name => word!($name $($word)?),)* }
            }

            /// Finds a token by its name.
            #[must_use]
            pub fn from_name(name: &str) -> Option<Self> {
                match name {
                    $(word!($name $($word)?) => Some(Self::$name),)*
                    _ => None,
                }
            }

            /// Returns the operands in file order.
            #[must_use]
            pub const fn operands(self) -> &'static [OperandShape] {
                use OperandShape::*;
                match self { $(Self::$name => const { &[$($shape),*] },)* }
            }
        }

        const BY_BYTE: [Option<Token>; 256] = {
            let mut table = [None; 256];
            $(table[$byte] = Some(Token::$name);)*
            table
        };
    };
}

tokens! {
    /// Variable of the function.
    0x00 LocalVariable [Property];
    /// Variable of the object.
    0x01 InstanceVariable [Property];
    /// Variable of a default object.
    0x02 DefaultVariable [Property];
    /// Ends the function, with a value.
    0x04 Return [Expression];
    /// Jumps.
    0x06 Jump [Target];
    /// Jumps if a condition is false.
    0x07 JumpIfNot [Target, Expression];
    /// Stops if a condition is false: line, debug flag, condition.
    0x09 Assert [U16, U8, Expression];
    /// Does nothing.
    0x0B Nothing [];
    /// Does nothing, with a number.
    0x0C NothingInt32 [I32];
    /// Assigns a value.
    0x0F Let [Assigned, Expression, Expression];
    /// Bit of a bit field (5.4).
    0x11 BitFieldConst [Property, U8];
    /// Expression in the context of a class.
    0x12 ClassContext [Expression, Length, Property, ContextKind, Expression];
    /// Casts a class.
    0x13 MetaCast [Object, Expression];
    /// Assigns a truth value.
    0x14 LetBool [Expression, Expression];
    /// Ends the value of a default parameter.
    0x15 EndParmValue [];
    /// Ends the arguments of a call.
    0x16 EndFunctionParms [];
    /// The object itself.
    0x17 This as "Self" [];
    /// Skips an optional argument.
    0x18 Skip [Target, Expression];
    /// Expression in the context of another object.
    0x19 Context [Expression, Length, Property, ContextKind, Expression];
    /// Expression in the context of another object, without a warning if there is none.
    0x1A ContextFailSilent as "Context_FailSilent" [Expression, Length, Property, ContextKind, Expression];
    /// Calls a function by name.
    0x1B VirtualFunction [Name, Until(Token::EndFunctionParms)];
    /// Calls a function by reference.
    0x1C FinalFunction [Object, Until(Token::EndFunctionParms)];
    /// `int32`.
    0x1D IntConst [I32];
    /// `float`.
    0x1E FloatConst [F32];
    /// String of single bytes.
    0x1F StringConst [Ansi];
    /// Object.
    0x20 ObjectConst [Object];
    /// Name.
    0x21 NameConst [Name];
    /// Rotator: pitch, yaw, roll.
    0x22 RotationConst [Reals(3)];
    /// Vector.
    0x23 VectorConst [Reals(3)];
    /// Byte.
    0x24 ByteConst [U8];
    /// 0.
    0x25 IntZero [];
    /// 1.
    0x26 IntOne [];
    /// True.
    0x27 True [];
    /// False.
    0x28 False [];
    /// Text.
    0x29 TextConst [Text];
    /// Null object.
    0x2A NoObject [];
    /// Transform: quaternion, translation, scale.
    0x2B TransformConst [Reals(10)];
    /// `int32` stored as a byte.
    0x2C IntConstByte [U8];
    /// Null interface.
    0x2D NoInterface [];
    /// Casts an object to a class.
    0x2E DynamicCast [Object, Expression];
    /// Struct: its size in memory, then a value for each member.
    0x2F StructConst [Object, I32, Until(Token::EndStructConst)];
    /// Ends a struct.
    0x30 EndStructConst [];
    /// Fills an array.
    0x31 SetArray [Array, Until(Token::EndArray)];
    /// Ends the elements of an array.
    0x32 EndArray [];
    /// Property as a value.
    0x33 PropertyConst [Property];
    /// String of UTF-16 units.
    0x34 UnicodeStringConst [Wide];
    /// `int64`.
    0x35 Int64Const [I64];
    /// `uint64`.
    0x36 UInt64Const [U64];
    /// `double`.
    0x37 DoubleConst [F64];
    /// Casts a value.
    0x38 Cast [U8, Expression];
    /// Fills a set: number of elements, then the elements.
    0x39 SetSet [Expression, I32, Until(Token::EndSet)];
    /// Ends the elements of a set.
    0x3A EndSet [];
    /// Fills a map: number of pairs, then the pairs.
    0x3B SetMap [Expression, I32, Until(Token::EndMap)];
    /// Ends the pairs of a map.
    0x3C EndMap [];
    /// Set.
    0x3D SetConst [Property, I32, Until(Token::EndSetConst)];
    /// Ends a set.
    0x3E EndSetConst [];
    /// Map.
    0x3F MapConst [Property, Property, I32, Until(Token::EndMapConst)];
    /// Ends a map.
    0x40 EndMapConst [];
    /// Vector of single precision.
    0x41 Vector3fConst [Floats(3)];
    /// Member of a struct.
    0x42 StructMemberContext [Property, Expression];
    /// Assigns a dispatcher.
    0x43 LetMulticastDelegate [Expression, Expression];
    /// Assigns a delegate.
    0x44 LetDelegate [Expression, Expression];
    /// Calls a function of the object by name (4.22).
    0x45 LocalVirtualFunction [Name, Until(Token::EndFunctionParms)];
    /// Calls a function of the object by reference (4.22).
    0x46 LocalFinalFunction [Object, Until(Token::EndFunctionParms)];
    /// Output of the function.
    0x48 LocalOutVariable [Property];
    /// Unused.
    0x4A DeprecatedOp4A [];
    /// Delegate of a function of the object.
    0x4B InstanceDelegate [Name];
    /// Pushes an offset on the flow stack.
    0x4C PushExecutionFlow [Target];
    /// Jumps to the offset popped from the flow stack.
    0x4D PopExecutionFlow [];
    /// Jumps to a computed offset.
    0x4E ComputedJump [Expression];
    /// Jumps to the offset popped from the flow stack if a condition is false.
    0x4F PopExecutionFlowIfNot [Expression];
    /// Stops a debugger.
    0x50 Breakpoint [];
    /// Object as an interface.
    0x51 InterfaceContext [Expression];
    /// Casts an object to an interface.
    0x52 ObjToInterfaceCast [Object, Expression];
    /// Ends the script.
    0x53 EndOfScript [];
    /// Casts an interface to another.
    0x54 CrossInterfaceCast [Object, Expression];
    /// Casts an interface to an object.
    0x55 InterfaceToObjCast [Object, Expression];
    /// Reports the wire to a debugger.
    0x5A WireTracepoint [];
    /// Offset in the script as a number.
    0x5B SkipOffsetConst [Target];
    /// Adds a delegate to a dispatcher.
    0x5C AddMulticastDelegate [Expression, Expression];
    /// Empties a dispatcher.
    0x5D ClearMulticastDelegate [Expression];
    /// Reports the node to a debugger.
    0x5E Tracepoint [];
    /// Assigns an object.
    0x5F LetObj [Expression, Expression];
    /// Assigns a weak reference.
    0x60 LetWeakObjPtr [Expression, Expression];
    /// Binds a function of an object to a delegate.
    0x61 BindDelegate [Name, Expression, Expression];
    /// Removes a delegate from a dispatcher.
    0x62 RemoveMulticastDelegate [Expression, Expression];
    /// Calls everything bound to a dispatcher.
    0x63 CallMulticastDelegate [Object, Expression, Until(Token::EndFunctionParms)];
    /// Assigns a variable of the event graph.
    0x64 LetValueOnPersistentFrame [Property, Expression];
    /// Array.
    0x65 ArrayConst [Property, I32, Until(Token::EndArrayConst)];
    /// Ends an array.
    0x66 EndArrayConst [];
    /// Soft reference.
    0x67 SoftObjectConst [Expression];
    /// Calls a static function.
    0x68 CallMath [Object, Until(Token::EndFunctionParms)];
    /// Choice of several values by an index: number of cases, offset after it, index, cases, default.
    0x69 SwitchValue [U16, Target, Expression, Cases, Expression];
    /// Reports the position to a profiler.
    0x6A InstrumentationEvent [U8, InlineName];
    /// Element of an array.
    0x6B ArrayGetByRef [Expression, Expression];
    /// Variable of the class.
    0x6C ClassSparseDataVariable [Property];
    /// Field path.
    0x6D FieldPathConst [Expression];
    /// Begins a transaction (5.3).
    0x70 AutoRtfmTransact [I32, Target, Until(Token::AutoRtfmStopTransact)];
    /// Ends a transaction.
    0x71 AutoRtfmStopTransact [I32, U8];
    /// Aborts a transaction if a condition is false.
    0x72 AutoRtfmAbortIfNot [];
    /// Aborts a transaction.
    0x73 AutoRtfmAbort [];
}

impl Token {
    /// Returns the token of a byte; `None` for unknown bytes.
    #[must_use]
    #[expect(clippy::indexing_slicing, reason = "the table has an entry for each byte")]
    pub const fn from_byte(byte: u8) -> Option<Self> {
        BY_BYTE[byte as usize]
    }

    /// Returns the byte.
    #[must_use]
    pub const fn byte(self) -> u8 {
        self as u8
    }

    /// Returns true for tokens only used by debuggers and profilers; cooking removes most of them.
    #[must_use]
    pub const fn is_instrumentation(self) -> bool {
        matches!(
            self,
            Self::WireTracepoint | Self::Tracepoint | Self::InstrumentationEvent | Self::Breakpoint
        )
    }

    /// Returns true for calls of functions, by reference or by name.
    #[must_use]
    pub const fn is_call(self) -> bool {
        matches!(
            self,
            Self::FinalFunction
                | Self::LocalFinalFunction
                | Self::VirtualFunction
                | Self::LocalVirtualFunction
                | Self::CallMath
                | Self::CallMulticastDelegate
        )
    }

    /// Returns true for tokens that end a list.
    #[must_use]
    pub const fn is_end(self) -> bool {
        matches!(
            self,
            Self::EndFunctionParms
                | Self::EndStructConst
                | Self::EndArray
                | Self::EndSet
                | Self::EndMap
                | Self::EndSetConst
                | Self::EndMapConst
                | Self::EndArrayConst
                | Self::AutoRtfmStopTransact
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_and_tokens_are_two_sides_of_one_table() {
        for token in Token::ALL {
            assert_eq!(Token::from_byte(token.byte()), Some(*token));
            assert_eq!(Token::from_name(token.name()), Some(*token));
        }
        assert_eq!(Token::ALL.len(), (0..=255).filter_map(Token::from_byte).count());
        let strangers =
            [0x03, 0x05, 0x08, 0x0A, 0x0D, 0x0E, 0x10, 0x47, 0x49, 0x56, 0x59, 0x6E, 0x6F, 0x74, 0xFF];
        assert!(strangers.iter().all(|byte| Token::from_byte(*byte).is_none()));
    }

    #[test]
    fn every_list_ends_with_a_token_that_ends_lists() {
        let ends = |token: &Token| {
            token.operands().iter().filter_map(|shape| match shape {
                OperandShape::Until(end) => Some(*end),
                _ => None,
            })
        };
        let ends: Vec<Token> = Token::ALL.iter().flat_map(ends).collect();
        assert!(ends.len() > 10 && ends.iter().all(|end| end.is_end()));
    }
}
