/** The zoom of the page, in steps: changed by keys and menu, set on the window, kept for the next start. */
import { ZOOM_STEPS } from './window-settings.ts';

/** The part of Electron's WebContents that is used. */
export interface ZoomedContents {
  setZoomFactor(factor: number): void;
  isDestroyed(): boolean;
}

export type ZoomStep = 'in' | 'out' | 'reset';

/** The next step from any percentage; stops at both ends. */
export function zoomStep(percent: number, step: ZoomStep): number {
  if (step === 'reset') return 100;
  const next =
    step === 'in'
      ? ZOOM_STEPS.find((candidate) => candidate > percent)
      : ZOOM_STEPS.findLast((candidate) => candidate < percent);
  return next ?? percent;
}

export function applyZoom(contents: ZoomedContents | undefined, percent: number): void {
  if (contents !== undefined && !contents.isDestroyed()) contents.setZoomFactor(percent / 100);
}
