/** Theme and side bar. The theme is the main process's (it colours the frame too); the rest is kept by the page. */
import type { Theme } from '../../src-main/ipc/contract.ts';
import { ask } from '../api/engine-client.ts';

const SIDE_BAR_KEY = 'winnow.sideBar';

export class Appearance {
  #theme = $state<Theme>('system');
  #isSideBarCollapsed = $state(localStorage.getItem(SIDE_BAR_KEY) === 'collapsed');

  get theme(): Theme {
    return this.#theme;
  }
  get isSideBarCollapsed(): boolean {
    return this.#isSideBarCollapsed;
  }

  take(theme: Theme): void {
    this.#theme = theme;
  }

  setTheme(theme: Theme): void {
    this.#theme = theme;
    void ask('setTheme', { theme });
  }

  /** System, light, dark, and around again. */
  nextTheme(): void {
    const order: Theme[] = ['system', 'light', 'dark'];
    this.setTheme(order[(order.indexOf(this.#theme) + 1) % order.length] ?? 'system');
  }

  toggleSideBar(): void {
    this.#isSideBarCollapsed = !this.#isSideBarCollapsed;
    localStorage.setItem(SIDE_BAR_KEY, this.#isSideBarCollapsed ? 'collapsed' : 'open');
  }
}
