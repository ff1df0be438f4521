import { screen, waitFor } from '@testing-library/svelte';
import { describe, expect, test } from 'vitest';
import { chunksReport, inspection } from './fake-database.ts';
import { Refusal } from './fake-workbench.ts';
import { openWindow } from './render-app.ts';

describe('the window', () => {
  test('opens the node named on the command line and says how it is in one sentence', async () => {
    await openWindow();
    expect(
      await screen.findByRole('heading', {
        name: '4 chunks, 4.00 MiB, never scavenged'
      })
    ).toBeTruthy();
  });

  test('shows three ways in and a word on safety when nothing was opened before', async () => {
    await openWindow((fake) => {
      fake.nodes = [];
      fake.openNodeId = null;
    });
    expect(screen.getByRole('button', { name: /Open a data directory/ })).toBeTruthy();
    expect(screen.getByRole('button', { name: /Open a server configuration/ })).toBeTruthy();
    expect(screen.getByRole('button', { name: /Create the sample database/ })).toBeTruthy();
    expect(screen.getByText(/Opening a database changes nothing/)).toBeTruthy();
  });

  test('says who holds a directory that is in use, and that it is read-only', async () => {
    await openWindow((fake) => {
      fake.answers['inspectDatabase'] = () => ({ ...inspection, inUse: { by: 'kurrentd', pid: 4711 } });
    });
    expect(await screen.findByText(/It is open in kurrentd \(process 4711\)/)).toBeTruthy();
    expect(screen.getByText('read-only')).toBeTruthy();
  });

  test('does not take its own scavenge for a foreign server', async () => {
    const { fake } = await openWindow((prepared) => {
      prepared.answers['inspectDatabase'] = () => ({ ...inspection, inUse: { by: 'winnow', pid: 1 } });
    });
    await screen.findByText('read-only');
    await window.workbench.startWork({ name: 'runScavenge', nodeId: 'node-1', request: {} });
    expect(fake.work).toHaveLength(1);
    await waitFor(() => expect(screen.queryByText('read-only')).toBeNull());
  });

  test('tells of the death of the engine and starts it again', async () => {
    const { fake, user } = await openWindow();
    fake.send({ kind: 'engine', engine: { isAlive: false, reason: 'its process ended with code 9' } });
    expect(await screen.findByText('its process ended with code 9')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Restart engine' }));
    expect(fake.requestsOf('restartEngine')).toHaveLength(1);
    await waitFor(() => expect(screen.queryByText('The engine has stopped')).toBeNull());
  });

  test('shows what could not be read, what to do, and tries again', async () => {
    let isBroken = true;
    const { user } = await openWindow((fake) => {
      fake.answers['inspectDatabase'] = () => {
        if (!isBroken) return inspection;
        throw new Refusal('DatabaseNotFound', 'No chunks here.', 'Choose another.');
      };
    });
    expect(await screen.findByText('No chunks here.')).toBeTruthy();
    isBroken = false;
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findAllByText(/sound as of/)).not.toEqual([]);
  });

  test('reads again when the directories change, without a reload', async () => {
    const { fake } = await openWindow();
    await screen.findByText(/^4 chunks/);
    fake.answers['inspectDatabase'] = () => ({
      ...inspection,
      chunkCount: { ...inspection.chunkCount, physical: 5 }
    });
    fake.send({ kind: 'changed', nodeId: 'node-1', parts: ['chunks'] });
    expect(await screen.findByText(/^5 chunks/)).toBeTruthy();
  });

  test('says of a database that went away what was last seen of it, and not that it is sound', async () => {
    const { fake } = await openWindow();
    await screen.findAllByText(/sound as of/);
    fake.answers['inspectDatabase'] = () => {
      throw new Refusal('DatabaseNotFound', 'No chunks here.', 'Choose another.');
    };
    fake.send({ kind: 'changed', nodeId: 'node-1', parts: ['chunks', 'checkpoints'] });
    expect(await screen.findByText(/^It cannot be read now\. Last known size: 4 chunks, /)).toBeTruthy();
    expect(screen.queryByText(/sound as of/)).toBeNull();
  });

  test('follows work that was running before the window was opened', async () => {
    const { fake, user } = await openWindow((prepared) => {
      prepared.work = [
        {
          id: 'work-9',
          name: 'runScavenge',
          nodeId: 'node-1',
          title: 'Scavenge orders',
          state: 'running',
          startedMs: 1,
          endedMs: null,
          progress: {
            operation: 'runScavenge',
            dataDirectory: '/data/orders',
            phase: 'chunkExecution',
            done: 14,
            total: 55,
            unit: 'chunks',
            savedBytes: 4_100_000_000,
            elapsedMs: 1000,
            message: null
          },
          ratePerSecond: 2.5,
          remainingMs: 180_000,
          phases: [],
          log: [],
          error: null,
          request: {},
          writerCheckpoint: null,
          directory: null,
          backupTarget: null
        }
      ];
    });
    expect(
      screen.getByText('chunk execution 14 / 55 chunks · 2.5 chunks/s · about 3 min left · 3.82 GiB freed')
    ).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Stop' }));
    expect(fake.requestsOf('stopWork')).toEqual([{ id: 'work-9' }]);
  });

  test('goes back and forward through places by keyboard', async () => {
    const { user } = await openWindow();
    await screen.findByText(/^4 chunks/);
    await user.keyboard('{Control>}2{/Control}');
    expect(await screen.findByRole('listbox', { name: 'Chunk map' })).toBeTruthy();
    await user.keyboard('{Alt>}{ArrowLeft}{/Alt}');
    expect(await screen.findByText(/^4 chunks/)).toBeTruthy();
    await user.keyboard('{Alt>}{ArrowRight}{/Alt}');
    expect(await screen.findByRole('listbox', { name: 'Chunk map' })).toBeTruthy();
  });

  test('lists superseded files and leftovers apart from the chunks', async () => {
    const { show } = await openWindow((fake) => {
      fake.answers['listChunks'] = () => ({
        ...chunksReport,
        leftovers: [{ file: 'chunk-000009.tmp', fileSize: 100 }]
      });
    });
    await show('Chunks');
    expect(await screen.findByText('chunk-000009.tmp')).toBeTruthy();
  });
});
