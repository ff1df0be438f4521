/** A file of the browser's machine goes along with what asks for a key file, and with nothing else. */
import { afterEach, expect, test, vi } from 'vitest';
import { createServedWorkbench } from '../../../src-renderer/api/served-workbench.ts';
import { pickTextFile } from '../../../src-renderer/api/upload.ts';
import { FakeNodeServer } from './fake-node-server.ts';

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** What a person does when the browser asks for a file. */
function answerWith(file: File | null): void {
  vi.spyOn(HTMLInputElement.prototype, 'click').mockImplementation(function (this: HTMLInputElement) {
    if (file) Object.defineProperty(this, 'files', { value: [file] });
    this.dispatchEvent(new Event(file ? 'change' : 'cancel'));
  });
}

/** For what a server or a page needs on a busy machine. */
const LONG = { timeout: 60_000 };

test('a file is read, a long one is not, and none is none', async () => {
  answerWith(new File(['secret'], 'a.key'));
  expect(await pickTextFile()).toEqual({ name: 'a.key', text: 'secret' });
  answerWith(new File(['x'.repeat(64 * 1024 + 1)], 'a.key'));
  expect(await pickTextFile()).toBe('tooLong');
  answerWith(null);
  expect(await pickTextFile()).toBeNull();
});

test('the verb that asks for a key file sends it, and sends nothing when none was chosen', async () => {
  const service = new FakeNodeServer().install();
  service.hasSession = true;
  service.state = {
    ...service.state,
    pathQuestions: [{ verb: 'choosePath', when: { purpose: 'keyFile' }, purpose: 'keyFile' }]
  };
  const { workbench } = createServedWorkbench();
  const stop = workbench.follow(() => undefined);
  await vi.waitFor(() => expect(service.requests.some(({ path }) => path === '/ui/events')).toBe(true), LONG);
  const sent = (): unknown[] =>
    service.requests
      .filter(({ path }) => path === '/ui/verbs/choosePath')
      .map(({ init }) => JSON.parse(init.body as string) as unknown);
  answerWith(null);
  await vi.waitFor(
    async () => expect(await workbench.choosePath({ purpose: 'keyFile' })).toEqual({ ok: true, value: null }),
    LONG
  );
  const before = sent().length;
  answerWith(new File(['secret'], 'a.key'));
  await workbench.choosePath({ purpose: 'keyFile' });
  expect(sent().slice(before)).toEqual([{ purpose: 'keyFile', uploaded: { name: 'a.key', text: 'secret' } }]);
  stop();
});
