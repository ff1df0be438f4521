/** Shows a system notification, if the system supports it. */
import type { Notice } from './work-notice.ts';

/** The part of Electron's Notification that is used. */
export interface NoticeClass {
  new (options: Notice): {
    on(event: 'click' | 'close', listener: () => void): unknown;
    show(): void;
  };
  isSupported(): boolean;
}

/** Kept until they close: a garbage-collected one no longer receives its click. */
const shown = new Set<object>();

export function showNotice(System: NoticeClass, notice: Notice, onClick: () => void): void {
  if (!System.isSupported()) return;
  const made = new System(notice);
  shown.add(made);
  made.on('click', () => {
    shown.delete(made);
    onClick();
  });
  made.on('close', () => shown.delete(made));
  made.show();
}
