/**
 * What no page of this application may do, whatever its code: navigate away, open windows, embed web views,
 * get permissions, download. Applied to every web contents that is ever created, not just to the known window.
 */
import type { App, Session, WebContents } from 'electron';

export function hardenSession(session: Session): void {
  session.setPermissionRequestHandler((_contents, _permission, decide) => decide(false));
  session.setPermissionCheckHandler(() => false);
  session.setDevicePermissionHandler(() => false);
  session.on('will-download', (event) => event.preventDefault());
}

export function hardenContents(app: App, isOwnUrl: (url: string) => boolean): void {
  app.on('web-contents-created', (_event, contents) => hardenOne(contents, isOwnUrl));
}

function hardenOne(contents: WebContents, isOwnUrl: (url: string) => boolean): void {
  contents.setWindowOpenHandler(() => ({ action: 'deny' }));
  // A reload of our own page is a navigation too and stays allowed.
  contents.on('will-navigate', (event) => {
    if (!isOwnUrl(event.url)) event.preventDefault();
  });
  contents.on('will-redirect', (event) => event.preventDefault());
  contents.on('will-frame-navigate', (event) => {
    if (!event.isMainFrame) event.preventDefault();
  });
  contents.on('will-attach-webview', (event) => event.preventDefault());
}
