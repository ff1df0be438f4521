/**
 * Theme, preferences, and the side bar with its width. Theme and preferences are the main process's (they colour the frame and size the
 * page, too); the rest is kept by the page.
 */
import { MediaQuery } from 'svelte/reactivity';
import type { LanguageChoice, Preferences, Theme } from '../../src-main/contract/verbs/workbench-contract.ts';
import { ask } from '../api/engine-client.ts';
import { setNumberStyle, type WrittenStyle } from '../format/number-style.svelte.ts';
import { texts } from '../texts.ts';

const SIDE_BAR_KEY = 'winnow.sideBar';
const WIDTH_KEY = 'winnow.sideBarWidth';
/** Pixels. */
export const SIDE_BAR_WIDTH = { least: 160, first: 220, most: 420 } as const;
/** Below this the side bar would take the room that the view needs: at twice the size, or in a narrow window. */
const NARROW = '(max-width: 900px)';
/** In a lower window nothing stands below the views in the side bar. */
const LOW = '(max-height: 740px)';

export class Appearance {
  #theme = $state<Theme>('system');
  #preferences = $state.raw<Preferences>({
    language: 'system',
    numbers: 'language',
    reducedMotion: 'system',
    zoomPercent: 100,
    notices: true
  });
  #isSideBarCollapsed = $state(localStorage.getItem(SIDE_BAR_KEY) === 'collapsed');
  /** A person may open it in a narrow window; that is not kept. */
  #isOpenedWhileNarrow = $state(false);
  #sideBarWidth = $state(widthWithin(Number(localStorage.getItem(WIDTH_KEY) ?? SIDE_BAR_WIDTH.first)));
  readonly #isNarrow = new MediaQuery(NARROW);
  readonly #isLow = new MediaQuery(LOW);

  get theme(): Theme {
    return this.#theme;
  }
  get preferences(): Preferences {
    return this.#preferences;
  }
  get isSideBarCollapsed(): boolean {
    return this.#isNarrow.current ? !this.#isOpenedWhileNarrow : this.#isSideBarCollapsed;
  }

  /** Below the views of the side bar. */
  get hasRoomBelowViews(): boolean {
    return !this.isSideBarCollapsed && !this.#isLow.current;
  }

  /** Pixels; of the open side bar. */
  get sideBarWidth(): number {
    return this.#sideBarWidth;
  }

  setSideBarWidth(pixels: number): void {
    this.#sideBarWidth = widthWithin(pixels);
    localStorage.setItem(WIDTH_KEY, String(this.#sideBarWidth));
  }

  take(theme: Theme): void {
    this.#theme = theme;
  }

  takePreferences(preferences: Preferences): void {
    setNumberStyle(preferences.numbers === 'language' ? styleOfLanguage() : preferences.numbers);
    this.#preferences = preferences;
    document.documentElement.dataset['motion'] = preferences.reducedMotion === 'always' ? 'none' : '';
  }

  setTheme(theme: Theme): void {
    this.#theme = theme;
    void ask('setTheme', { theme });
  }

  async change(changes: Partial<Preferences>): Promise<void> {
    this.takePreferences(await ask('changePreferences', changes));
  }

  /** The page starts again in it: every text of a view is of one language. */
  async changeLanguage(language: LanguageChoice): Promise<void> {
    await this.change({ language });
    location.reload();
  }

  async zoom(step: 'in' | 'out' | 'reset'): Promise<void> {
    this.takePreferences(await ask('zoom', { step }));
  }

  /** System, light, dark, and around again. */
  nextTheme(): void {
    const order: Theme[] = ['system', 'light', 'dark'];
    this.setTheme(order[(order.indexOf(this.#theme) + 1) % order.length] ?? 'system');
  }

  toggleSideBar(): void {
    if (this.#isNarrow.current) {
      this.#isOpenedWhileNarrow = !this.#isOpenedWhileNarrow;
      return;
    }
    this.#isSideBarCollapsed = !this.#isSideBarCollapsed;
    localStorage.setItem(SIDE_BAR_KEY, this.#isSideBarCollapsed ? 'collapsed' : 'open');
  }
}

function styleOfLanguage(): WrittenStyle {
  return texts.language.hasDecimalComma ? 'point' : 'comma';
}

function widthWithin(pixels: number): number {
  const { least, first, most } = SIDE_BAR_WIDTH;
  return Number.isFinite(pixels) ? Math.round(Math.min(most, Math.max(least, pixels))) : first;
}
