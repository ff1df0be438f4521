/**
 * Which form of a word goes with a number, by the rules of the language that is shown. English and German tell one from
 * more; a language with further forms needs a catalogue with further forms.
 */
let rules = new Intl.PluralRules('en');

export function pluralRules(): Intl.PluralRules {
  return rules;
}

/** `language`: as `<html lang>` names it. */
export function setPluralLanguage(language: string): void {
  rules = new Intl.PluralRules(language);
}
