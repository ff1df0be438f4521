/** How the page looks in this browser: kept by the browser, the same for all services on one address. */
import type {
  LanguageChoice,
  NumberStyle,
  Preferences,
  Theme
} from '../../src-main/contract/verbs/workbench-contract.ts';

const THEME_KEY = 'winnow.theme';
const PREFERENCES_KEY = 'winnow.preferences';
const LANGUAGES: readonly LanguageChoice[] = ['system', 'en', 'de'];
const NUMBERS: readonly NumberStyle[] = ['language', 'comma', 'point', 'space', 'apostrophe'];

export function keptTheme(): Theme {
  const kept = localStorage.getItem(THEME_KEY);
  return kept === 'light' || kept === 'dark' ? kept : 'system';
}

export function keepTheme(theme: Theme): void {
  localStorage.setItem(THEME_KEY, theme);
}

/** The size is that of the browser, and notices are not sent. */
export function keptPreferences(): Preferences {
  const kept = parsed(localStorage.getItem(PREFERENCES_KEY));
  return {
    language: LANGUAGES.find((choice) => choice === kept['language']) ?? 'system',
    numbers: NUMBERS.find((style) => style === kept['numbers']) ?? 'language',
    reducedMotion: kept['reducedMotion'] === 'always' ? 'always' : 'system',
    zoomPercent: 100,
    notices: false
  };
}

export function keepPreferences(changes: Partial<Preferences>): Preferences {
  localStorage.setItem(PREFERENCES_KEY, JSON.stringify({ ...keptPreferences(), ...changes }));
  return keptPreferences();
}

function parsed(text: string | null): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text ?? '{}');
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
