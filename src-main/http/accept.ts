/** The preferred form of an answer: JSON unless plain text is preferred. */
export function preferredType(accept: string | undefined): 'json' | 'text' {
  const weights = { json: 0, text: 0 };
  for (const entry of (accept ?? '*/*').split(',')) {
    const [type = '', ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase());
    const q = parameters.find((parameter) => parameter.startsWith('q='));
    const weight = q === undefined ? 1 : Number(q.slice(2));
    if (!(weight > 0)) continue;
    if (type === 'text/plain' || type === 'text/*') weights.text = Math.max(weights.text, weight);
    if (type === 'application/json' || type === 'application/*')
      weights.json = Math.max(weights.json, weight);
  }
  return weights.text > weights.json ? 'text' : 'json';
}
