import { expect, test } from 'vitest';
import { admitCursorRule } from '../../src-renderer/trusted-types.ts';

test('admits the six cursor rules of the split panes', () => {
  for (const cursor of ['ew', 'w', 'e', 'ns', 'n', 's']) {
    const rule = `*{cursor: ${cursor}-resize!important;}`;
    expect(admitCursorRule(rule)).toBe(rule);
  }
});

test.each(['<img src=x onerror=alert(1)>', '*{cursor: ew-resize!important;}<script>', '', 'text'])(
  'refuses %j',
  (text) => {
    expect(() => admitCursorRule(text)).toThrow(TypeError);
  }
);
