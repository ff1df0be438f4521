/** What can be done with an item of the map: the same in the menu of a field, of a row, and beside the chosen item. */
import type { RowAction } from '../../components/table-column.ts';
import { below, isNamed, kindOf, type UsagePath } from '../../state/usage/usage-path.ts';
import { NO_CATEGORY } from '../../format/group-name.ts';
import { texts } from '../../texts.ts';

export interface UsageDoing {
  open: (path: UsagePath) => void;
  why: (stream: string) => void;
  stream: (stream: string) => void;
  records: (filter: string) => void;
  erasure: (asked: { stream?: string; category?: string }) => void;
  thresholds: () => void;
  whatIf: (category: string) => void;
  copy: (name: string) => void;
}

export function actionsFor(path: UsagePath, name: string, doing: UsageDoing): RowAction[] {
  const { actions: LABELS, whyNot: WHY } = texts.usage;
  const kind = kindOf(path);
  const named = isNamed(name);
  const stream = kind === 'stream' && named ? name : null;
  const category = kind === 'category' && named && name !== NO_CATEGORY ? name : null;
  const inside = below(path, name);
  const filter = filterOf(path, name);
  return [
    {
      label: LABELS.open,
      run: () => inside && doing.open(inside),
      whyNot: inside ? undefined : WHY.nothingInside
    },
    {
      label: LABELS.why,
      run: () => stream !== null && doing.why(stream),
      whyNot: stream === null ? WHY.oneStream : undefined,
      isApart: true
    },
    {
      label: LABELS.stream,
      run: () => stream !== null && doing.stream(stream),
      whyNot: stream === null ? WHY.oneStream : undefined
    },
    {
      label: LABELS.records,
      run: () => filter !== null && doing.records(filter),
      whyNot: filter === null ? WHY.noName : undefined
    },
    {
      label: LABELS.erasure,
      run: () => {
        if (stream !== null) doing.erasure({ stream });
        else if (category !== null) doing.erasure({ category });
      },
      whyNot: stream === null && category === null ? WHY.noStream : undefined
    },
    { label: LABELS.thresholds, run: doing.thresholds, isApart: true },
    ...(category === null ? [] : [{ label: LABELS.whatIf, run: () => doing.whatIf(category) }]),
    {
      label: LABELS.copy,
      run: () => doing.copy(name),
      whyNot: named ? undefined : WHY.noName
    }
  ];
}

/** The filter of the records that an item stands for; null: there is none for it. */
export function filterOf(path: UsagePath, name: string): string | null {
  if (!isNamed(name)) return null;
  const quoted = (text: string): string => (/[\s"*]/.test(text) ? JSON.stringify(text) : text);
  const within =
    path.stream !== null
      ? `stream:${quoted(path.stream)} `
      : path.category !== null && path.category !== NO_CATEGORY
        ? `stream:${path.category}-* `
        : '';
  switch (kindOf(path)) {
    case 'stream':
      return `stream:${quoted(name)}`;
    case 'category':
      return name === NO_CATEGORY || /[\s"*]/.test(name) ? null : `stream:${name}-*`;
    case 'type':
      return `${within}type:${quoted(name)}`;
    case 'link':
      return null;
  }
}
