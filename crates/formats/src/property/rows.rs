//! The types of values, one row each.

/// Passes the rows to a macro. `Value`, `Plain` and all operations on values are generated from them, so a
/// missing row or a missing part of a description does not compile.
///
/// ```text
/// Variant(contents) "more names in documents" = its description [types of properties read as it, each with its names]
/// ```
///
/// Of several names of a property type, the one to write comes first.
macro_rules! value_types {
    ($expand:ident) => {
        $expand! {
            /// One byte; in a tagged list a member has none, as its tag holds the value.
            Bool(bool) = boolean::BoolValue [Bool "Bool"];
            /// Four bytes.
            Bool32(bool) = boolean::Bool32Value [];
            /// `int8`.
            Int8(i8) = number::Int8Value [Int8 "Int8"];
            /// `int16`.
            Int16(i16) = number::Int16Value [Int16 "Int16"];
            /// `int32`.
            Int(i32) = number::IntValue [Int "Int"];
            /// `int64`.
            Int64(i64) = number::Int64Value [Int64 "Int64"];
            /// `uint8`.
            Byte(u8) = number::ByteValue [];
            /// `uint16`.
            UInt16(u16) = number::UInt16Value [UInt16 "UInt16"];
            /// `uint32`.
            UInt32(u32) = number::UInt32Value [UInt32 "UInt32"];
            /// `uint64`.
            UInt64(u64) = number::UInt64Value [UInt64 "UInt64"];
            /// `float`.
            Float(f32) = number::FloatValue [Float "Float"];
            /// `double`.
            Double(f64) = number::DoubleValue [Double "Double"];
            /// `FName`.
            Name(Name) = name::NameValue [Name "Name"];
            /// An enum value, stored as a name.
            Enum(Name) = name::EnumNameValue [];
            /// An enum value, stored as a number.
            Enumerator(Enumerator) = enumerator::EnumeratorValue [];
            /// `FString`.
            Str(Box<WireString>) = string::StrValue [Str "Str"];
            /// `FUtf8String`: a count of bytes, then UTF-8.
            Utf8(Box<str>) = string::Utf8Value [Utf8 "Utf8Str" "VerseString"];
            /// `FAnsiString`: a count of bytes, then these.
            Ansi(Box<[u8]>) = string::AnsiValue [Ansi "AnsiStr"];
            /// `FText`.
            Text(Box<Text>) = text::TextValue [Text "Text"];
            /// A reference to an object.
            Object(PackageIndex) = object::ObjectValue [
                Object "Object" "ObjectPtr" "VerseDynamic",
                Class "Class" "ClassPtr" "VerseClass",
                WeakObject "WeakObject",
                Interface "Interface"
            ];
            /// `FGuid`, or what refers to an object by one.
            Guid(Guid) = object::GuidValue [Lazy "LazyObject"];
            /// `FSoftObjectPath`.
            SoftPath(Box<SoftPath>) = soft_path::SoftPathValue [
                AssetObject "AssetObject" "AssetClass" "AssetSubclassOf",
                SoftObject "SoftObject" "Reference",
                SoftClass "SoftClass"
            ];
            /// `FScriptDelegate`.
            Delegate(Delegate) = delegate::DelegateValue [Delegate "Delegate" "VerseFunction"];
            /// `FMulticastScriptDelegate`.
            Multicast(Vec<Delegate>) = delegate::MulticastValue [
                Multicast "MulticastDelegate",
                MulticastInline "MulticastInlineDelegate",
                MulticastSparse "MulticastSparseDelegate"
            ];
            /// `FFieldPath`.
            FieldPath(Box<FieldPath>) = field_path::FieldPathValue [FieldPath "FieldPath"];
            /// A count, then values.
            Array(Vec<Self>) = list::ArrayValue [];
            /// An array of structs with an inner tag, as packages before 5.4 have it.
            TaggedArray(Box<TaggedArray>) = list::TaggedArrayValue [];
            /// A count, then bytes.
            Bytes(Box<[u8]>) = bytes::BytesValue [];
            /// Values without order.
            Set(Box<Set>) = list::SetValue [];
            /// Values by key.
            Map(Box<Map>) = map::MapValue [];
            /// Four bytes, 0 or 1; then the value, if it is 1.
            Optional(Option<Box<Self>>) = wrapped::OptionalValue [];
            /// A struct.
            Struct(Box<Struct>) "Native" "Empty" = structure::StructValue [];
            /// A byte count, then a value of exactly that size.
            Sized(Box<Self>) = wrapped::SizedValue [];
            /// Bytes of a length known from the type, such as a filler.
            Fixed(Box<[u8]>) = bytes::FixedValue [];
            /// Bytes that are not understood.
            Raw(Box<Raw>) = bytes::RawValue [];
        }
    };
}

pub(super) use value_types;
