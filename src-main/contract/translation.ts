/**
 * The type of a catalogue in another language, from the English one: the same texts, each of the same kind and with the same
 * values to fill in. With `satisfies`, the compiler refuses a catalogue with a text too few or too many.
 */
export type Translation<Text> = Text extends string
  ? string
  : Text extends (...values: infer Values) => infer Words
    ? (...values: Values) => Translation<Words>
    : { readonly [Name in keyof Text]: Translation<Text[Name]> };
