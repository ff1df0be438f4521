/**
 * The policy under which the page runs: only its own files, no inline code, no connections except to itself, no
 * frames, no forms, and no text turned into HTML except by Svelte's own templates.
 *
 * The split panes add one `<style>` with one fixed rule to the page while a person drags; those six texts are
 * allowed by their hashes, and by the page's default Trusted Types policy (src-renderer/trusted-types.ts).
 */
import { createHash } from 'node:crypto';

const CURSORS = ['ew-resize', 'w-resize', 'e-resize', 'ns-resize', 'n-resize', 's-resize'];

function hashSource(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

/** One attribute of the palette's library, in its templates. */
const itemStyle = hashSource('display: contents;');

const cursorStyles = CURSORS.map((cursor) => hashSource(`*{cursor: ${cursor}!important;}`)).join(' ');

export const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  `style-src 'self' ${cursorStyles}`,
  `style-src-attr 'unsafe-hashes' ${itemStyle}`,
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-src 'none'",
  "frame-ancestors 'none'",
  "object-src 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types svelte-trusted-html default'
].join('; ');
