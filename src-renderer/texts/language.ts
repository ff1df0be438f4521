/** The language itself, and how it writes numbers and dates. */
export const languageTexts = {
  language: {
    /** As `<html lang>` has it. */
    code: 'en',
    /** For weekdays and months; a day stays before its month, and a time has 24 hours. */
    locale: 'en-GB',
    /** `1.234,5` and not `1,234.5`, unless a person chooses another form. */
    hasDecimalComma: false as boolean,
    /** Of a name that stands inside a sentence. */
    within: (name: string) => name.toLowerCase(),
    /** A control by its label, inside a sentence. */
    quoted: (label: string) => `“${label}”`
  }
} as const;
