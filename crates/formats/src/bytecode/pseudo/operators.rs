//! Engine library functions that read better as operators, conversions and methods.

use super::code::Code;

/// Libraries whose functions are known by their nodes, so that the name of the library adds nothing.
const LIBRARIES: [&str; 22] = [
    "KismetMathLibrary",
    "KismetSystemLibrary",
    "KismetStringLibrary",
    "KismetTextLibrary",
    "KismetArrayLibrary",
    "KismetInputLibrary",
    "KismetMaterialLibrary",
    "KismetRenderingLibrary",
    "KismetInternationalizationLibrary",
    "KismetGuidLibrary",
    "KismetNodeHelperLibrary",
    "KismetStringTableLibrary",
    "BlueprintMapLibrary",
    "BlueprintSetLibrary",
    "BlueprintPathsLibrary",
    "GameplayStatics",
    "SlateBlueprintLibrary",
    "WidgetBlueprintLibrary",
    "WidgetLayoutLibrary",
    "BlueprintGameplayTagLibrary",
    "AIBlueprintHelperLibrary",
    "NavigationSystemV1",
];

/// Libraries whose functions only compute values, with few exceptions.
const PURE: [&str; 5] = [
    "KismetMathLibrary",
    "KismetStringLibrary",
    "KismetTextLibrary",
    "KismetInputLibrary",
    "KismetGuidLibrary",
];

/// Prefixes of the exceptions.
const IMPURE: [&str; 4] = ["Random", "SetRandom", "SeedRandom", "Vector_Set"];

/// Operators, by the part of the function name before the underscore.
const OPERATORS: [(&str, &str); 17] = [
    ("Add", "+"),
    ("Subtract", "-"),
    ("Multiply", "*"),
    ("Divide", "/"),
    ("Percent", "%"),
    ("Less", "<"),
    ("LessEqual", "<="),
    ("Greater", ">"),
    ("GreaterEqual", ">="),
    ("EqualEqual", "=="),
    ("NotEqual", "!="),
    ("EqualExactly", "=="),
    ("NotEqualExactly", "!="),
    ("And", "&"),
    ("Or", "|"),
    ("Xor", "^"),
    ("Concat", "+"),
];

/// Translates a call of a static function.
pub(super) fn call(class: &str, function: &str, mut arguments: Vec<Code>) -> Code {
    let is_pure = is_pure(class, function);
    let known = LIBRARIES.contains(&class);
    if known && let Some(code) = operator(function, &mut arguments) {
        return code;
    }
    // Container functions take the container first, as a method does.
    if let Some(method) = method(class, function)
        && !arguments.is_empty()
    {
        let object = arguments.remove(0);
        if method == "Length" && arguments.is_empty() {
            return object.member(method);
        }
        return Code::call(object.member(method), arguments, is_pure);
    }
    let name = if known { function.to_owned() } else { format!("{class}::{function}") };
    Code::call(Code::Word(name), arguments, is_pure)
}

/// Returns true if a static function only computes a value, as far as its name shows.
fn is_pure(class: &str, function: &str) -> bool {
    let in_pure = PURE.contains(&class) && !IMPURE.iter().any(|prefix| function.starts_with(prefix));
    let reads = ["Array_Length", "Array_Contains", "Array_Find", "Array_LastIndex", "Array_IsEmpty"];
    let reads_more =
        ["Array_IsValidIndex", "Map_Length", "Map_Contains", "Set_Length", "Set_Contains", "IsValid"];
    in_pure || reads.contains(&function) || reads_more.contains(&function)
}

fn operator(function: &str, arguments: &mut Vec<Code>) -> Option<Code> {
    match (function, arguments.len()) {
        ("BooleanAND", 2) => binary("&&", arguments),
        ("BooleanOR", 2) => binary("||", arguments),
        // For truth values, exclusive or is inequality.
        ("BooleanXOR", 2) => binary("!=", arguments),
        ("Not_PreBool", 1) => Some(arguments.pop()?.into_condition().negated()),
        ("Not_Int" | "Not_Int64", 1) => Some(Code::Prefix("~", Box::new(arguments.pop()?))),
        // Library functions named `Select…` take both values, then the condition.
        (_, 3) if function.starts_with("Select") && !function.contains('_') => {
            let condition = arguments.pop()?.into_condition();
            let no = arguments.pop()?;
            let yes = arguments.pop()?;
            Some(Code::Choice(Box::new(condition), Box::new(yes), Box::new(no)))
        }
        (_, 1) => {
            // Conversions are named `Conv_AToB`.
            let (_, to) = function.strip_prefix("Conv_")?.split_once("To")?;
            let simple = ["Int", "Float", "Double", "String", "Name", "Text", "Bool", "Byte", "Int64"];
            let to = if simple.contains(&to) { to.to_ascii_lowercase() } else { to.to_owned() };
            Some(Code::group(format!("{to}("), std::mem::take(arguments), ")"))
        }
        (_, 2) => {
            // The types after the underscore do not matter, as the operator is the same.
            let (prefix, _) = function.split_once('_')?;
            let (_, op) = OPERATORS.iter().find(|(name, _)| *name == prefix)?;
            binary(op, arguments)
        }
        _ => None,
    }
}

fn binary(op: &'static str, arguments: &mut Vec<Code>) -> Option<Code> {
    // Taken from the end, so the second operand comes first.
    let b = arguments.pop()?;
    let a = arguments.pop()?;
    let [a, b] = if matches!(op, "&&" | "||") { [a.into_condition(), b.into_condition()] } else { [a, b] };
    Some(Code::Binary(op, Box::new(a), Box::new(b)))
}

/// Returns the method name of a container function.
fn method<'f>(class: &str, function: &'f str) -> Option<&'f str> {
    let prefix = match class {
        "KismetArrayLibrary" => "Array_",
        "BlueprintMapLibrary" => "Map_",
        "BlueprintSetLibrary" => "Set_",
        _ => return None,
    };
    function.strip_prefix(prefix)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(class: &str, function: &str, arguments: &[&str]) -> String {
        let arguments = arguments.iter().map(|argument| Code::word(*argument)).collect();
        call(class, function, arguments).to_string()
    }

    #[test]
    fn libraries_become_operators_methods_and_conversions() {
        let math = "KismetMathLibrary";
        assert_eq!(text(math, "Add_IntInt", &["a", "b"]), "a + b");
        assert_eq!(
            text(math, "EqualEqual_VectorVector", &["a", "b", "0.1"]),
            "EqualEqual_VectorVector(a, b, 0.1)"
        );
        assert_eq!(text(math, "Conv_IntToFloat", &["i"]), "float(i)");
        assert_eq!(text(math, "SelectFloat", &["a", "b", "c"]), "c ? a : b");
        assert_eq!(text("KismetArrayLibrary", "Array_Length", &["a"]), "a.Length");
        assert_eq!(text("KismetArrayLibrary", "Array_Add", &["a", "x"]), "a.Add(x)");
        assert_eq!(text("MyLibrary", "Add_IntInt", &["a", "b"]), "MyLibrary::Add_IntInt(a, b)");
    }

    #[test]
    fn brackets_stand_where_they_are_needed() {
        let math = |function, a, b| call("KismetMathLibrary", function, vec![a, b]);
        let word = |text| Code::word(text);
        let sum = math("Add_IntInt", word("a"), word("b"));
        assert_eq!(math("Multiply_IntInt", sum.clone(), word("c")).to_string(), "(a + b) * c");
        assert_eq!(math("Subtract_IntInt", word("c"), sum.clone()).to_string(), "c - (a + b)");
        assert_eq!(math("Subtract_IntInt", sum, word("c")).to_string(), "a + b - c");
    }
}
