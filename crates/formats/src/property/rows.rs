//! The types of values: a row for each.

/// Hands the rows to a macro: [`Value`](super::Value), [`Plain`](super::Plain) and all that is done with a value are made of them,
/// so a type that is in no row does not exist, and one without some part does not compile.
///
/// ```text
/// Variant(what it holds) "more names in documents" = its description { the types of properties read as it: their names; }
/// ```
///
/// Of several names of a type of properties, the usual one comes first.
macro_rules! value_types {
    ($expand:ident) => {
        $expand! {
            /// One byte, or nothing at all where a tag says it.
            Bool(bool) = BoolValue {
                /// `BoolProperty`.
                Bool: "Bool";
            }
            /// Four bytes.
            Bool32(bool) = Bool32Value {}
            /// `int8`.
            Int8(i8) = Int8Value {
                /// `Int8Property`.
                Int8: "Int8";
            }
            /// `int16`.
            Int16(i16) = Int16Value {
                /// `Int16Property`.
                Int16: "Int16";
            }
            /// `int32`.
            Int(i32) = IntValue {
                /// `IntProperty`.
                Int: "Int";
            }
            /// `int64`.
            Int64(i64) = Int64Value {
                /// `Int64Property`.
                Int64: "Int64";
            }
            /// `uint8`.
            Byte(u8) = ByteValue {}
            /// `uint16`.
            UInt16(u16) = UInt16Value {
                /// `UInt16Property`.
                UInt16: "UInt16";
            }
            /// `uint32`.
            UInt32(u32) = UInt32Value {
                /// `UInt32Property`.
                UInt32: "UInt32";
            }
            /// `uint64`.
            UInt64(u64) = UInt64Value {
                /// `UInt64Property`.
                UInt64: "UInt64";
            }
            /// `float`.
            Float(f32) = FloatValue {
                /// `FloatProperty`.
                Float: "Float";
            }
            /// `double`.
            Double(f64) = DoubleValue {
                /// `DoubleProperty`.
                Double: "Double";
            }
            /// `FName`.
            Name(Name) = NameValue {
                /// `NameProperty`.
                Name: "Name";
            }
            /// A value of an enum, by its name.
            Enum(Name) = EnumValueName {}
            /// A value of an enum, by its number.
            Enumerator(Enumerator) = EnumeratorValue {}
            /// `FString`.
            Str(Box<WireString>) = StrValue {
                /// `StrProperty`.
                Str: "Str";
            }
            /// `FUtf8String`: a count of bytes, then UTF-8.
            Utf8(Box<str>) = Utf8Value {
                /// `Utf8StrProperty`.
                Utf8: "Utf8Str" | "VerseString";
            }
            /// `FAnsiString`: a count of bytes, then these.
            Ansi(Box<[u8]>) = AnsiValue {
                /// `AnsiStrProperty`.
                Ansi: "AnsiStr";
            }
            /// `FText`.
            Text(Box<Text>) = TextValue {
                /// `TextProperty`.
                Text: "Text";
            }
            /// A reference to an object.
            Object(PackageIndex) = ObjectValue {
                /// `ObjectProperty`.
                Object: "Object" | "ObjectPtr" | "VerseDynamic";
                /// `ClassProperty`, written like an object.
                Class: "Class" | "ClassPtr" | "VerseClass";
                /// `WeakObjectProperty`, written like an object.
                WeakObject: "WeakObject";
                /// `InterfaceProperty`, written like an object.
                Interface: "Interface";
            }
            /// `FGuid`, or what refers to an object by one.
            Guid(Guid) = GuidValue {
                /// `LazyObjectProperty`.
                Lazy: "LazyObject";
            }
            /// `FSoftObjectPath`.
            SoftPath(Box<SoftPath>) = SoftPathValue {
                /// `AssetObjectProperty`: a soft path by an older name.
                AssetObject: "AssetObject" | "AssetClass" | "AssetSubclassOf";
                /// `SoftObjectProperty`.
                SoftObject: "SoftObject" | "Reference";
                /// `SoftClassProperty`.
                SoftClass: "SoftClass";
            }
            /// `FScriptDelegate`.
            Delegate(Delegate) = DelegateValue {
                /// `DelegateProperty`.
                Delegate: "Delegate" | "VerseFunction";
            }
            /// `FMulticastScriptDelegate`.
            Multicast(Vec<Delegate>) = MulticastValue {
                /// `MulticastDelegateProperty`.
                Multicast: "MulticastDelegate";
                /// `MulticastInlineDelegateProperty`.
                MulticastInline: "MulticastInlineDelegate";
                /// `MulticastSparseDelegateProperty`.
                MulticastSparse: "MulticastSparseDelegate";
            }
            /// `FFieldPath`.
            FieldPath(Box<FieldPath>) = FieldPathValue {
                /// `FieldPathProperty`.
                FieldPath: "FieldPath";
            }
            /// A count, then values.
            Array(Vec<Self>) = ArrayValue {}
            /// An array of structs, with the tag inside it that old packages have.
            TaggedArray(Box<TaggedArray>) = TaggedArrayValue {}
            /// A count, then bytes.
            Bytes(Box<[u8]>) = BytesValue {}
            /// Values without order.
            Set(Box<Set>) = SetValue {}
            /// Values by key.
            Map(Box<Map>) = MapValue {}
            /// Four bytes that say whether there is a value, then the value.
            Optional(Option<Box<Self>>) = OptionalValue {}
            /// A struct.
            Struct(Box<Struct>) "Native" "Empty" = StructValue {}
            /// A count of bytes, then a value that takes up all of them.
            Sized(Box<Self>) = SizedValue {}
            /// Bytes whose number follows from elsewhere, such as a filler.
            Fixed(Box<[u8]>) = FixedValue {}
            /// Bytes that were not understood.
            Raw(Box<Raw>) = RawValue {}
        }
    };
}

pub(super) use value_types;
