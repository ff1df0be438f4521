/**
 * The page's own scheme. `app://winnow/…` serves the files of the renderer and nothing else: no other host, no
 * path outside its folder, every answer under the content security policy. Files are read by the main process
 * itself, so `file:` stays closed to the page.
 */
import type { Language } from '../contract/verbs/application-contract.ts';
import { PAGE_TYPES } from '../contract/page-types.ts';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { CONTENT_SECURITY_POLICY } from '../contract/content-security-policy.ts';

export const APP_SCHEME = 'app';
export const APP_ORIGIN = 'app://winnow';

const TYPES: Readonly<Record<string, string>> = { ...PAGE_TYPES, '.json': 'application/json' };

/**
 * The handler of the scheme over the folder of the built renderer. `language` is asked for each page: it is written into it,
 * so that the page knows it before its first text.
 */
export function appSchemeHandler(
  rendererDirectory: string,
  language: () => Language
): (request: Request) => Promise<Response> {
  return async (request) => {
    const url = new URL(request.url);
    if (request.method !== 'GET' || `${url.protocol}//${url.host}` !== APP_ORIGIN) return refusal(404);
    const file = fileFor(url.pathname, rendererDirectory);
    if (file === undefined) return refusal(403);
    const type = TYPES[path.extname(file)];
    if (type === undefined) return refusal(404);
    try {
      const content = await readFile(file);
      const body = file.endsWith('.html')
        ? inLanguage(content.toString(), language())
        : new Uint8Array(content);
      return new Response(body, { headers: headersFor(type) });
    } catch {
      return refusal(404);
    }
  };
}

function inLanguage(page: string, language: Language): string {
  return page.replace('<html lang="en"', `<html lang="${language}"`);
}

/** undefined: the path leads out of the folder or cannot be decoded. */
function fileFor(pathname: string, directory: string): string | undefined {
  let decoded: string;
  try {
    decoded = decodeURIComponent(pathname);
  } catch {
    return undefined;
  }
  if (decoded.includes('\0')) return undefined;
  const file = path.join(directory, decoded === '/' ? 'index.html' : decoded);
  const relative = path.relative(directory, file);
  return relative.startsWith('..') || path.isAbsolute(relative) ? undefined : file;
}

function headersFor(type: string): Record<string, string> {
  return {
    'Content-Type': type,
    'Content-Security-Policy': CONTENT_SECURITY_POLICY,
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Opener-Policy': 'same-origin'
  };
}

function refusal(status: 403 | 404): Response {
  return new Response(status === 403 ? 'forbidden' : 'not found', {
    status,
    headers: headersFor('text/plain; charset=utf-8')
  });
}
