/**
 * Names from a log may hold anything: control characters, direction marks, line breaks. They are shown by name so
 * that no stream can look like another one.
 */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

export function visibleText(text: string): string {
  return text.replaceAll(
    HIDDEN,
    (character) => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`
  );
}
