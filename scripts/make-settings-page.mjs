// Writes docs/operations/settings.md from the table of settings. Run with Node 24:
// npx node scripts/make-settings-page.mjs. A test checks that the page is current.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { settingsPage } from '../src-main/settings/settings-text.ts';

writeFileSync(fileURLToPath(new URL('../docs/operations/settings.md', import.meta.url)), settingsPage());
