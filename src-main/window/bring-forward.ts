/** Brings the window to the front, even if it was minimised or hidden. */
import type { BrowserWindow } from 'electron';

type WindowToShow = Pick<BrowserWindow, 'isMinimized' | 'restore' | 'show' | 'focus'>;

export function bringForward(window: WindowToShow): void {
  if (window.isMinimized()) window.restore();
  window.show();
  window.focus();
}
