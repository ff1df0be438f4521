/**
 * What the pages of erasure reports and certificates have in common: one self-contained HTML file that runs no script
 * and loads nothing. Names come from databases and may contain anything: every text is escaped.
 */

const STYLE = `
body { font: 13px/1.45 system-ui, sans-serif; color: #1c1c1a; margin: 24px auto; max-width: 980px; padding: 0 16px; }
h1 { font-size: 20px; } h2 { font-size: 15px; margin-top: 24px; overflow-wrap: anywhere; }
table { border-collapse: collapse; width: 100%; margin: 8px 0 16px; }
th, td { text-align: left; vertical-align: top; padding: 4px 8px; border-bottom: 1px solid #d8d6d0; overflow-wrap: anywhere; }
th { font-weight: 600; } td.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
code { font: 12px ui-monospace, monospace; overflow-wrap: anywhere; }
.verdict { border-left: 4px solid #777; padding: 4px 12px; }
.verdict.gone { border-color: #1a7f37; } .verdict.left { border-color: #b3261e; } .verdict.open { border-color: #9a6700; }
@media print { body { margin: 0; max-width: none; } tr { break-inside: avoid; } thead { display: table-header-group; } }
`;

export interface CertificatePage {
  title: string;
  /** ISO 8601; its day is part of the title. */
  date: string;
  /** HTML, escaped; empty ones are left out. */
  parts: readonly string[];
}

export function certificatePage({ title, date, parts }: CertificatePage): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${title} ${escapeText(date.slice(0, 10))}</title>
<style>${STYLE}</style>
</head>
<body>
${[`<h1>${title}</h1>`, ...parts].filter((part) => part !== '').join('\n')}
</body>
</html>
`;
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;'
};

/** Escapes invisible characters and those that change the reading direction. */
export function escapeText(text: string): string {
  return text
    .replace(/[&<>"']/g, (character) => ENTITIES[character]!)
    .replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`);
}
