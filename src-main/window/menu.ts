/** Shows the application menu, and again when what it says has changed. */
import { Menu } from 'electron';
import { menuTemplate, type MenuParts, type MenuState } from './menu-template.ts';

export class ApplicationMenu {
  #parts: MenuParts;

  constructor(parts: MenuParts) {
    this.#parts = parts;
    this.#show();
  }

  change(state: Partial<MenuState>): void {
    this.#parts = { ...this.#parts, ...state };
    this.#show();
  }

  #show(): void {
    Menu.setApplicationMenu(Menu.buildFromTemplate(menuTemplate(this.#parts)));
  }
}
