/** The appearance of the window when it was last closed, and a person's preferences: `window.json` in WINNOW_HOME. */
import path from 'node:path';
import { z } from 'zod';
import { readJsonFile, writeJsonFile } from './json-file.ts';

/** Zoom levels in per cent, for Ctrl with plus or minus. */
export const ZOOM_STEPS = [50, 67, 75, 80, 90, 100, 110, 125, 150, 175, 200] as const;

const windowSettings = z.object({
  theme: z.enum(['system', 'light', 'dark']).default('system'),
  bounds: z
    .object({ x: z.number().int(), y: z.number().int(), width: z.number().int(), height: z.number().int() })
    .nullable()
    .default(null),
  isMaximized: z.boolean().default(false),
  language: z.enum(['system', 'en', 'de']).default('system'),
  numbers: z.enum(['language', 'comma', 'point', 'space', 'apostrophe']).default('language'),
  reducedMotion: z.enum(['system', 'always']).default('system'),
  zoomPercent: z.number().int().min(ZOOM_STEPS[0]).max(ZOOM_STEPS.at(-1)!).default(100),
  notices: z.boolean().default(true)
});
export type WindowSettingsValues = z.output<typeof windowSettings>;

export class WindowSettings {
  readonly #file: string;
  #values: WindowSettingsValues;

  constructor(home: string) {
    this.#file = path.join(home, 'window.json');
    this.#values = readJsonFile(this.#file, windowSettings) ?? windowSettings.parse({});
  }

  get values(): WindowSettingsValues {
    return this.#values;
  }

  change(values: Partial<WindowSettingsValues>): void {
    this.#values = { ...this.#values, ...values };
    try {
      writeJsonFile(this.#file, this.#values);
    } catch {
      // A full or read-only disk must not keep the window from working; the next start looks as before.
    }
  }
}
