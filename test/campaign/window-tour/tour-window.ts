/**
 * The window a stranger sits at: opens directories, waits until the page has come to rest, looks at it, and keeps what
 * was found, each fault once, with where it was and what was done last.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { launchWindow, type ElectronWindow } from '../../e2e/electron-window.ts';
import type { AnswerTimes } from './answer-times.ts';
import { lookAtPage, waitsFor } from './page-look.ts';

export interface Fault {
  what: string;
  where: string;
  steps: string[];
}

/** Longer than anything the tour's databases need, on a busy machine too. */
const REST_MS = 60_000;
const STEPS_KEPT = 20;

export class TourWindow {
  readonly faults: Fault[] = [];
  readonly #seen = new Set<string>();
  readonly #steps: string[] = [];
  readonly #pictures: string;
  #window: ElectronWindow;
  #problemsTold = 0;
  where = 'first screen';
  looks = 0;

  readonly #answers: AnswerTimes;

  private constructor(window: ElectronWindow, pictures: string, answers: AnswerTimes) {
    this.#window = window;
    this.#pictures = pictures;
    this.#answers = answers;
  }

  static async launch(pictures: string, answers: AnswerTimes): Promise<TourWindow> {
    const tour = new TourWindow(await launchWindow(), pictures, answers);
    await tour.#answerDialogs();
    await answers.watch(tour.page);
    return tour;
  }

  get page() {
    return this.#window.page;
  }
  get app() {
    return this.#window.app;
  }

  /** Notes what is about to be done. */
  step(words: string): void {
    this.#steps.push(`${this.where}: ${words}`);
    if (this.#steps.length > STEPS_KEPT) this.#steps.shift();
  }

  /** A fault, told once however often it is met. */
  async found(what: string): Promise<void> {
    const key = what.replaceAll(/\/tmp\/\S+|[0-9a-f]{8}-[0-9a-f-]{27}|\d[\d,.]*/g, '#');
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    const number = this.faults.push({ what, where: this.where, steps: [...this.#steps] });
    console.log(`FOUND ${number} at ${this.where}: ${what}`);
    for (const step of this.#steps.slice(-5)) console.log(`    ${step}`);
    await this.takePicture(`fault-${number}`);
  }

  /** Not a fault; a picture that cannot be taken is only missing. */
  async takePicture(name: string): Promise<void> {
    mkdirSync(this.#pictures, { recursive: true });
    try {
      const png = await this.page.screenshot({ timeout: 10_000 });
      writeFileSync(path.join(this.#pictures, `${name}.png`), png);
    } catch (error) {
      console.log(`    no picture: ${String(error).split('\n')[0]}`);
    }
  }

  /** Waits until nothing is on its way, then looks. */
  async look(): Promise<void> {
    this.looks++;
    await this.rest();
    await this.#answers.take(this.page, this.where);
    for (const what of await this.page.evaluate(() => document.title).then((title) => titleFaults(title))) {
      await this.found(what);
    }
    for (const what of await lookAtPage(this.page)) await this.found(what);
    const { problems } = this.#window;
    for (; this.#problemsTold < problems.length; this.#problemsTold++) {
      await this.found(`the page complains: ${problems[this.#problemsTold]?.slice(0, 400)}`);
    }
    if (await this.page.getByText('The engine has stopped').isVisible()) {
      await this.found('the engine ended');
      await this.page.getByRole('button', { name: 'Restart engine' }).click();
    }
  }

  async rest(): Promise<void> {
    const end = performance.now() + REST_MS;
    for (let quiet = 0; quiet < 2;) {
      await this.page.waitForTimeout(60);
      const last = await waitsFor(this.page);
      quiet = last === '' ? quiet + 1 : 0;
      if (performance.now() > end) {
        await this.found(`does not come to rest, waits for: ${last}`);
        return;
      }
    }
  }

  /** As a person does: the palette, the dialog of the system, the directory. False: the window refused it. */
  async open(directory: string): Promise<boolean> {
    this.step(`open ${directory}`);
    await this.#chooseNext(directory);
    await this.#openPalette();
    await this.page.getByRole('dialog').getByRole('combobox').fill('Open a data directory');
    await this.page.keyboard.press('Enter');
    const shown = this.page.locator('header .path', { hasText: directory });
    const dismiss = this.page.getByRole('button', { name: 'Dismiss' });
    await shown.or(dismiss).first().waitFor({ timeout: REST_MS });
    await this.look();
    if (await shown.isVisible()) return true;
    await dismiss.click();
    return false;
  }

  async resize(width: number, height: number): Promise<void> {
    await this.app.evaluate(
      ({ BrowserWindow }, size) => {
        BrowserWindow.getAllWindows()[0]?.setContentSize(size.width, size.height);
      },
      { width, height }
    );
    await this.page.waitForTimeout(200);
  }

  async theme(theme: 'light' | 'dark'): Promise<void> {
    await this.app.evaluate(({ nativeTheme }, source) => {
      nativeTheme.themeSource = source;
    }, theme);
  }

  async zoom(factor: number): Promise<void> {
    await this.app.evaluate(({ BrowserWindow }, value) => {
      BrowserWindow.getAllWindows()[0]?.webContents.setZoomFactor(value);
    }, factor);
  }

  close(): Promise<void> {
    return this.#window.close();
  }

  /** By its key; Chromium may drop a key that comes before its first frames on a busy machine. */
  async #openPalette(): Promise<void> {
    const search = this.page.getByRole('dialog').getByRole('combobox');
    for (let attempt = 0; attempt < 20 && !(await search.isVisible()); attempt++) {
      await this.page.keyboard.press('Escape');
      await this.page.keyboard.press('Control+k');
      await search.waitFor({ timeout: 3000 }).catch(() => undefined);
    }
  }

  /** What the dialogs of the system answer from now on. */
  async #chooseNext(directory: string): Promise<void> {
    await this.app.evaluate(({ dialog }, chosen) => {
      dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [chosen] });
    }, directory);
  }

  /** No dialog of the system may stand in the way, and nothing outside may be opened. */
  async #answerDialogs(): Promise<void> {
    await this.app.evaluate(({ dialog, shell }) => {
      dialog.showOpenDialog = () => Promise.resolve({ canceled: true, filePaths: [] });
      dialog.showSaveDialog = () => Promise.resolve({ canceled: true, filePath: '' });
      dialog.showMessageBox = () => Promise.resolve({ response: 0, checkboxChecked: false });
      shell.openExternal = () => Promise.resolve();
      shell.openPath = () => Promise.resolve('');
      shell.showItemInFolder = () => undefined;
    });
    // The dialog for printing belongs to the system too, and the page stands still behind it.
    const noPrinting = (): void => {
      globalThis.print = () => undefined;
    };
    await this.page.addInitScript(noPrinting);
    await this.page.evaluate(noPrinting);
  }
}

/** A name of a stream that was run as markup would change the title. */
function titleFaults(title: string): string[] {
  return title === 'Winnow' || title.includes('Winnow') ? [] : [`the title of the page is "${title}"`];
}
