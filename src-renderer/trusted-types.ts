/**
 * The page's default Trusted Types policy. It admits exactly the one-rule texts that the split panes put into a
 * `<style>` while a person drags a divider, and refuses every other text that some code would turn into HTML.
 * The same six texts are named by hash in the content security policy.
 */
const CURSOR_RULE = /^\*\{cursor: (?:ew|w|e|ns|n|s)-resize!important;\}$/;

interface TrustedTypesFactory {
  createPolicy(name: string, rules: { createHTML: (text: string) => string }): unknown;
}

export function installTrustedTypesPolicy(): void {
  const factory = (globalThis as { trustedTypes?: TrustedTypesFactory }).trustedTypes;
  factory?.createPolicy('default', { createHTML: admitCursorRule });
}

export function admitCursorRule(text: string): string {
  if (CURSOR_RULE.test(text)) return text;
  throw new TypeError('This page turns no text into HTML.');
}
