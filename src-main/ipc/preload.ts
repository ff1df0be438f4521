/** Exposes the verbs of the contract to the page, and nothing else. A dropped file is sent by its path. */
import { contextBridge, ipcRenderer, webUtils } from 'electron';
import { channelOf, EVENT_CHANNEL, STOP_CALL_CHANNEL, VERB_NAMES } from '../contract/verbs/channels.ts';
import type { WindowEvent } from '../contract/verbs/workbench-contract.ts';

const verbs = Object.fromEntries(
  VERB_NAMES.map((verb) => [
    verb,
    (request: unknown): Promise<unknown> => ipcRenderer.invoke(channelOf(verb), request)
  ])
);

function follow(listener: (event: WindowEvent) => void): () => void {
  const hear = (_event: unknown, event: WindowEvent): void => listener(event);
  ipcRenderer.on(EVENT_CHANNEL, hear);
  return () => ipcRenderer.off(EVENT_CHANNEL, hear);
}

/** Answered like a verb, so that a refusal is reported. */
function stopCall(callId: string): Promise<unknown> {
  return ipcRenderer.invoke(STOP_CALL_CHANNEL, { callId });
}

/** Only a file that a person has dropped or chosen has a path; the page never sees it. */
function openDropped({ file }: { file: File }): Promise<unknown> {
  return ipcRenderer.invoke(channelOf('openDropped'), { path: webUtils.getPathForFile(file) });
}

contextBridge.exposeInMainWorld('workbench', { ...verbs, follow, stopCall, openDropped });
