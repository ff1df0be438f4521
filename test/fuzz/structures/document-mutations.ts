/** Changes of a JSON document: one to three places anywhere in it get another value, go, or come twice. */
import type { Prng } from '../../support/prng.ts';
import { NUMBERS } from '../mutations.ts';

type Holder = Record<string, unknown> | unknown[];
interface Place {
  holder: Holder;
  key: string;
  path: string;
}

/** Names that lead out of a directory, or to what is not the document's. */
const NAMES = [
  ...['../outside/letter', '/outside/letter', '..', '.', '', 'a/../../outside/letter', 'chunk-000000.000000'],
  ...['writer.chk', 'indexmap', 'data/../../outside/letter', '\\..\\outside', 'x\u0000y', 'C:\\outside', '~'],
  ...['index/indexmap', 'scavenging/../../../outside/letter', '20260101T000000Z', 'outside', '../outside']
];

/** A changed copy, and what was changed, in words. */
export function changeDocument(document: unknown, prng: Prng): { document: unknown; steps: string[] } {
  const copy: unknown = structuredClone(document);
  const steps: string[] = [];
  const count = prng.chance(0.75) ? 1 : prng.between({ low: 2, high: 3 });
  for (let i = 0; i < count; i++) {
    const places = placesIn(copy, '');
    if (places.length === 0) break;
    steps.push(changePlace(prng.pick(places), places, prng));
  }
  return { document: copy, steps };
}

function placesIn(value: unknown, path: string): Place[] {
  if (typeof value !== 'object' || value === null) return [];
  const holder = value as Holder;
  return Object.keys(holder).flatMap((key) => {
    const place = { holder, key, path: `${path}/${key}` };
    return [place, ...placesIn((holder as Record<string, unknown>)[key], place.path)];
  });
}

function changePlace({ holder, key, path }: Place, places: readonly Place[], prng: Prng): string {
  const record = holder as Record<string, unknown>;
  const old = record[key];
  switch (prng.below(8)) {
    case 0:
      if (Array.isArray(holder)) holder.splice(Number(key), 1);
      else delete record[key];
      return `${path} is gone`;
    case 1:
      if (Array.isArray(holder)) holder.push(structuredClone(old));
      else record[`${key}2`] = old;
      return `${path} is there twice`;
    case 2: {
      const other = prng.pick(places);
      record[key] = structuredClone((other.holder as Record<string, unknown>)[other.key]);
      return `${path} is what ${other.path} is`;
    }
    case 3:
      record[key] = prng.pick<unknown>([
        null,
        true,
        false,
        [],
        {},
        [[[[]]]],
        { length: 3 },
        'x'.repeat(5000)
      ]);
      break;
    case 4:
      record[key] =
        typeof old === 'number' ? old + prng.between({ low: -300, high: 300 }) : Number(prng.pick(NUMBERS));
      break;
    case 5:
      record[key] = typeof old === 'string' ? changeText(old, prng) : prng.pick(NAMES);
      break;
    default:
      record[key] = typeof old === 'number' ? Number(prng.pick(NUMBERS)) : prng.pick(NAMES);
  }
  return `${path} from ${JSON.stringify(old)?.slice(0, 80)} to ${JSON.stringify(record[key])?.slice(0, 80)}`;
}

function changeText(text: string, prng: Prng): string {
  const at = prng.below(text.length + 1);
  const digit = /[0-9a-f]/.test(text[at] ?? '')
    ? '0123456789abcdef'[prng.below(16)]!
    : prng.pick([...'/.\\0 é']);
  return prng.chance(0.3) ? text.slice(0, at) : text.slice(0, at) + digit + text.slice(at + 1);
}
